/** Transactions of clients that have gone, such as killed processes, before they ended them. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Binary, Long } from 'bson';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';
import { RawConnection } from '../server/raw.ts';

type Numbered = Document & { _id: number };

let store: OpenStore;
let client: MongoClient;
const c = (): Collection<Numbered> => client.db('t').collection('c');
beforeAll(async () => {
  store = await open({ thread: false });
  client = await MongoClient.connect(store.url);
});
afterAll(async () => {
  await client.close();
  await store.close();
});

let number = 0;
beforeEach(async () => {
  number += 1;
  await c().deleteMany({});
  await c().insertOne({ _id: 1 });
});

const conflict = { code: 112, errorLabels: ['TransientTransactionError'] };
const inTransaction = (): Document => ({
  lsid: { id: new Binary(Buffer.alloc(16, number), Binary.SUBTYPE_UUID) },
  txnNumber: Long.fromNumber(1),
  autocommit: false,
});
const set = (by: string): Document => ({ update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { by } } }], $db: 't' });

/** A client that has written a document in a transaction, which is open. */
async function openElsewhere(): Promise<RawConnection> {
  const connection = await RawConnection.to(store.address);
  const begun = await connection.command({ ...set('gone'), ...inTransaction(), startTransaction: true });
  expect(begun).toMatchObject({ ok: 1, n: 1 });
  return connection;
}

/** The client goes; the store has noticed it. */
async function leave(connection: RawConnection): Promise<void> {
  const connected = async (): Promise<number> =>
    ((await client.db('t').command({ serverStatus: 1 }))['connections'] as { readonly current: number }).current;
  const before = await connected();
  connection.close();
  while ((await connected()) >= before) await new Promise(setImmediate);
}

async function commitElsewhere(): Promise<Document | undefined> {
  const connection = await RawConnection.to(store.address);
  const done = await connection.command({ commitTransaction: 1, ...inTransaction() });
  connection.close();
  return done;
}

const writeHere = (): Promise<unknown> =>
  client.withSession(async (session) => {
    session.startTransaction();
    await c().updateOne({ _id: 1 }, { $set: { by: 'here' } }, { session });
    await session.commitTransaction();
  });

test('a transaction gives way to others once its client has gone, and not before', async () => {
  const connection = await openElsewhere();
  await expect(writeHere()).rejects.toMatchObject(conflict);
  await leave(connection);
  await writeHere();
  expect(await commitElsewhere()).toMatchObject({ ok: 0, ...conflict });
  expect(await c().findOne({ _id: 1 })).toMatchObject({ by: 'here' });
});

test('a transaction that others did not need can be committed by another connection', async () => {
  await leave(await openElsewhere());
  expect(await commitElsewhere()).toMatchObject({ ok: 1 });
  expect(await c().findOne({ _id: 1 })).toMatchObject({ by: 'gone' });
});

test('a transaction whose next statement comes by another connection does not give way', async () => {
  const connection = await openElsewhere();
  const next = await RawConnection.to(store.address);
  expect(await next.command({ ...set('gone'), ...inTransaction() })).toMatchObject({ ok: 1 });
  await leave(connection);
  await expect(writeHere()).rejects.toMatchObject(conflict);
  next.close();
});
