/** The limits of a store apply to every way to grow. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClientSession, type Collection, type Document, MongoClient } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';

type Numbered = Document & { _id: number };

const full = 14031;
const kilobyte = 1024;
const text = (kilobytes: number): string => 'x'.repeat(kilobytes * kilobyte);

describe('a store for ten documents and a hundred kilobytes', () => {
  let store: OpenStore;
  let client: MongoClient;
  let c: Collection<Numbered>;
  let session: ClientSession;
  const warnings: string[] = [];

  beforeEach(async () => {
    warnings.length = 0;
    store = await open({
      thread: false,
      limits: { documents: 10, dataBytes: 100 * kilobyte },
      onWarning: (message) => void warnings.push(message),
    });
    client = await MongoClient.connect(store.url);
    c = client.db('t').collection('c');
    session = client.startSession();
  });

  afterEach(async () => {
    await session.endSession();
    await client.close();
    await store.close();
  });

  const docs = (count: number, more: Document = {}, from = 0): Numbered[] =>
    Array.from({ length: count }, (_, n) => ({ _id: from + n, ...more }));

  interface Row {
    readonly what: string;
    readonly before: () => Promise<unknown>;
    readonly work: () => Promise<unknown>;
    /** The number of documents at the end. */
    readonly left: number;
  }

  const rows: readonly Row[] = [
    {
      what: 'an eleventh document',
      before: () => c.insertMany(docs(10)),
      work: () => c.insertOne({ _id: 10 }),
      left: 10,
    },
    {
      what: 'a document too large',
      before: () => c.insertMany(docs(3, { a: text(30) })),
      work: () => c.insertOne({ _id: 3, a: text(30) }),
      left: 3,
    },
    {
      what: 'an update that adds too much',
      before: () => c.insertMany(docs(5)),
      work: () => c.updateMany({}, { $set: { a: text(30) } }),
      left: 5,
    },
    {
      what: 'an eleventh document of a transaction',
      before: () => c.insertMany(docs(5)),
      work: () => session.withTransaction(() => c.insertMany(docs(6, {}, 5), { session })),
      left: 5,
    },
    {
      what: 'an update of a transaction that adds too much',
      before: () => c.insertMany(docs(5)),
      work: () => session.withTransaction(() => c.updateMany({}, { $set: { a: text(30) } }, { session })),
      left: 5,
    },
    {
      what: 'a transaction that finds the store full at its end',
      before: () => c.insertMany(docs(5)),
      work: async () => {
        session.startTransaction();
        await c.insertMany(docs(4, {}, 5), { session });
        await c.insertMany(docs(4, {}, 10));
        await session.commitTransaction();
      },
      left: 9,
    },
    {
      what: '$out of more than there is room for',
      before: () => c.insertMany(docs(6)),
      work: () => c.aggregate([{ $out: 'd' }]).toArray(),
      left: 6,
    },
  ];

  test.each(rows)('refuses $what', async ({ before, work, left }) => {
    await before();
    await expect(work()).rejects.toMatchObject({ code: full });
    expect(await c.countDocuments()).toBe(left);
  });

  test('a full store accepts internal collections and small growth until the reserve is used up', async () => {
    const books = client.db('t').collection<Numbered>('_books');
    await store.close();
    await client.close();
    const limits = { documents: 10, dataBytes: 100 * kilobyte, reserveDocuments: 2, reserveBytes: kilobyte };
    store = await open({ thread: false, limits });
    client = await MongoClient.connect(store.url);
    c = client.db('t').collection('c');
    await c.insertMany(docs(10, { a: text(9) }));
    await c.updateOne({ _id: 0 }, { $set: { a: text(19) } }).catch(() => undefined);
    const own = client.db('t').collection<Numbered>(books.collectionName);
    await own.insertMany(docs(2));
    await expect(own.insertOne({ _id: 3 })).rejects.toMatchObject({
      code: full,
      errInfo: { what: 'documents', limit: 10 },
    });
    await client.withSession((one) =>
      one.withTransaction(async () => {
        await own.deleteOne({ _id: 1 }, { session: one });
        await own.insertOne({ _id: 4 }, { session: one });
      }),
    );
    expect(await c.updateMany({}, { $set: { deleted: true } })).toMatchObject({ modifiedCount: 10 });
    expect(await c.deleteMany({})).toMatchObject({ deletedCount: 10 });
  });

  test('changes and replaces documents when it is full, and accepts as many as were removed', async () => {
    await c.insertMany(docs(10));
    expect(await c.updateMany({}, { $set: { a: 'longer' } })).toMatchObject({ modifiedCount: 10 });
    await session.withTransaction(async () => {
      await c.deleteMany({ _id: { $lt: 5 } }, { session });
      await c.insertMany(docs(5, {}, 10), { session });
    });
    expect(await c.countDocuments()).toBe(10);
    expect(warnings).toEqual([expect.stringContaining('half of its limit (10)')]);
  });
});
