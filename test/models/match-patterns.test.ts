/** Patterns of models that could take very long (docs/models.md). */
import { expect, test } from '@jest/globals';
import { ownPattern } from '../../src/models/author/own-pattern.ts';
import { startServer } from '../support/server.ts';

const email = /^\w+([.-]?\w+)*@\w+([.-]?\w+)*(\.\w{2,3})+$/;

test.each([
  [/^[a-z]+$/, 'native'],
  [/^(?=.*\d)(?=.*[a-z]).{8,}$/, 'native'],
  [/^(a+)+$/, 'linear'],
  [/^(a+)+$/iu, 'linear'],
  [email, 'linear'],
  [/^(?=(a+)+$)/, 'unbounded'],
  [/^(a+)\1+$/, 'unbounded'],
  // read differently by the other engine, and left to Node.js
  [/^([^]+)+$/, 'native'],
  [/^(a+)+$/y, 'native'],
])('%s is matched by an engine of the kind %s', (pattern, kind) => {
  expect(ownPattern(pattern).kind).toBe(kind);
});

test.each([
  [/^(a+)+$/, ['aa', 'aa\n', 'b', '']],
  [/^(a+)+$/m, ['aa\nb', 'b\naa']],
  [/^(\s+)+$/, [' \t\n', '\u{a0}', '\u{feff}', '\u{2029}', 'a']],
  [/^(\S+)+$/, ['ab', 'a\u{a0}', '\u{feff}']],
  [/^([\s-]+)+$/, ['\u{a0}-', 'a', '-']],
  [/^(.+)+$/, ['a', 'a\rb', 'a\u{2028}b', 'a\nb']],
  [/^(.+)+$/s, ['a\nb']],
  [/^([\u00e4-\u00fc]+)+$/, ['äü', 'a']],
  [/^(\u{1f600}+)+$/u, ['\u{1f600}\u{1f600}', 'u']],
  [/^([[:a]+)+$/, ['[', ':', 'a', 'x']],
  [/^(?<name>\w+)+\/$/, ['a/', 'é/', '/']],
  [/^(a+)+$/i, ['Aa', 'B']],
  [email, ['ann@example.com', 'ann@example', 'a.b-c@d.co', 'a..b@c.de', 'ä@b.de']],
])('%s matches in linear time what Node.js matches', (pattern, texts) => {
  const own = ownPattern(pattern);
  if (own.kind !== 'linear') throw new Error(`${String(pattern)} is ${own.kind}`);
  for (const text of texts) expect([text, own.test(text)]).toEqual([text, pattern.test(text)]);
});

test('a text of a model is matched in linear time, and a pattern that cannot be is named at the start', async () => {
  const file = `
    const { Schema } = require('mongoose');
    const match = [${String(email)}, 'no email'];
    module.exports = new Schema(
      {
        email: { type: String, match },
        list: [{ type: String, match }],
        map: { type: Map, of: { type: String, match } },
        rows: [{ email: { type: String, match } }],
        inner: { code: { type: String, match: /^(a+)\\1+$/ } },
      },
      { perms: { all: 'crud' } },
    );`;
  const server = await startServer({ models: { 'person.cjs': file } });
  const lines = server.log.map((line) => JSON.parse(line) as { level: string; msg: string });
  const warnings = lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
  expect(warnings).toEqual([expect.stringMatching(/^person: the pattern \(match\) of inner\.code can take very long/)]);
  const long = `${'a'.repeat(50_000)}!`;
  const { body } = await server.post('/api/person', { email: 'ann@example.com', list: [''] });
  const path = `/api/person/${String(body['data']._id)}`;
  for (const sent of [
    await server.post('/api/person', { email: long }),
    await server.post('/api/person', { list: ['ann@example.com', long] }),
    await server.post('/api/person', { map: { work: long } }),
    await server.post('/api/person', { rows: [{ email: long }] }),
    await server.put(path, { email: long }),
    await server.put(`/update/person/${String(body['data']._id)}`, { email: long }),
  ]) {
    expect(sent).toMatchObject({ status: 400, body: { errors: [{ kind: 'regexp' }] } });
    expect(sent.body['err']).toContain('no email');
  }
  expect((await server.put(path, { email: 'bob@example.com' })).status).toBe(200);
});
