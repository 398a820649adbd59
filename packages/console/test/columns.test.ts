/** The columns that a table has at first, and dates near to now. */
import { expect, test } from '@jest/globals';
import { firstColumns, isLong } from '../src/api/fields.ts';
import type { Field, OwnModel } from '../src/api/models.ts';
import { movedBy, readKept } from '../src/documents/table-look.ts';
import { exactText, nearText } from '../src/parts/dates.ts';

const field = (input: Field['input'], more: Partial<Field> = {}): Field => ({
  ...{ type: 'String', input, required: false, unique: false, index: false, array: false },
  ...more,
});

const modelOf = (fields: Readonly<Record<string, Field>>, hidden: readonly string[] = []): OwnModel => ({
  ...{ name: 'one', collection: 'ones', fields, perms: {}, indexes: [], callable_statics: {} },
  advanced_queries: { query: true, aggregate: true, bulkwrite: false },
  rights: {
    model: 'one',
    rows: { c: 'all', r: 'all', u: 'all', d: 'all' },
    fields: Object.fromEntries(Object.keys(fields).map((path) => [path, hidden.includes(path) ? 'u' : 'ru'])),
  },
});

test('the first columns are the title, choices, links, short values, dates, lists and long texts', () => {
  const fields = {
    _id: field('id'),
    notes: field('text'),
    tags: field('text', { array: true }),
    createdAt: field('date'),
    opened: field('date'),
    seats: field('number'),
    team_id: field('id', { link: 'team' }),
    done: field('boolean'),
    name: field('text'),
    state: field('text', { enum: ['open', 'closed'] }),
  };
  expect(firstColumns(modelOf(fields))).toEqual(['name', 'done', 'state', 'team_id', 'seats', 'opened', 'tags']);
  expect(firstColumns(modelOf(fields, ['name', 'done', 'seats']))).toEqual([
    ...['state', 'team_id', 'opened', 'tags', 'notes'],
  ]);
});

test.each([
  ['notes', field('text'), true],
  ['address.description', field('text'), true],
  ['notes', field('text', { maxlength: 40 }), false],
  ['title', field('text', { maxlength: 200 }), true],
  ['title', field('text'), false],
  ['notes', field('number'), false],
  ['notes', field('text', { array: true }), false],
])('%s %j is long: %s', (path, given, expected) => {
  expect(isLong(path, given)).toBe(expected);
});

const now = new Date(2026, 10, 27, 12, 30).getTime();
const from = (seconds: number): string => new Date(now + seconds * 1000 + 1).toISOString();
const dayOf = (day: number): string => new Date(Date.UTC(2026, 10, day)).toISOString();

test.each([
  [from(-50), '50 seconds ago'],
  [from(3 * 3600), 'in 3 hours'],
  [from(-29 * 86_400), '4 weeks ago'],
  [from(-31 * 86_400), 'Oct 27, 2026'],
  [dayOf(26), 'yesterday'],
  [dayOf(27), 'today'],
  [dayOf(30), 'in 3 days'],
  ['1999-03-05T00:00:00.000Z', 'Mar 5, 1999'],
  ['never', 'never'],
])('%s is shown as %s', (value, text) => {
  expect(nearText(value, now)).toBe(text);
});

test.each([
  ['1999-03-05T00:00:00.000Z', 'Friday, March 5, 1999'],
  ['never', 'never'],
])('%s is exactly %s', (value, text) => {
  expect(exactText(value)).toBe(text);
});

test.each([
  [null, { widths: {} }],
  ['', { widths: {} }],
  ['{', { widths: {} }],
  ['[1]', { widths: {} }],
  ['{"columns":"a","widths":[1]}', { widths: {} }],
  [
    '{"columns":["a",1,"b"],"widths":{"a":100.4,"b":"9","c":1,"d":1e9}}',
    { columns: ['a', 'b'], widths: { a: 100, c: 60, d: 900 } },
  ],
  ['{"widths":{"__proto__":{"a":1}}}', { widths: {} }],
])('a table that was kept as %s is read as %j', (text, kept) => {
  expect(readKept(text)).toEqual(kept);
});

test.each([
  ['b', -1, ['b', 'a', 'c']],
  ['b', 1, ['a', 'c', 'b']],
  ['a', -1, ['a', 'b', 'c']],
  ['c', 1, ['a', 'b', 'c']],
  ['a', 2, ['b', 'c', 'a']],
])('%s moved by %i', (path, places, expected) => {
  expect(movedBy(['a', 'b', 'c'], path, places)).toEqual(expected);
});
