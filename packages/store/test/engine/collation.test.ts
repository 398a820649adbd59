/** Collations of collections, indexes and commands: validation, inheritance and effects. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ClientSession, Collection, Document } from 'mongodb';
import { storeInFolder, storeInMemory } from '../opened.ts';

const noCase = { locale: 'en', strength: 2 } as const;
const noAccents = { locale: 'en', strength: 1 } as const;
const shown = {
  locale: 'en',
  caseLevel: false,
  caseFirst: 'off',
  strength: 2,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
  version: '57.1',
};

const opened = storeInMemory();
const c = (): Collection => opened.db.collection('c');
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 0,
    ({ code }: { code: unknown }) => code,
  );

beforeEach(() => opened.db.dropDatabase());

describe('a valid collation', () => {
  test.each<[Document, Document | undefined]>([
    [noCase, shown],
    [{ locale: 'en' }, { ...shown, strength: 3 }],
    [{ ...shown }, shown],
    [
      { locale: 'en', strength: 1, caseLevel: true, caseFirst: 'upper' },
      { strength: 1, caseLevel: true, caseFirst: 'upper' },
    ],
    [{ locale: 'th' }, { alternate: 'shifted' }],
    [{ locale: 'da' }, { caseFirst: 'upper' }],
    [{ locale: 'fr_CA' }, { locale: 'fr_CA', backwards: true }],
    [{ locale: 'en_US_POSIX' }, { locale: 'en_US_POSIX' }],
    [{ locale: 'de@collation=phonebook' }, { locale: 'de@collation=phonebook' }],
    [{ locale: 'simple' }, undefined],
  ])('%j is listed with all its options', async (collation, listed) => {
    await opened.db.createCollection('c', { collation: collation as never });
    await c().createIndex({ a: 1 });
    const [description] = await opened.db.listCollections().toArray();
    const [id, a] = await c().indexes();
    if (listed === undefined)
      expect([(description as Document | undefined)?.['options'], id?.collation, a?.collation]).toEqual([
        {},
        undefined,
        undefined,
      ]);
    else {
      expect(description).toMatchObject({ options: { collation: listed }, idIndex: { collation: listed } });
      expect([id, a]).toMatchObject([{ collation: listed }, { collation: listed }]);
    }
  });

  test.each<[string, Document, number]>([
    ['strength 4', { locale: 'en', strength: 4 }, 115],
    ['strength 5', { locale: 'en', strength: 5 }, 115],
    ['strength 6', { locale: 'en', strength: 6 }, 2],
    ['strength 1.5', { locale: 'en', strength: 1.5 }, 2],
    ['a strength in words', { locale: 'en', strength: 'two' }, 14],
    ['a case level beside strength 2', { locale: 'en', strength: 2, caseLevel: true }, 115],
    ['upper case first without case', { locale: 'en', strength: 2, caseFirst: 'upper' }, 2],
    ['backwards accents where the locale has none', { locale: 'en', backwards: true }, 115],
    ['backwards accents without accents', { locale: 'fr_CA', strength: 1 }, 2],
    ['only spaces shifted', { locale: 'en', alternate: 'shifted', maxVariable: 'space' }, 115],
    ['an unknown choice', { locale: 'en', caseFirst: 'maybe' }, 2],
    ['a flag that is not a boolean', { locale: 'en', numericOrdering: 1 }, 14],
    ['an unknown locale', { locale: 'nowhere' }, 2],
    ['a locale that is not canonical', { locale: 'en-US' }, 2],
    ['a locale in another letter case', { locale: 'EN' }, 2],
    ['an empty locale', { locale: '' }, 2],
    ['an unknown order of a locale', { locale: 'en@collation=phonebook' }, 115],
    ['another version', { locale: 'en', version: '1' }, 161],
    ['no locale', { strength: 2 }, 40414],
    ['an unknown option', { locale: 'en', shape: 1 }, 40415],
    ['options beside simple', { locale: 'simple', strength: 2 }, 9],
  ])('%s is refused everywhere', async (_what, collation, code) => {
    const commands: Document[] = [
      { create: 'x', collation },
      { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', collation }] },
      { find: 'c', collation },
      { count: 'c', collation },
      { distinct: 'c', key: 'a', collation },
      { aggregate: 'c', pipeline: [], cursor: {}, collation },
      { findAndModify: 'c', remove: true, collation },
    ];
    await c().insertOne({ a: 1 });
    for (const command of commands)
      expect([command, await codeOf(opened.db.command(command))]).toEqual([command, code]);
    for (const command of [
      { update: 'c', updates: [{ q: {}, u: { $set: { b: 1 } }, collation }] },
      { delete: 'c', deletes: [{ q: {}, limit: 0, collation }] },
    ])
      expect(await opened.db.command(command)).toMatchObject({ writeErrors: [{ code }] });
    expect(await c().find().toArray()).toMatchObject([{ a: 1 }]);
  });

  test('an empty collation means none in a query, and is invalid in a definition', async () => {
    expect(await codeOf(opened.db.command({ find: 'c', collation: {} }))).toBe(0);
    expect(await codeOf(opened.db.command({ create: 'c', collation: {} }))).toBe(2);
    const indexes = [{ key: { a: 1 }, name: 'a', collation: {} }];
    expect(await codeOf(opened.db.command({ createIndexes: 'c', indexes }))).toBe(2);
  });
});

test('a collection can be created again with the same collation only', async () => {
  const create = (more: Document) => codeOf(opened.db.command({ create: 'c', ...more }));
  expect(await create({ collation: noCase })).toBe(0);
  expect(await create({ collation: { ...noCase, caseLevel: false } })).toBe(0);
  expect(await create({})).toBe(48);
  expect(await create({ collation: noAccents })).toBe(48);
});

describe('a collection with a collation', () => {
  beforeEach(async () => {
    await opened.db.createCollection('c', { collation: noCase });
    await c().insertMany(['b', 'A', 'a', 'B', 'ä', 1].map((a, _id) => ({ _id, a }) as never));
  });

  test('queries and writes use it unless they set another one', async () => {
    const simple = { collation: { locale: 'simple' } };
    expect(await c().countDocuments({ a: 'A' })).toBe(2);
    expect(await c().countDocuments({ a: 'A' }, simple)).toBe(1);
    expect(await c().countDocuments({ a: 'A' }, { collation: noAccents })).toBe(3);
    expect(await c().countDocuments({ a: { $in: ['A', 'x'] } })).toBe(2);
    expect(await c().countDocuments({ a: { $gte: 'B' } })).toBe(2);
    expect(await c().countDocuments({ a: /^A/ })).toBe(1);
    expect(await c().countDocuments({ $expr: { $eq: ['$a', 'A'] } })).toBe(2);
    expect(await opened.db.command({ count: 'c', query: { a: 'A' } })).toMatchObject({ n: 2 });
    expect(await c().distinct('a')).toEqual(['b', 'A', 'ä', 1]);
    expect(await c().distinct('a', {}, simple)).toEqual(['b', 'A', 'a', 'B', 'ä', 1]);
    expect((await c().find().sort({ a: 1, _id: 1 }).toArray()).map(({ a }) => a as unknown)).toEqual([
      1,
      'A',
      'a',
      'ä',
      'b',
      'B',
    ]);
    expect((await c().updateMany({ a: 'A' }, { $set: { b: 1 } })).modifiedCount).toBe(2);
    expect(await c().findOneAndUpdate({ a: 'Ä' }, { $set: { b: 1 } })).toMatchObject({ _id: 4 });
    expect((await c().deleteMany({ a: 'A' }, simple)).deletedCount).toBe(1);
    expect((await c().deleteMany({ a: 'B' })).deletedCount).toBe(2);
  });

  test('pipelines use it', async () => {
    const run = (stages: Document[], more = {}): Promise<Document[]> => c().aggregate(stages, more).toArray();
    expect(await run([{ $match: { a: 'A' } }, { $count: 'n' }])).toEqual([{ n: 2 }]);
    expect(await run([{ $group: { _id: '$a', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])).toEqual([
      { _id: 1, n: 1 },
      { _id: 'A', n: 2 },
      { _id: 'ä', n: 1 },
      { _id: 'b', n: 2 },
    ]);
    expect(await run([{ $group: { _id: '$a' } }], { collation: { locale: 'simple' } })).toHaveLength(6);
    const compared = {
      is: { $eq: ['$a', 'B'] },
      c: { $cmp: ['$a', 'B'] },
      in: { $in: ['$a', ['B']] },
      fold: { $strcasecmp: ['$a', 'B'] },
    };
    expect(await run([{ $match: { _id: 0 } }, { $project: compared }])).toEqual([
      { _id: 0, is: true, c: 0, in: true, fold: 0 },
    ]);
    const buckets = { $bucket: { groupBy: '$a', boundaries: ['A', 'B', 'C'], default: 'other' } };
    expect(await run([{ $match: { a: { $type: 'string' } } }, buckets])).toEqual([
      { _id: 'A', count: 3 },
      { _id: 'B', count: 2 },
    ]);
    await opened.db.collection('plain').insertMany([{ name: 'a' }, { name: 'B' }]);
    const lookup = { $lookup: { from: 'plain', localField: 'a', foreignField: 'name', as: 'found' } };
    expect(await run([lookup, { $match: { found: { $size: 1 } } }])).toHaveLength(4);
  });

  test('it applies to `_id`, whose index can have no other', async () => {
    await c().insertOne({ _id: 'x' as never });
    expect(await codeOf(c().insertOne({ _id: 'X' as never }))).toBe(11000);
    expect(await c().findOne({ _id: 'X' as never })).toEqual({ _id: 'x' });
    expect(await codeOf(c().createIndex({ _id: 1 }))).toBe(0);
    expect(await codeOf(c().createIndex({ _id: 1 }, { collation: { locale: 'simple' } }))).toBe(2);
    const idIndex = { key: { _id: 1 }, name: '_id_', collation: noAccents };
    expect(await codeOf(opened.db.command({ create: 'y', collation: noCase, idIndex }))).toBe(2);
  });

  test('a transaction may replace an `_id` by one that differs in case', async () => {
    await c().insertOne({ _id: 'x' as never });
    const replace = async (session: ClientSession): Promise<void> => {
      await c().deleteOne({ _id: 'x' as never }, { session });
      await c().insertOne({ _id: 'X' as never }, { session });
    };
    await c().db.client.withSession((session) => session.withTransaction(replace));
    expect(
      await c()
        .find({ _id: 'x' as never })
        .toArray(),
    ).toEqual([{ _id: 'X' }]);
    await c().db.client.withSession(async (session) => {
      session.startTransaction();
      expect(await codeOf(c().insertOne({ _id: 'x' as never }, { session }))).toBe(11000);
      await session.abortTransaction();
    });
  });

  test('$out and renaming keep it', async () => {
    await opened.db.collection('from').insertMany([{ a: 'Q' }, { a: 'q' }]);
    await opened.db
      .collection('from')
      .aggregate([{ $out: 'c' }])
      .toArray();
    expect(await c().countDocuments({ a: 'q' })).toBe(2);
    await c().rename('d');
    expect(await opened.db.collection('d').countDocuments({ a: 'q' })).toBe(2);
  });

  test("$merge needs a unique index with the pipeline's collation", async () => {
    await opened.db.collection('into').createIndex({ a: 1 }, { unique: true });
    const merge = (collation?: Document): Promise<unknown> =>
      codeOf(
        c()
          .aggregate(
            [{ $match: { _id: { $lt: 2 } } }, { $merge: { into: 'into', on: 'a' } }],
            collation && { collation: collation as never },
          )
          .toArray(),
      );
    expect([await merge(), await merge({ locale: 'simple' })]).toEqual([51183, 0]);
  });

  test('a change stream does not inherit it', async () => {
    const stream = (options = {}) => c().watch([{ $match: { 'fullDocument.a': 'NEW' } }], options);
    const [plain, collated] = [stream(), stream({ collation: noCase })];
    await Promise.all([plain.tryNext(), collated.tryNext()]);
    await c().insertMany([{ a: 'new' }, { a: 'NEW' }]);
    expect(await collated.next()).toMatchObject({ fullDocument: { a: 'new' } });
    expect(await plain.next()).toMatchObject({ fullDocument: { a: 'NEW' } });
    await Promise.all([plain.close(), collated.close()]);
  });

  test('a text index must explicitly have none', async () => {
    expect(await codeOf(c().createIndex({ a: 'text' }))).toBe(67);
    await c().createIndex({ a: 'text' }, { collation: { locale: 'simple' } });
    expect(await c().countDocuments({ $text: { $search: 'b' } })).toBe(2);
  });
});

describe('an index with a collation', () => {
  test.each([
    ['strength 2', noCase, ['Ann@x.org', 'ANN@X.ORG'], ['änn@x.org']],
    ['strength 1', noAccents, ['Ann@x.org', 'änn@X.org'], ['bnn@x.org']],
    ['strength 3', { locale: 'en' }, ['\u00e9', 'e\u0301'], ['e', 'E']],
  ] as const)('unique with %s', async (_what, collation, [first, same], others) => {
    await c().createIndex({ email: 1 }, { unique: true, collation });
    await c().insertMany([{ email: first }, ...others.map((email) => ({ email }))]);
    const clash = await c()
      .insertOne({ email: same })
      .catch((error: unknown) => error);
    expect(clash).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: same } });
    expect(await codeOf(c().updateOne({ email: others[0] }, { $set: { email: same } }))).toBe(11000);
    expect(await codeOf(c().updateOne({ email: first }, { $set: { email: same } }))).toBe(0);
    expect(await c().findOne({ email: first }, { collation })).toMatchObject({ email: same });
    expect(await c().countDocuments()).toBe(1 + others.length);
  });

  test("cannot be unique over duplicates, but accepts duplicates within one document's array", async () => {
    await c().insertMany([{ a: ['x', 'X', 'y'] }, { a: ['z', 'Z'] }]);
    await c().createIndex({ a: 1 }, { unique: true, collation: noCase });
    expect(await codeOf(c().insertOne({ a: 'Z' }))).toBe(11000);
    await c().updateOne({ a: 'z' }, { $set: { a: ['w'] } });
    expect(await codeOf(c().insertMany([{ a: 'Z' }, { b: 'B' }]))).toBe(0);
    await c().updateOne({ b: 'B' }, { $set: { b: 'b', a: 'v' } });
    await c().insertOne({ b: 'B', a: 'u' });
    expect(
      await codeOf(c().createIndex({ b: 1 }, { unique: true, collation: noCase, partialFilterExpression: { b: 'b' } })),
    ).toBe(11000);
    expect(await codeOf(c().createIndex({ b: 1 }, { unique: true, partialFilterExpression: { b: 'b' } }))).toBe(0);
  });

  test('can coexist with others on the same key; they are distinguished by name', async () => {
    await c().createIndex({ a: 1 });
    expect(await codeOf(c().createIndex({ a: 1 }, { collation: noCase }))).toBe(86);
    expect(await c().createIndex({ a: 1 }, { collation: noCase, name: 'no_case' })).toBe('no_case');
    expect(await codeOf(c().createIndex({ a: 1 }, { collation: { ...shown }, name: 'no_case' }))).toBe(0);
    expect(await codeOf(c().find().hint({ a: 1 }).toArray())).toBe(27);
    expect(await codeOf(c().find().hint('no_case').toArray())).toBe(0);
    expect(await codeOf(opened.db.command({ dropIndexes: 'c', index: { a: 1 } }))).toBe(181);
    await c().dropIndex('no_case');
    expect((await c().indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1']);
  });
});

describe('a unique text index', () => {
  test('has one key per word, with the score of the word', async () => {
    await c().createIndex({ kind: 1, a: 'text' }, { unique: true });
    await c().insertMany([{ kind: 1, a: 'apple' }, { kind: 2, a: 'apple' }, { kind: 1 }, { kind: 1 }]);
    const clash = await c()
      .insertOne({ kind: 1, a: 'Apple' })
      .catch((error: unknown) => error);
    expect(clash).toMatchObject({
      code: 11000,
      keyPattern: { kind: 1, _fts: 'text', _ftsx: 1 },
      keyValue: { kind: 1, _fts: 'appl', _ftsx: 1 },
    });
    // one of two words scores lower
    expect(await codeOf(c().insertOne({ _id: 'two' as never, kind: 1, a: 'apple tree' }))).toBe(0);
    expect(await codeOf(c().insertOne({ kind: 1, a: 'tree house' }))).toBe(11000);
    expect(await codeOf(c().updateOne({ kind: 2 }, { $set: { kind: 1 } }))).toBe(11000);
    await c().updateOne({ _id: 'two' as never }, { $set: { a: 'pear' } });
    expect(await codeOf(c().insertOne({ kind: 1, a: 'tree house' }))).toBe(0);
    await c().deleteOne({ a: 'pear' });
    expect(await codeOf(c().insertOne({ kind: 1, a: 'pear' }))).toBe(0);
    expect(await c().countDocuments({ $text: { $search: 'pear' } })).toBe(1);
  });

  test('is not created over conflicting documents', async () => {
    await c().insertMany([{ a: 'apple' }, { a: 'apples' }, { a: 'pear' }, { a: 'pear' }]);
    expect(await codeOf(c().createIndex({ a: 'text' }, { unique: true }))).toBe(11000);
    expect(await c().indexes()).toHaveLength(1);
  });

  test('a document that a text index refuses leaves no trace', async () => {
    await c().createIndex({ a: 'text' });
    expect(await codeOf(c().insertOne({ a: 'x', language: 'klingon' }))).toBe(17262);
    expect(await c().find().toArray()).toEqual([]);
  });
});

describe('in the data file', () => {
  const folder = storeInFolder();

  test('collations of collections and indexes are persistent', async () => {
    await folder.db.createCollection('c', { collation: noCase });
    await folder.db.collection('d').createIndex({ a: 1 }, { unique: true, collation: noAccents });
    await folder.db.collection('c').insertMany([{ a: 'x' }, { a: 'X' }]);
    await folder.db.collection('d').insertOne({ a: 'x' });
    await folder.reopen();
    expect(await folder.db.collection('c').countDocuments({ a: 'x' })).toBe(2);
    expect((await folder.db.collection('c').indexes())[0]?.collation).toEqual(shown);
    expect(await codeOf(folder.db.collection('d').insertOne({ a: 'X' }))).toBe(11000);
  });
});
