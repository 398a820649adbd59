/**
 * The keys of documents in indexes of every kind, what they make unique, and that queries by these indexes find what a scan finds.
 * Sources: MongoDB's manual, "Sparse Indexes", "Partial Indexes", "Multikey Indexes" and "Unique Indexes".
 */
import { describe, expect, test } from '@jest/globals';
import { EJSON } from 'bson';
import { StoreError } from 'dossier-language/errors';
import type { Document } from 'mongodb';
import { readIndexSpec } from '../../src/engine/index-spec.ts';
import { IndexTree } from '../../src/engine/index-tree.ts';
import { memoryTrees } from '../../src/engine/pages/tree-space.ts';
import { storeInMemory } from '../opened.ts';

/** A missing field, and an empty array at the end of a path; both differ from null. */
const gone = Symbol('missing');
const none = Symbol('empty array');
type Part = symbol | null | number | Document;

/** A document without `n`, and its values as indexes see them: of `a`, and of `a.b` with `a.c` for each member. */
interface Shape {
  readonly doc: Document;
  readonly a: readonly Part[];
  readonly members: readonly (readonly [b: Part, c: Part])[];
}

const shape = (doc: Document, a: readonly Part[], members: Shape['members']): Shape => ({ doc, a, members });

const shapes: readonly Shape[] = [
  shape({}, [gone], [[gone, gone]]),
  shape({ a: null }, [null], [[gone, gone]]),
  shape({ a: 5 }, [5], [[gone, gone]]),
  shape({ a: {} }, [{}], [[gone, gone]]),
  shape({ a: { b: null } }, [{ b: null }], [[null, gone]]),
  shape({ a: { b: 1, c: 2 } }, [{ b: 1, c: 2 }], [[1, 2]]),
  shape({ a: { b: [] } }, [{ b: [] }], [[none, gone]]),
  shape(
    { a: { b: [null, 1] } },
    [{ b: [null, 1] }],
    [null, 1].map((b) => [b, gone] as const),
  ),
  shape(
    { a: { b: [[], 1] } },
    [{ b: [[], 1] }],
    [[], 1].map((b) => [b, gone] as const),
  ),
  shape({ a: [] }, [none], [[gone, gone]]),
  shape({ a: [null] }, [null], [[gone, gone]]),
  shape({ a: [5, 6] }, [5, 6], [[gone, gone]]),
  shape({ a: [[]] }, [[]], [[gone, gone]]),
  shape({ a: [[{ b: 1 }]] }, [[{ b: 1 }]], [[gone, gone]]),
  shape({ a: [{}] }, [{}], [[gone, gone]]),
  shape({ a: [{ b: null }] }, [{ b: null }], [[null, gone]]),
  shape({ a: [{ b: 1 }] }, [{ b: 1 }], [[1, gone]]),
  shape(
    { a: [{ b: [] }, { b: 3 }] },
    [{ b: [] }, { b: 3 }],
    [none, 3].map((b) => [b, gone] as const),
  ),
  shape(
    { a: [{ b: 2 }, {}, { c: 4 }] },
    [{ b: 2 }, {}, { c: 4 }],
    [
      [2, gone],
      [gone, gone],
      [gone, 4],
    ],
  ),
  shape(
    { a: [5, { b: 4, c: null }] },
    [5, { b: 4, c: null }],
    [
      [gone, gone],
      [4, null],
    ],
  ),
];

/** An index, its values of a shape beside a value of `n`, and whether it leaves out a document. */
interface Kind {
  readonly key: Document;
  readonly options?: Document;
  readonly valuesOf: (shape: Shape, n: Part) => readonly (readonly Part[])[];
  readonly leavesOut?: (shape: Shape, n: Part) => boolean;
}

const ofList = ({ a }: Shape): readonly Part[][] => a.map((value) => [value]);
const ofMembers = ({ members }: Shape): readonly Part[][] => members.map(([b]) => [b]);
const withNumber = ({ members }: Shape, n: Part): readonly Part[][] => members.map(([b]) => [n, b]);
const ofBoth = ({ members }: Shape): readonly Part[][] => members.map(([b, c]) => [b, c]);
const sparse = { sparse: true };

const kinds: Readonly<Record<string, Kind>> = {
  list: { key: { a: 1 }, valuesOf: ofList },
  'sparse list': { key: { a: -1 }, options: sparse, valuesOf: ofList },
  member: { key: { 'a.b': 1 }, valuesOf: ofMembers },
  'sparse member': { key: { 'a.b': 1 }, options: sparse, valuesOf: ofMembers },
  'sparse member, folded': {
    key: { 'a.b': 1 },
    options: { ...sparse, collation: { locale: 'en', strength: 2 } },
    valuesOf: ofMembers,
  },
  compound: { key: { n: 1, 'a.b': -1 }, valuesOf: withNumber },
  'sparse compound': { key: { n: 1, 'a.b': 1 }, options: sparse, valuesOf: withNumber },
  'sparse members': { key: { 'a.b': 1, 'a.c': 1 }, options: sparse, valuesOf: ofBoth },
  'partial by a member': {
    key: { 'a.b': 1 },
    options: { partialFilterExpression: { 'a.b': { $exists: true } } },
    valuesOf: ofMembers,
    leavesOut: ({ members }) => members.every(([b]) => b === gone),
  },
  'partial by another field': {
    key: { 'a.b': 1 },
    options: { partialFilterExpression: { n: { $gt: 0 } } },
    valuesOf: ofMembers,
    leavesOut: (_shape, n) => n === gone,
  },
};

