/** Change events of collections, indexes and options, which streams show by `showExpandedEvents`; MongoDB's manual, "Change Events". */
import { expect, test } from '@jest/globals';
import type { Binary, Document, MongoClient } from 'mongodb';
import { storeInFolder } from '../opened.ts';

const store = storeInFolder();

interface Stream {
  readonly next: () => Promise<readonly Document[]>;
}

/** The events after the opening, without what differs between runs. */
async function watching(collection: string | 1, options: Document = {}): Promise<Stream> {
  const opened = await store.db.command({ aggregate: collection, pipeline: [{ $changeStream: options }], cursor: {} });
  const { id } = opened['cursor'] as Document;
  const inCommand = collection === 1 ? '$cmd.aggregate' : collection;
  return {
    next: async () => {
      const events: Document[] = [];
      for (;;) {
        const { cursor } = await store.db.command({ getMore: id, collection: inCommand, maxTimeMS: 50 });
        const { nextBatch } = cursor as { readonly nextBatch: Document[] };
        if (nextBatch.length === 0) return events;
        for (const { _id, clusterTime, wallTime, ...event } of nextBatch) {
          expect([_id, clusterTime, wallTime]).not.toContain(undefined);
          events.push(event);
        }
      }
    },
  };
}

const uuidOf = async (name: string): Promise<Binary> => {
  const [listed] = await store.db.listCollections({ name }, { nameOnly: false }).toArray();
  return (listed as { info: { uuid: Binary } }).info.uuid;
};
const ns = (coll: string): Document => ({ db: store.db.databaseName, coll });
const types = (events: readonly Document[]): unknown[] => events.map(({ operationType }) => operationType as unknown);
const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };

test('a collection: creation with its options, indexes, changes, rename and drop', async () => {
  const stream = await watching(1, { showExpandedEvents: true });
  await store.db.createCollection('c', { validator: { n: 1 }, collation: { locale: 'en' } });
  const collectionUUID = await uuidOf('c');
  const common = { ns: ns('c'), collectionUUID };
  expect(await stream.next()).toEqual([
    {
      operationType: 'create',
      ...common,
      operationDescription: {
        ...{ validator: { n: 1 }, collation: expect.objectContaining({ locale: 'en' }) },
        idIndex: { ...idIndex, collation: expect.objectContaining({ locale: 'en' }) },
      },
    },
  ]);
  const c = store.db.collection('c');
  await c.createIndexes([
    { key: { a: 1 }, name: 'a' },
    { key: { b: 1 }, name: 'b' },
  ]);
  await c.createIndex({ a: 1 }, { name: 'a' });
  const indexes = [
    expect.objectContaining({ key: { a: 1 }, name: 'a' }),
    expect.objectContaining({ key: { b: 1 }, name: 'b' }),
  ];
  expect(await stream.next()).toEqual([
    { operationType: 'createIndexes', ...common, operationDescription: { indexes } },
  ]);
  await store.db.command({ collMod: 'c', index: { name: 'a', hidden: true }, validationAction: 'warn' });
  expect(await stream.next()).toEqual([
    {
      operationType: 'modify',
      ...common,
      operationDescription: { index: { name: 'a', hidden: true }, validationAction: 'warn' },
      stateBeforeChange: {
        collectionOptions: { uuid: collectionUUID, validator: { n: 1 } },
        indexOptions: { hidden: false },
      },
    },
  ]);
  await store.db.command({ collMod: 'c', validator: {} });
  expect(await stream.next()).toMatchObject([
    { operationType: 'modify', stateBeforeChange: { collectionOptions: { validationAction: 'warn' } } },
  ]);
  await c.dropIndexes();
  expect(await stream.next()).toEqual(
    indexes.map((index) => ({ operationType: 'dropIndexes', ...common, operationDescription: { indexes: [index] } })),
  );
  await store.db.createCollection('taken');
  const dropTarget = await uuidOf('taken');
  await c.rename('taken', { dropTarget: true });
  await store.db.dropCollection('taken');
  expect((await stream.next()).slice(1)).toEqual([
    {
      ...{ operationType: 'rename', ...common, to: ns('taken') },
      operationDescription: { to: ns('taken'), dropTarget },
    },
    { operationType: 'drop', ns: ns('taken'), collectionUUID },
  ]);
});

test('a collection that a write creates: its event is before those of the documents, in transactions too', async () => {
  await expect(watching(1, { showExpandedEvents: 'yes' })).rejects.toMatchObject({ code: 14 });
  const stream = await watching(1, { showExpandedEvents: true });
  await store.db.collection('written').insertOne({});
  await store.db.collection('indexed').createIndex({ a: 1 });
  const { client } = store.db as unknown as { readonly client: MongoClient };
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await store.db.collection('committed').createIndex({ a: 1 }, { session });
      await store.db.collection('committed').insertOne({}, { session });
    }),
  );
  expect(
    (await stream.next()).map(({ operationType, ns: { coll } }) => [operationType as unknown, coll as unknown]),
  ).toEqual([
    ['create', 'written'],
    ['insert', 'written'],
    ['create', 'indexed'],
    ['createIndexes', 'indexed'],
    ['create', 'committed'],
    ['createIndexes', 'committed'],
    ['insert', 'committed'],
  ]);
});

test('other streams show none of it, nor its fields, and events of other collections are not shown', async () => {
  const plain = await watching(1);
  const expanded = await watching('own', { showExpandedEvents: true });
  const own = await store.db.createCollection('own');
  await store.db.createCollection('other');
  await own.createIndex({ a: 1 });
  await store.db.command({ collMod: 'own', validator: { a: 1 } });
  await expect(store.db.command({ collMod: 'own', index: { name: 'none', hidden: true } })).rejects.toThrow();
  await store.db.command({ collMod: 'own' });
  await own.rename('next');
  await store.db.dropCollection('next');
  expect(await plain.next()).toEqual([
    { operationType: 'rename', ns: ns('own'), to: ns('next') },
    { operationType: 'drop', ns: ns('next') },
  ]);
  expect(types(await expanded.next())).toEqual(['create', 'createIndexes', 'modify', 'rename', 'invalidate']);
});
