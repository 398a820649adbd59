/** Advice on indexes: right where one is missing, and silent where none is. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adviceOnStored, missingIndex, type StoredIndex, withoutPrefixes } from '../../src/features/indexes/advice.ts';
import { isById, shapeOf } from '../../src/features/indexes/shape.ts';
import type { ModelEntry } from '../../src/models/entry.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let film: ModelEntry;
beforeAll(async () => {
  server = await startServer({
    models: {
      'film.js': `const { Schema } = require('mongoose');
        module.exports = new Schema({ title: String, year: Number, genre: String, rating: Number, tags: [String],
          cast: [{ name: String, role: String }], crew: [{ name: String }], more: Schema.Types.Mixed,
          labels: { type: Map, of: String } }, { perms: { admin: 'crud' } });`,
    },
  });
  film = server.dossier.services.registry.get('film');
});
afterAll(() => server.close());

type Key = Readonly<Record<string, 1 | -1>>;
type Case = readonly [string, Record<string, unknown>, Key, Key];

const active = { _deleted: { $ne: true } };
const advised = (filter: Record<string, unknown>, sort: Key, keys: readonly StoredIndex['key'][] = []): unknown =>
  missingIndex(
    film.schema,
    shapeOf(film.schema, { ...filter, ...active }, sort),
    keys.map((key) => ({ key, isSpecial: false })),
  );

const byYear: Key = { year: -1, _id: 1 };

describe('an index is missing', () => {
  test.each([
    ['an equality', { genre: 'noir' }, { _id: 1 }, { genre: 1 }],
    ['several values', { genre: { $in: ['noir', 'drama'] } }, { _id: 1 }, { genre: 1 }],
    ['null', { genre: null }, { _id: 1 }, { genre: 1 }],
    ['a range', { year: { $gt: 1990 } }, { _id: 1 }, { year: 1 }],
    ['two equalities', { genre: 'noir', title: 'M' }, { _id: 1 }, { genre: 1, title: 1 }],
    ['an order', {}, byYear, byYear],
    ['an equality and an order', { genre: 'noir' }, byYear, { genre: 1, ...byYear }],
    ['a range and an equality', { year: { $gte: 1990 }, genre: 'noir' }, {}, { genre: 1, year: 1 }],
    ['all three', { rating: { $lt: 5 }, genre: 'noir' }, byYear, { genre: 1, ...byYear, rating: 1 }],
    ['an order by a given value', { year: 1931 }, byYear, { year: 1 }],
    ['a range of the order', { year: { $gt: 1990 } }, byYear, byYear],
    ['a list', { tags: 'old' }, { _id: 1 }, { tags: 1 }],
    ['a list and a value', { tags: 'old', genre: 'noir' }, { _id: 1 }, { tags: 1, genre: 1 }],
    ['two lists: only the first', { tags: 'old', 'cast.name': 'Lorre' }, { _id: 1 }, { tags: 1 }],
    ['two paths of one list', { 'cast.name': 'Lorre', 'cast.role': 'M' }, {}, { 'cast.name': 1, 'cast.role': 1 }],
    ['a position in a list', { 'cast.0.name': 'Lorre', genre: 'noir' }, {}, { genre: 1 }],
    ['a rule on rows', { $and: [{ genre: 'noir' }, { title: 'M' }] }, {}, { genre: 1, title: 1 }],
    ['an equality besides $ne', { genre: 'noir', title: { $ne: 'M' } }, {}, { genre: 1 }],
    ['an equality besides $or', { genre: 'noir', $or: [{ year: 1 }, { year: 2 }] }, {}, { genre: 1 }],
    ['both ends of a range', { year: { $gte: 1930, $lt: 1940 } }, {}, { year: 1 }],
  ] satisfies readonly Case[])('%s', (_name, filter, sort, index) => {
    expect(Object.entries(advised(filter, sort) ?? {})).toEqual(Object.entries(index));
  });
});

describe('no index is missing', () => {
  test.each([
    ['an id', { _id: '1', genre: 'noir' }, { _id: 1 }, []],
    ['nothing is asked', {}, { _id: 1 }, []],
    ['only $ne', { genre: { $ne: 'noir' } }, { _id: 1 }, []],
    ['only a pattern', { title: /x/ }, { _id: 1 }, []],
    ['a search for words', { $text: { $search: 'x' }, genre: 'noir' }, { _id: 1 }, []],
    ['a free-form value', { 'more.secret': 1 }, { _id: 1 }, []],
    ['one that has it', { genre: 'noir' }, { _id: 1 }, [{ genre: 1 }]],
    ['one that begins so', { genre: 'noir' }, { _id: 1 }, [{ genre: -1, year: 1 }]],
    ['equalities in another order', { genre: 'noir', title: 'M' }, {}, [{ title: 1, genre: 1 }]],
    ['the reversed order', {}, byYear, [{ year: 1, _id: -1 }]],
  ] satisfies readonly (readonly [string, Record<string, unknown>, Key, readonly Key[]])[])(
    '%s',
    (_name, filter, sort, keys) => {
      expect(advised(filter, sort, keys)).toBeUndefined();
    },
  );

  test('one that lacks documents serves nothing', () => {
    const { schema } = film;
    const shape = shapeOf(schema, { genre: 'noir' }, {});
    expect(missingIndex(schema, shape, [{ key: { genre: 1 }, isSpecial: true }])).toEqual({ genre: 1 });
  });
});

test('a shape has no values, and no names that are data', () => {
  const filter = {
    genre: { $in: ['hush'] },
    'more.hush': 'hush',
    'labels.hush': 'hush',
    hush: 1,
    $or: [{ title: /hush/ }, { title: 'hush' }, { $text: { $search: 'hush' } }],
  };
  const { text } = shapeOf(film.schema, filter, { 'more.hush': 1 });
  expect(text).not.toContain('hush');
  expect(text).toContain('{"genre":{"$in":"?"}}');
  expect(shapeOf(film.schema, { genre: 'a', year: 1 }, {}).text).toBe(
    shapeOf(film.schema, { year: 2, genre: 'b' }, {}).text,
  );
});

const since = new Date(0);
const index = (name: string, key: Key, more: Partial<StoredIndex> = {}): StoredIndex => ({
  ...{ name, key, unique: false, expires: false, isSpecial: false, uses: 3, since },
  ...more,
});

test('indexes that exist: the beginning of another one is redundant, and one without uses is unused', () => {
  const all = [
    index('_id_', { _id: 1 }, { uses: 0 }),
    index('a', { a: 1 }),
    index('a_b', { a: 1, b: 1 }),
    index('b', { b: 1 }, { uses: 0 }),
    index('only', { c: 1 }, { uses: 0, unique: true }),
    index('old', { d: 1 }, { uses: 0, expires: true }),
    index('part', { a: 1 }, { isSpecial: true }),
    index('added', { e: 1, _id: 1 }, { uses: 0 }),
  ];
  expect(adviceOnStored('film', all, (key) => 'e' in key)).toEqual([
    { model: 'film', index: { a: 1 }, reason: 'redundant', for: 'a_b', name: 'a', since },
    { model: 'film', index: { b: 1 }, reason: 'unused', for: 'b', name: 'b', since },
  ]);
});

test('no advice repeats the beginning of another', () => {
  const missing = (key: Key) => ({ model: 'film', index: key, reason: 'missing' as const, for: '', since });
  const kept = withoutPrefixes([
    missing({ a: 1 }),
    missing({ a: 1, b: 1 }),
    missing({ a: 1, b: 1 }),
    missing({ b: 1 }),
  ]);
  expect(kept.map((one) => one.index)).toEqual([{ a: 1, b: 1 }, { b: 1 }]);
});

test.each([
  ['an id', { _id: 'a' }, true],
  ['an id and rules', { _id: 'a', $or: [{ year: 1 }] }, true],
  ['ids in a condition of several', { $and: [{ _id: { $in: ['a', 'b'] } }, active] }, true],
  ['an id in nested conditions', { $and: [active, { $and: [{ _id: { $eq: 'a' } }] }] }, true],
  ['a range of ids', { _id: { $gt: 'a' } }, false],
  ['all but one id', { _id: { $ne: 'a' } }, false],
  ['one of several conditions', { $or: [{ _id: 'a' }, { year: 1 }] }, false],
  ['other values', { title: 'M', ...active }, false],
  ['nothing', {}, false],
] as const)('a search by %s is one by ids or not', (_name, filter, expected) => {
  expect(isById(filter)).toBe(expected);
});
