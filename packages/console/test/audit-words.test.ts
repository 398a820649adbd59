/** The events of the audit log in words: each kind that the server records, and rows that say the same. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Model } from '../src/api/models.ts';
import { type AuditEvent, eventText, folded, kindChoices } from '../src/pages/audit/words.ts';

test('each kind of the reference has words of its own', () => {
  const [, events = ''] = readFileSync('docs/audit.md', 'utf8').split('\n## Events\n');
  const kinds = [...events.matchAll(/^\| `([a-z.]+)` /gm)].map(([, kind]) => kind).filter((kind) => kind !== 'what');
  expect(kinds.length).toBeGreaterThan(30);
  expect(kindChoices.map(({ value }) => value).sort()).toEqual(kinds.sort());
  expect(new Set(kindChoices.map(({ label }) => label)).size).toBe(kindChoices.length);
});

const event = (parts: Partial<AuditEvent>): AuditEvent => ({
  ...{ _id: '1', who: 'a', whom: null, what: 'setup.data', when: '2026-11-27T10:00:50.000Z' },
  ...{ address: '127.0.0.1', method: 'password' },
  ...parts,
});
const field = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false } as const;
const model = { name: 'book', fields: { title: field, team_id: { ...field, link: 'team' } } } as object as Model;

test.each([
  [event({}), 'Loaded setup data'],
  [event({ what: 'document.change', model: 'book' }), 'Changed a document'],
  [event({ what: 'document.change', paths: ['title'] }), 'Changed Title'],
  [event({ what: 'document.change', paths: ['title', 'team_id'] }), 'Changed Title and Team'],
  [event({ what: 'new.kind' }), 'new.kind'],
])('%j: %s', (given, text) => {
  expect(eventText(given, model)).toBe(text);
});

test.each<[string, readonly Partial<AuditEvent>[], readonly number[]]>([
  ['nothing', [], []],
  ['equal ones', [{}, {}, {}], [3]],
  ['others between them', [{}, { who: 'b' }, {}], [1, 1, 1]],
  ['another document', [{ whom: '1' }, { whom: '2' }], [1, 1]],
  ['other fields', [{ paths: ['a'] }, { paths: ['b'] }], [1, 1]],
  ['a later minute', [{}, { when: '2026-11-27T09:59:50.000Z' }], [1, 1]],
  ['records of several', [{ count: 5 }, { count: 2 }], [7]],
])('equal events of one minute are one: %s', (_, events, times) => {
  expect(folded(events.map(event)).map((one) => one.times)).toEqual(times);
});
