/** Concurrent transactions, what they create besides documents, and their change events. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ClientSession, Collection, Document } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const c = (): Collection<Numbered> => store.db.collection('c');

beforeEach(async () => {
  await c().insertMany([{ _id: 1 }, { _id: 2 }]);
});

/** Runs work with sessions that each have an open transaction. */
async function withTransactions(count: number, work: (...sessions: ClientSession[]) => Promise<void>): Promise<void> {
  const sessions = Array.from({ length: count }, () => store.db.client.startSession());
  for (const session of sessions) session.startTransaction();
  try {
    await work(...sessions);
  } finally {
    for (const session of sessions) await session.endSession();
  }
}

const conflict = { code: 112, codeName: 'WriteConflict', errorLabels: ['TransientTransactionError'] };

describe('two transactions with conflicting writes', () => {
  type Write = (session: ClientSession) => Promise<unknown>;
  const set: Write = (session) => c().updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
  const remove: Write = (session) => c().deleteOne({ _id: 1 }, { session });
  const insert: Write = (session) => c().insertOne({ _id: 9 }, { session });
  const intoNew: Write = (session) => store.db.collection('new').insertOne({}, { session });
  const create: Write = (session) => store.db.createCollection('new', { session });
  const cases: readonly (readonly [string, Write, Write])[] = [
    ['update and update', set, set],
    ['update and delete', set, remove],
    ['delete and update', remove, set],
    [
      'delete and findAndModify',
      remove,
      (session) => c().findOneAndUpdate({ _id: 1 }, { $set: { a: 1 } }, { session }),
    ],
    ['update and updateMany', set, (session) => c().updateMany({}, { $set: { a: 1 } }, { session })],
    ['insert and insert', insert, insert],
    ['insert and insert into a new collection', intoNew, intoNew],
    ['create and create', create, create],
    ['create and insert', create, intoNew],
  ];

  test.each(cases)('conflict on the second write: %s', async (_what, first, second) => {
    await withTransactions(2, async (one, two) => {
      await first(one);
      await expect(second(two)).rejects.toMatchObject(conflict);
      await one.commitTransaction();
    });
  });

  test.each(cases)(
    'do not conflict when the first has ended before the second begins: %s',
    async (_what, first, second) => {
      for (const end of ['abortTransaction', 'endSession'] as const) {
        await withTransactions(1, async (one) => {
          await first(one);
          await one[end]();
        });
        await withTransactions(1, async (two) => {
          await second(two);
        });
      }
    },
  );

  test('do not conflict on different documents', async () => {
    await withTransactions(2, async (...sessions) => {
      for (const [at, session] of sessions.entries())
        await c().updateOne({ _id: at + 1 }, { $set: { n: at } }, { session });
      for (const session of sessions) await session.commitTransaction();
    });
    expect(await c().find().toArray()).toEqual([
      { _id: 1, n: 0 },
      { _id: 2, n: 1 },
    ]);
  });

  test('release their claims when one fails, and a retry by the driver succeeds', async () => {
    const add = (): Promise<unknown> =>
      store.db.client.withSession((session) => session.withTransaction(() => set(session)));
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await c().findOne({ _id: 1 })).toEqual({ _id: 1, n: 8 });
  });

  test('a single write wins, and the transaction fails at its next write or its commit', async () => {
    await withTransactions(1, async (one) => {
      const session = one;
      await set(session);
      await c().updateOne({ _id: 1 }, { $set: { m: 1 } });
      await expect(session.commitTransaction()).rejects.toMatchObject(conflict);
    });
    expect(await c().findOne({ _id: 1 })).toEqual({ _id: 1, m: 1 });
  });
});

