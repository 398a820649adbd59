/** Fairness between writers: a long command yields between its statements, and each statement is executed once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Binary, type Document, Long } from 'bson';
import { type Collection, MongoClient } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';
import { RawConnection } from '../server/raw.ts';

const lsid = { id: new Binary(Buffer.alloc(16, 7), 4) };
const count = 1000;
const statementsOfBulk = 200;
/** Other writers at the same time. */
const writers = 8;

/** Each statement adds one to one document. */
const statements = Array.from({ length: count }, (_, n) => ({ q: { _id: n % 10 }, u: { $inc: { times: 1 } } }));
const additions: Document = { update: 'c', updates: statements, lsid, txnNumber: Long.ONE, $db: 't' };

describe('fairness between writers', () => {
  let store: OpenStore;
  let client: MongoClient;
  let c: Collection<Document & { _id: number }>;

  async function start(place: { readonly dir?: string } = {}): Promise<void> {
    store = await open({ ...place, thread: false, limits: { writeLockMs: 0, sliceMs: 0 } });
    client = await MongoClient.connect(store.url);
    c = client.db('t').collection('c');
    if ((await c.countDocuments()) === 0) await c.insertMany(Array.from({ length: 20 }, (_, n) => ({ _id: n })));
  }

  async function stop(): Promise<void> {
    await client.close();
    await store.close();
  }

  beforeEach(() => start());
  afterEach(() => stop());

  const total = async (): Promise<number> => {
    const [sum] = await c.aggregate([{ $group: { _id: null, times: { $sum: '$times' } } }]).toArray();
    return (sum?.['times'] as number | undefined) ?? 0;
  };

  /** Starts the additions and waits until another writer has written in between. */
  async function begin(): Promise<RawConnection> {
    const connection = await RawConnection.to(store.address);
    const answered = connection.command(additions);
    answered.catch(() => undefined);
    while ((await total()) === 0) await c.insertOne({ _id: Math.random() + 1000 });
    return connection;
  }

  test.each([
    [
      'update',
      statementsOfBulk,
      (n: number) => ({ updateOne: { filter: { _id: n % 20 }, update: { $inc: { seen: 1 } } } }),
    ],
    ['delete', 20, (n: number) => ({ deleteOne: { filter: { _id: n } } })],
    ['insert', statementsOfBulk, (n: number) => ({ insertOne: { document: { _id: 5000 + n } } })],
  ])('a long %s yields to other writers between its statements', async (_name, done, operation) => {
    const writeOther = () => client.db('t').collection('others').insertOne({});
    // all writers have connections when it begins
    await Promise.all(Array.from({ length: writers }, writeOther));
    let ended = false;
    const bulk = c.bulkWrite(Array.from({ length: statementsOfBulk }, (_, n) => operation(n))).then((result) => {
      ended = true;
      return result;
    });
    const written = await Promise.all(Array.from({ length: writers }, () => writeOther().then(() => !ended)));
    const { modifiedCount, deletedCount, insertedCount } = await bulk;
    expect(modifiedCount + deletedCount + insertedCount).toBe(done);
    // they are far fewer than the statements, so that all of them have their turn before the last one
    expect(written).toEqual(Array<boolean>(writers).fill(true));
  });

  describe('a statement about many documents', () => {
    /** It takes as many turns: far more than the writes meanwhile. */
    const many = 2000;
    beforeEach(() => c.insertMany(Array.from({ length: many }, (_, n) => ({ _id: 10_000 + n, n: 1 }))));

    const statements = {
      update: () => c.updateMany({ n: 1 }, { $inc: { done: 1 } }),
      delete: () => c.deleteMany({ n: 1 }),
    };
    const names = ['update', 'delete'] as const;
    const last = (before: number) => ({ _id: 10_000 + many - 1 - before });

    /** Starts one, waits until it has reached the first document, and writes before it reaches the last ones. */
    async function meanwhile(name: keyof typeof statements, write: () => Promise<unknown>): Promise<unknown> {
      const result = statements[name]().catch((error: unknown) => error);
      while ((await c.findOne({ _id: 10_000, done: { $exists: false } })) !== null)
        await client.db('t').collection('others').insertOne({});
      await write();
      return result;
    }

    test.each(names)('%s yields to other writers, and sees their writes', async (name) => {
      const result = await meanwhile(name, async () => {
        await c.updateOne(last(0), { $set: { n: 2 } });
        await c.deleteOne(last(1));
        await c.updateOne(last(2), { $set: { other: true } });
      });
      expect(result).toMatchObject({ [name === 'update' ? 'modifiedCount' : 'deletedCount']: many - 2 });
      expect(await c.findOne(last(0))).toEqual({ ...last(0), n: 2 });
      expect(await c.findOne(last(2))).toEqual(name === 'update' ? { ...last(2), n: 1, other: true, done: 1 } : null);
    });

    test.each(names)('%s fails when the collection is dropped meanwhile', async (name) => {
      expect(await meanwhile(name, () => c.drop())).toMatchObject({ code: 175 });
      expect(await c.countDocuments()).toBe(0);
    });
  });

  test('statements keep their order and their errors while others write', async () => {
    const clash = { insertOne: { document: { _id: 0 } } };
    const operations = [
      ...Array.from({ length: 50 }, (_, n) => ({ insertOne: { document: { _id: 2000 + n } } })),
      clash,
    ];
    const bulk = c.bulkWrite([...operations, ...operations], { ordered: false }).catch((error: unknown) => error);
    for (let n = 0; n < 20; n += 1) await c.insertOne({ _id: 3000 + n });
    const indexes = Array.from({ length: 52 }, (_, n) => 50 + n);
    expect(await bulk).toMatchObject({ writeErrors: indexes.map((index) => ({ index, code: 11000 })) });
  });

  test('a command retried while it runs is executed once', async () => {
    await begin();
    const again = await RawConnection.to(store.address);
    expect(await again.command(additions)).toMatchObject({ ok: 1, n: count, nModified: count });
    expect(await again.command(additions)).toMatchObject({ ok: 1, n: count, nModified: count });
    expect(await total()).toBe(count);
    again.close();
  });

  test('a command interrupted by a lost connection resumes where it stopped', async () => {
    (await begin()).close();
    const again = await RawConnection.to(store.address);
    expect(await again.command(additions)).toMatchObject({ ok: 1, n: count, nModified: count });
    expect(await total()).toBe(count);
    again.close();
  });

  test('a command interrupted by the end of the store resumes after the restart', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'turns-'));
    await stop();
    await start({ dir });
    await begin();
    await stop();
    await start({ dir });
    const again = await RawConnection.to(store.address);
    expect(await again.command(additions)).toMatchObject({ ok: 1, n: count, nModified: count });
    expect(await total()).toBe(count);
    again.close();
    await stop();
    rmSync(dir, { recursive: true });
    await start();
  });
});
