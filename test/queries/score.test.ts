/** `score`: the relevance in a text search, and an ordinary field of models that have one (docs/queries.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const model = (more: string): string => `const { Schema } = require('mongoose');
const schema = new Schema({ title: String, score: Number, game_id: { type: Schema.Types.ObjectId, link: 'plain' } }, { perms: { all: 'crud' }, history: true });
schema.index({ title: 'text' });
${more}
module.exports = schema;`;

let server: TestServer;
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await startServer({
    models: {
      'plain.js': model(''),
      'computed.js': model(`schema.virtual('loud').get(function () { return String(this.title).toUpperCase(); });`),
      'unselected.js': model('').replace('score: Number', 'score: { type: Number, select: false }'),
      'linked.js': model('').replace(
        'score: Number',
        `score: { type: Schema.Types.ObjectId, link: 'plain', map_to: 'rated' }`,
      ),
      'kinds.js': model(`schema.discriminator('special', new Schema({ extra: Number }));`),
    },
  });
  for (const name of ['plain', 'computed', 'kinds']) {
    const made = await server.post(`/api/${name}`, { title: 'word', score: 7000, game_id: ids['plain'] });
    ids[name] = String(made.document['_id']);
  }
});

/** The score of the row that a request answers with: the field's, one of a search, or none. */
type Shown = 'field' | 'search' | undefined;
const shownIn = (row: Readonly<Record<string, unknown>> | undefined): Shown => {
  const { score } = row ?? {};
  if (score === undefined) return undefined;
  return Number(score) === 7000 ? 'field' : 'search';
};

describe.each(['plain', 'computed', 'kinds'])('%s', (name) => {
  test.each<[query: string, shown: Shown]>([
    ['', 'field'],
    ['fields=title', undefined],
    ['fields=title,score', 'field'],
    ['fields=score', 'field'],
    ['fields=-score', undefined],
    ['fields=-title', 'field'],
    ['search=word', 'search'],
    ['search=word&fields=title', 'search'],
    ['search=word&fields=title,score', 'search'],
    ['search=word&fields=-score', undefined],
    ['search=word&fields=-title', 'search'],
    ['search[title]=word&fields=title', undefined],
  ])('%s', async (query, shown) => {
    const list = await server.get(`/api/${name}?${query}`);
    expect([list.status, list.rows.length, shownIn(list.rows[0])]).toEqual([200, 1, shown]);
    const csv = await server.get(`/csv/${name}?${query}`);
    const [header = '', row = ''] = csv.text.trim().split(/\r?\n/);
    const cells = row.split(',');
    const byColumn = Object.fromEntries(header.split(',').map((column, at) => [column.replaceAll('"', ''), cells[at]]));
    expect([csv.status, shownIn(byColumn)]).toEqual([200, shown]);
    if (query.includes('search')) return;
    const one = await server.get(`/api/${name}/${ids[name]}?${query}`);
    expect([one.status, shownIn(one.document)]).toEqual([200, shown]);
    const changes = await server.get(`/changes/${name}?${query}`);
    expect([changes.status, shownIn(changes.rows[0])]).toEqual([200, shown]);
  });

  test.each<[fields: string, shown: Shown]>([
    ['title', undefined],
    ['title,score', 'field'],
  ])('populate of %s', async (fields, shown) => {
    const { rows } = await server.get(`/api/computed?search=word&populate[game]=${fields}`);
    expect(shownIn(rows[0]?.['game'] as Record<string, unknown>)).toBe(shown);
    expect(shownIn(rows[0])).toBe('search');
  });
});

test('a field of that name with select: false is in no answer that does not ask for it', async () => {
  const made = await server.post('/api/unselected', { title: 'a', score: 7000 });
  const id = String(made.document['_id']);
  const changed = await server.put(`/api/unselected/${id}`, { title: 'b', score: 7001 });
  const history = await server.get(`/history/unselected/${id}`);
  const past = await server.get(`/history/unselected/${id}/1`);
  const list = await server.get('/api/unselected');
  const asked = await server.get(`/api/unselected/${id}?fields=score`);
  const texts = [made, changed, history, past, list].map(({ status, text }) => [status, /700\d/.test(text)]);
  expect(texts).toEqual([
    [201, false],
    [200, false],
    [200, false],
    [200, false],
    [200, false],
  ]);
  expect(asked.document).toMatchObject({ score: 7001 });
});

test('a link of that name is followed without being shown', async () => {
  const { document } = await server.post('/api/linked', { title: 'a', score: ids['plain'] });
  const paths = [`/api/linked/${String(document['_id'])}`, '/api/linked', '/changes/linked'];
  for (const path of paths) {
    const { body } = await server.get(`${path}?fields=title&populate[rated]=title`);
    const [found] = [body.data].flat() as Record<string, unknown>[];
    expect([path, found?.['title'], 'score' in (found ?? {})]).toEqual([path, 'a', false]);
    if (!path.startsWith('/changes')) expect(found?.['rated']).toMatchObject({ title: 'word' });
  }
});
