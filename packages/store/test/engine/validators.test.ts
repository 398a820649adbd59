/** Validators of collections: which writes they refuse, and what the error says. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Collection, Decimal128, type Document, Int32 } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const people = (): Collection<Numbered> => store.db.collection('people');
const schema = {
  bsonType: 'object',
  required: ['name', 'age'],
  properties: {
    name: { bsonType: 'string', description: 'is a text', minLength: 2 },
    age: { bsonType: 'int', minimum: 0 },
    tags: { bsonType: 'array', items: { bsonType: 'string' }, uniqueItems: true },
  },
};
const ann = { name: 'Ann', age: 41 };

beforeEach(async () => {
  await store.db.createCollection('people', { validator: { $jsonSchema: schema } });
  await people().insertOne({ _id: 1, ...ann });
});

const errorOf = async (asked: Promise<unknown>): Promise<Document> =>
  asked.then(
    () => ({}),
    (error: unknown) => error as Document,
  );

const refusedInserts: readonly (readonly [what: string, doc: Document, rules: readonly Document[]])[] = [
  [
    'a missing field',
    { name: 'Bob' },
    [{ operatorName: 'required', specifiedAs: { required: ['name', 'age'] }, missingProperties: ['age'] }],
  ],
  [
    'a wrong type',
    { name: 'Bob', age: 'old' },
    [
      {
        operatorName: 'properties',
        propertiesNotSatisfied: [
          {
            propertyName: 'age',
            details: [
              {
                operatorName: 'bsonType',
                specifiedAs: { bsonType: 'int' },
                reason: 'type did not match',
                consideredValue: 'old',
                consideredType: 'string',
              },
            ],
          },
        ],
      },
    ],
  ],
  [
    'a short text, with the description',
    { name: 'B', age: 1 },
    [
      {
        operatorName: 'properties',
        propertiesNotSatisfied: [
          {
            propertyName: 'name',
            details: [
              {
                operatorName: 'minLength',
                description: 'is a text',
                specifiedAs: { minLength: 2 },
                reason: 'specified string length was not satisfied',
                consideredValue: 'B',
              },
            ],
          },
        ],
      },
    ],
  ],
];

describe('a validator with a schema', () => {
  test.each(refusedInserts)('refuses %s and says why', async (_what, doc, schemaRulesNotSatisfied) => {
    const error = await errorOf(people().insertOne({ _id: 2, ...doc }));
    expect(error).toMatchObject({ code: 121, errmsg: 'Document failed validation' });
    expect(error['errInfo']).toEqual({
      failingDocumentId: 2,
      details: { operatorName: '$jsonSchema', schemaRulesNotSatisfied },
    });
    expect(await people().countDocuments()).toBe(1);
  });

  const writes: readonly (readonly [what: string, write: (more: Document) => Promise<unknown>])[] = [
    ['insertMany', (more) => people().insertMany([{ _id: 2, name: 'Bob' }], more)],
    ['updateOne', (more) => people().updateOne({ _id: 1 }, { $set: { age: 'x' } }, more)],
    ['an update by a pipeline', (more) => people().updateOne({ _id: 1 }, [{ $set: { age: 'x' } }], more)],
    ['updateMany', (more) => people().updateMany({}, { $unset: { name: 1 } }, more)],
    ['replaceOne', (more) => people().replaceOne({ _id: 1 }, { name: 'Ann' }, more)],
    ['an upsert', (more) => people().updateOne({ _id: 2 }, { $set: { name: 'Bob' } }, { upsert: true, ...more })],
    ['findOneAndUpdate', (more) => people().findOneAndUpdate({ _id: 1 }, { $set: { age: -1 } }, more)],
    ['bulkWrite', (more) => people().bulkWrite([{ insertOne: { document: { _id: 2 } } }], more)],
    [
      '$merge',
      (more) =>
        store.db
          .collection('others')
          .aggregate([{ $project: { age: 1 } }, { $merge: 'people' }], more)
          .toArray(),
    ],
    [
      '$out',
      (more) =>
        store.db
          .collection('others')
          .aggregate([{ $out: 'people' }], more)
          .toArray(),
    ],
  ];

  test.each(writes)('concerns %s, unless it is bypassed', async (_what, write) => {
    await store.db.collection<Numbered>('others').insertOne({ _id: 5, age: 'x' });
    expect(await errorOf(write({}))).toMatchObject({ code: 121 });
    expect(await people().find().toArray()).toEqual([{ _id: 1, ...ann }]);
    await write({ bypassDocumentValidation: true });
    expect(await people().find().toArray()).not.toEqual([{ _id: 1, ...ann }]);
  });

  test('concerns transactions', async () => {
    const session = store.db.client.startSession();
    session.startTransaction();
    expect(await errorOf(people().insertOne({ _id: 2 }, { session }))).toMatchObject({ code: 121 });
    await session.endSession();
  });

  test('accepts what meets it, in the type of each number', async () => {
    await people().insertOne({ _id: 2, name: 'Bob', age: new Int32(0), tags: ['a', 'b'] });
    for (const age of [1.5, Decimal128.fromString('1'), 2 ** 40])
      expect(await errorOf(people().insertOne({ _id: 3, name: 'Eve', age }))).toMatchObject({ code: 121 });
    for (const tags of [['a', 'a'], [1], 'a'])
      expect(await errorOf(people().insertOne({ _id: 3, ...ann, tags }))).toMatchObject({ code: 121 });
  });

  test('is listed, survives a restart and a $out', async () => {
    const listed = async (): Promise<unknown> => (await store.db.listCollections({ name: 'people' }).toArray())[0];
    const options = { validator: { $jsonSchema: schema } };
    expect(await listed()).toMatchObject({ options });
    await store.db.collection<Numbered>('others').insertOne({ _id: 5, ...ann });
    await store.db
      .collection('others')
      .aggregate([{ $out: 'people' }])
      .toArray();
    await store.reopen();
    expect(await listed()).toMatchObject({ options });
    expect(await errorOf(people().insertOne({ _id: 2 }))).toMatchObject({ code: 121 });
    await people().rename('persons');
    expect(await errorOf(store.db.collection<Numbered>('persons').insertOne({ _id: 2 }))).toMatchObject({ code: 121 });
  });

  test('of an ordered insert stops it; of an unordered one it concerns one document', async () => {
    const docs = [{ _id: 2, ...ann }, { _id: 3 }, { _id: 4, ...ann }];
    await errorOf(people().insertMany(docs, { ordered: false }));
    expect(await people().distinct('_id')).toEqual([1, 2, 4]);
  });

  test('says little about many refused documents', async () => {
    const docs = Array.from({ length: 200 }, (_, n) => ({ _id: n + 2, name: 'Bob', age: 'z'.repeat(30_000) }));
    const { writeErrors } = await errorOf(people().insertMany(docs, { ordered: false }));
    const infos = (writeErrors as { err: Document }[]).map(({ err }) => err['errInfo'] !== undefined);
    expect(infos).toHaveLength(200);
    expect(infos[0]).toBe(true);
    expect(infos.at(-1)).toBe(infos.length < 200);
  });
});

describe('a validator with conditions', () => {
  test('refuses by fields and expressions, and names the clause', async () => {
    await store.db.createCollection('c', { validator: { n: { $gt: 5 }, $expr: { $lt: ['$n', '$max'] } } });
    const c = store.db.collection<Numbered>('c');
    await c.insertOne({ _id: 1, n: 6, max: 7 });
    const low = await errorOf(c.insertOne({ _id: 2, n: 4, max: 7 }));
    expect((low['errInfo'] as Document)['details']).toEqual({
      operatorName: '$and',
      clausesNotSatisfied: [
        {
          index: 0,
          details: {
            operatorName: '$gt',
            specifiedAs: { n: { $gt: 5 } },
            reason: 'condition did not match',
            consideredValue: 4,
          },
        },
      ],
    });
    expect(await errorOf(c.insertOne({ _id: 2, n: 8, max: 7 }))).toMatchObject({ code: 121 });
  });

  test('compares with the collation of its collection', async () => {
    const collation = { locale: 'en', strength: 2 };
    await store.db.createCollection('c', { validator: { kind: { $in: ['big', 'small'] } }, collation });
    const c = store.db.collection<Numbered>('c');
    await c.insertOne({ _id: 1, kind: 'BIG' }, {});
    expect(await errorOf(c.insertOne({ _id: 2, kind: 'huge' }))).toMatchObject({ code: 121 });
  });

  test.each<[string, Document, number]>([
    ['an unknown operator', { a: { $noSuch: 1 } }, 2],
    ['an invalid schema', { $jsonSchema: { noSuch: 1 } }, 9],
    ['an invalid expression', { $expr: { $noSuch: 1 } }, 168],
    ['$text', { $text: { $search: 'x' } }, 224],
    ['$where', { $where: '1' }, 115],
    ['a variable', { $expr: { $eq: ['$a', '$$mine'] } }, 17276],
  ])('with %s is refused', async (_what, validator, code) => {
    expect(await errorOf(store.db.createCollection('bad', { validator }))).toMatchObject({ code });
    expect(await errorOf(store.db.command({ collMod: 'people', validator }))).toMatchObject({ code });
    expect(await store.db.listCollections({ name: 'bad' }).toArray()).toEqual([]);
  });
});

describe('collMod', () => {
  const change = (more: Document): Promise<unknown> => store.db.command({ collMod: 'people', ...more });
  const old = { _id: 9, name: 1 };

  beforeEach(async () => {
    await people().insertOne(old, { bypassDocumentValidation: true });
  });

  test('changes the level: moderate spares what did not meet the validator before', async () => {
    const write = (): Promise<unknown> => people().updateOne({ _id: 9 }, { $set: { name: 2 } });
    expect(await errorOf(write())).toMatchObject({ code: 121 });
    await change({ validationLevel: 'moderate' });
    await write();
    expect(await errorOf(people().updateOne({ _id: 1 }, { $set: { name: 2 } }))).toMatchObject({ code: 121 });
    expect(await errorOf(people().insertOne({ _id: 3 }))).toMatchObject({ code: 121 });
    await change({ validationLevel: 'off' });
    await people().insertOne({ _id: 3 });
  });

  test('changes the action: with warn, validate counts the documents', async () => {
    expect(await store.db.command({ validate: 'people' })).toMatchObject({ nNonCompliantDocuments: 1, valid: true });
    await change({ validationAction: 'warn' });
    await people().insertOne({ _id: 3 });
    expect(await store.db.command({ validate: 'people' })).toMatchObject({ nNonCompliantDocuments: 2 });
  });

  test('changes and removes the validator, also over a restart', async () => {
    await change({ validator: { name: 'Bob' } });
    await store.reopen();
    expect(await errorOf(people().insertOne({ _id: 3, ...ann }))).toMatchObject({ code: 121 });
    await people().insertOne({ _id: 3, name: 'Bob' });
    await change({ validator: {} });
    await people().insertOne({ _id: 4 });
  });

  test.each([
    [{ validationLevel: 'high' }, 2],
    [{ validationAction: 'panic' }, 2],
    [{ validator: 1 }, 14],
  ])('refuses %j', async (more, code) => {
    expect(await errorOf(change(more))).toMatchObject({ code });
  });
});