/** A key as text: a missing field has that of null. */
const shown = (values: readonly unknown[]): string =>
  JSON.stringify(
    values.map((value) => (value === none || value === undefined ? 'none' : [value === gone ? null : value])),
  );

const isSparse = ({ options }: Kind): boolean => options?.['sparse'] === true;

/** The keys of a document by the manual. */
function keysOf(kind: Kind, one: Shape, n: Part): ReadonlySet<string> {
  if (kind.leavesOut?.(one, n) === true) return new Set();
  const all = kind.valuesOf(one, n);
  return new Set(all.filter((values) => !isSparse(kind) || values.some((value) => value !== gone)).map(shown));
}

const docOf = ({ doc }: Shape, n: Part): Document => (n === gone ? doc : { ...doc, n });

const filters: readonly Document[] = [
  ...['a', 'a.b', 'a.c'].flatMap((path) =>
    [
      ...[null, 1, 2, 5, [], {}, { b: 1 }],
      ...[{ $exists: true }, { $exists: false }, { $gt: 1 }, { $lte: 2 }, { $gte: null }, { $lt: {} }],
      ...[{ $in: [null, 1] }, { $in: [[], 3] }, { $in: [] }, { $ne: null }, { $ne: 1 }, { $nin: [1, null] }],
      ...[{ $type: 'array' }, { $type: 'null' }, { $type: 'number' }, { $type: ['null', 'object'] }, { $size: 0 }],
      ...[{ $all: [null] }, { $all: [1] }, { $not: { $gt: 1 } }, { $gt: 0, $lt: 2 }, { $mod: [2, 0] }],
    ].map((condition) => ({ [path]: condition })),
  ),
  ...[{ b: 1 }, { b: null }, { b: { $exists: true } }, { b: { $exists: false } }, { c: 4 }, { $gt: 4 }].map(
    (condition) => ({ a: { $elemMatch: condition } }),
  ),
  { 'a.b': null, n: 1 },
  { 'a.b': { $exists: true }, n: 1 },
  { 'a.b': 1, n: { $gt: 0 } },
  { 'a.b': 1, 'a.c': 2 },
  { $or: [{ 'a.b': 1 }, { 'a.b': null }] },
  {
    $or: [
      { n: 1, 'a.b': 3 },
      { n: 1, 'a.b': { $exists: true } },
    ],
  },
];

const opened = storeInMemory();

const treeOf = ({ key, options }: Kind, more: Document = {}): IndexTree =>
  IndexTree.make(readIndexSpec({ key, name: 'i', ...options, ...more }), memoryTrees);

describe.each(Object.entries(kinds))('%s', (_name, kind) => {
  test.each(shapes.flatMap((one) => [gone, 1].map((n) => ({ one, n, doc: EJSON.stringify(docOf(one, n)) }))))(
    'the keys of $doc',
    ({ one, n }) => {
      const { keys } = treeOf(kind).keysOf(docOf(one, n));
      expect(keys.map(shown).toSorted()).toEqual([...keysOf(kind, one, n)].toSorted());
    },
  );

  test('two documents with one key', () => {
    const codeOf = (one: Document, other: Document): unknown => {
      const tree = treeOf(kind, { unique: true });
      tree.add(tree.keysOf(one), 1, []);
      try {
        tree.checkUnique(tree.keysOf(other), 2, 't.keys');
        return 0;
      } catch (error) {
        return error instanceof StoreError ? error.code : error;
      }
    };
    const pairs = [gone, 1].flatMap((n) => shapes.flatMap((one) => shapes.map((other) => ({ n, one, other }))));
    for (const { n, one, other } of pairs) {
      const docs = [docOf(one, n), docOf(other, n)] as const;
      const keys = keysOf(kind, one, n);
      const code = [...keysOf(kind, other, n)].some((key) => keys.has(key)) ? 11000 : 0;
      expect({ docs, code: codeOf(...docs) }).toEqual({ docs, code });
    }
  });

  test('queries, counts and values by the index are those of a scan', async () => {
    await opened.db.dropCollection('keys').catch(() => false);
    const all = opened.db.collection('keys');
    const docs = [gone, 1, null].flatMap((n) => shapes.map((one) => docOf(one, n)));
    await all.insertMany(docs.map((doc, _id) => ({ ...doc, _id: _id as never })));
    const scan = { hint: { $natural: 1 } } as const;
    const plain = async (filter: Document, options: Document) =>
      (await all.find(filter, { projection: { _id: 1 }, ...options }).toArray())
        .map(({ _id }) => Number(_id))
        .toSorted();
    const expected = await Promise.all(
      filters.map(async (filter) => ({
        ...{ filter, found: await plain(filter, scan), count: await all.countDocuments(filter, scan) },
        values: EJSON.stringify((await all.distinct('a.b', filter)).map(shownValue).toSorted()),
      })),
    );
    await all.createIndex(kind.key, { name: 'i', ...kind.options });
    for (const { filter, ...wanted } of expected) {
      const found = await plain(filter, {});
      const values = EJSON.stringify((await all.distinct('a.b', filter)).map(shownValue).toSorted());
      expect({ filter, found, count: await all.countDocuments(filter), values }).toEqual({ filter, ...wanted });
    }
    expect(await opened.db.command({ validate: 'keys' })).toMatchObject({ valid: true });
  });
});

const shownValue = (value: unknown): string => EJSON.stringify(value);