describe('a transaction', () => {
  test('creates collections and indexes that exist after the commit and a restart', async () => {
    await withTransactions(1, async (one) => {
      const session = one;
      await store.db.createCollection('made', { session });
      await store.db.collection('made').createIndex({ a: 1 }, { unique: true, session });
      await store.db.collection('indexed').createIndex({ text: 'text' }, { session });
      await store.db.collection('made').insertOne({ a: 1 }, { session });
      await expect(store.db.collection('made').insertOne({ a: 1 })).resolves.toBeDefined();
      await store.db.collection('made').drop();
      await session.commitTransaction();
    });
    const names = async (collection: string): Promise<unknown> =>
      (await store.db.collection(collection).indexes()).map(({ name }) => name);
    for (const opening of ['before', 'after']) {
      if (opening === 'after') await store.reopen();
      expect(await names('made')).toEqual(['_id_', 'a_1']);
      expect(await names('indexed')).toEqual(['_id_', 'text_text']);
      await expect(store.db.collection('made').insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
    }
    await store.db.collection('indexed').insertOne({ text: 'hello' });
    expect(await store.db.collection('indexed').countDocuments({ $text: { $search: 'hello' } })).toBe(1);
  });

  type Work = (session: ClientSession) => Promise<unknown>;
  test.each<[string, Work, number]>([
    ['an existing collection', (session) => store.db.createCollection('c', { session }), 48],
    ['an index of an existing collection', (session) => c().createIndex({ a: 1 }, { session }), 263],
    ['a view', (session) => store.db.createCollection('v', { viewOn: 'c', session }), 263],
    ['a collection with an invalid name', (session) => store.db.command({ create: 'a$b' }, { session }), 73],
    ['a wrong index', (session) => store.db.collection('x').createIndex({ a: 0 }, { session }), 67],
    [
      'an index of a collection that it has created and filled',
      async (session) => {
        await store.db.collection('x').insertOne({}, { session });
        await store.db.collection('x').createIndex({ a: 1 }, { session });
      },
      263,
    ],
  ])('may not create %s, and creates nothing', async (_what, work, code) => {
    await withTransactions(1, async (one) => {
      await expect(work(one)).rejects.toMatchObject({ code });
      await one.abortTransaction();
    });
    expect((await store.db.listCollections().toArray()).map(({ name }) => name)).toEqual(['c']);
  });

  test('may create an existing index', async () => {
    await c().createIndex({ a: 1 });
    await withTransactions(1, async (one) => {
      expect(await c().createIndex({ a: 1 }, { session: one })).toBe('a_1');
      await one.commitTransaction();
    });
  });

  test('creates nothing if it is aborted', async () => {
    await withTransactions(1, async (one) => {
      await store.db.createCollection('made', { session: one });
      await one.abortTransaction();
    });
    expect(await store.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
  });

  test('is committed once if it only created collections', async () => {
    await withTransactions(1, async (one) => {
      const session = one;
      await store.db.createCollection('made', { session });
      await session.commitTransaction();
      await session.commitTransaction();
    });
    expect(await store.db.listCollections({ name: 'made' }).toArray()).toHaveLength(1);
  });
});

describe('the change events of a transaction', () => {
  test('have its session and number; those of single writes do not', async () => {
    const stream = c().watch();
    await stream.tryNext();
    await c().insertOne({ _id: 3 });
    const numbers = new Set<unknown>();
    let lsid: unknown;
    await withTransactions(1, async (one) => {
      const session = one;
      lsid = session.id?.id;
      await c().insertOne({ _id: 4 }, { session });
      await c().updateOne({ _id: 1 }, { $set: { a: 1 } }, { session });
      await c().deleteOne({ _id: 2 }, { session });
      await session.commitTransaction();
    });
    const single: Document = await stream.next();
    expect(Object.keys(single)).not.toContain('lsid');
    expect(Object.keys(single)).not.toContain('txnNumber');
    for (const operationType of ['insert', 'update', 'delete']) {
      const event: Document = await stream.next();
      expect(event).toMatchObject({ operationType, txnNumber: expect.any(Number), lsid: { id: lsid } });
      numbers.add(event['txnNumber']);
      expect((event['lsid'] as Document)['uid']).toMatchObject({ position: 32 });
    }
    expect(numbers.size).toBe(1);
    await stream.close();
  });
});
