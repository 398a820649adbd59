/** What the store reports about its commands, sessions and collections. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Document, type Long, MongoClient, type Timestamp, UUID } from 'mongodb';
import { History } from '../../src/engine/changes/history.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import { storeInMemory } from '../opened.ts';

const opened = storeInMemory();
const admin = (command: Document): Promise<Document> => opened.db.client.db('admin').command(command);
const things = () => opened.db.collection<Document & { _id: number }>('things');

/** Documents that make a pipeline run until it is killed. */
const endless = [
  { $set: { a: { $range: [0, 1000] }, b: { $range: [0, 1000] }, c: { $range: [0, 1000] } } },
  ...['$a', '$b', '$c'].map((path) => ({ $unwind: path })),
  { $count: 'n' },
];

beforeEach(async () => {
  await things().deleteMany({});
  await things().insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
});

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.each(['currentOp', '$currentOp'] as const)('%s', (name) => {
  const running = async (): Promise<readonly Document[]> =>
    name === 'currentOp'
      ? ((await admin({ currentOp: 1 }))['inprog'] as Document[])
      : opened.db.client
          .db('admin')
          .aggregate([{ $currentOp: { allUsers: true, idleSessions: false } }])
          .toArray();

  /** The operation with a comment, while it runs. */
  async function seen(comment: string, pipeline: readonly Document[] = endless): Promise<Document> {
    const client = await MongoClient.connect(opened.url, { appName: 'reports' });
    const session = client.startSession();
    const work = client
      .db('t')
      .collection('things')
      .aggregate([...pipeline], { session, comment })
      .toArray();
    const ended = expect(work).rejects.toMatchObject({ code: 11601 });
    const found = await until(async () =>
      (await running()).find(({ command }) => (command as Document)['comment'] === comment),
    );
    await admin({ killOp: 1, op: found['opid'] as number });
    await ended;
    expect((found['lsid'] as Document)['id']).toEqual(session.id?.id);
    await session.endSession();
    await client.close();
    return found;
  }

  test('shows the collection, the client and the command with its values', async () => {
    const found = await seen('why');
    expect(found).toMatchObject({
      type: 'op',
      active: true,
      op: 'command',
      ns: 't.things',
      appName: 'reports',
      clientMetadata: { application: { name: 'reports' }, driver: { name: 'nodejs' } },
      command: { aggregate: 'things', pipeline: endless, comment: 'why', $db: 't', cursor: {} },
    });
    expect(found['client']).toMatch(/^(anonymous unix socket|127\.0\.0\.1:\d+)$/);
    expect(found['connectionId']).toEqual(expect.any(Number));
    expect((found['lsid'] as Document)['uid']).toBeDefined();
  });

  test('shows a long command in short, with its comment', async () => {
    const long = 'z'.repeat(name === 'currentOp' ? 2000 : 2_000_000);
    const { command, ns } = await seen('long', [{ $set: { long } }, ...endless]);
    expect(ns).toBe('t.things');
    expect((command as Document)['$truncated']).toMatch(/^\{"aggregate":"things","pipeline":"\.\.\."/);
    expect(JSON.stringify(command).length).toBeLessThan(2000);
  });

  test('shows a getMore by its collection', async () => {
    const events = things().watch([], { maxAwaitTimeMS: 60_000 });
    const waiting = events.next();
    const found = await until(async () => (await running()).find(({ op }) => op === 'getmore'));
    expect(found).toMatchObject({ ns: 't.things', command: { collection: 'things' } });
    await things().insertOne({ _id: 4 });
    await waiting;
    await events.close();
  });
});

test('currentOp shows the operations of the asking connection', async () => {
  const { inprog } = await admin({ currentOp: 1, $ownOps: true });
  expect(inprog).toEqual([expect.objectContaining({ ns: 'admin.$cmd', op: 'command' })]);
});

test.each<[object, number]>([
  [{ idleConnections: true }, 115],
  [{ idleCursors: true }, 115],
  [{ idleSessions: true }, 115],
  [{ backtrace: true }, 115],
  [{ targetAllNodes: true }, 115],
  [{ allUsers: 'yes' }, 14],
  [{ other: true }, 40415],
])('$currentOp with %j is refused', async (options, code) => {
  const shown = admin({ aggregate: 1, pipeline: [{ $currentOp: options }], cursor: {} });
  await expect(shown).rejects.toMatchObject({ code });
});

test('currentOp of all connections is refused, and that of running commands is not', async () => {
  await expect(admin({ currentOp: 1, $all: true })).rejects.toMatchObject({ code: 115 });
  await expect(admin({ currentOp: 1, $all: false })).resolves.toMatchObject({ ok: 1 });
});

test('getMore with maxTimeMS is refused where the cursor does not wait for data, and the cursor stays open', async () => {
  const { cursor } = await opened.db.command({ find: 'things', batchSize: 1 });
  const { id } = cursor as { readonly id: unknown };
  const more = (options: object): Promise<Document> =>
    opened.db.command({ getMore: id, collection: 'things', ...options });
  await expect(more({ maxTimeMS: 100 })).rejects.toMatchObject({ code: 2 });
  expect(((await more({}))['cursor'] as Document)['nextBatch']).toHaveLength(2);
});

describe('killAllSessions', () => {
  test('aborts transactions and closes cursors of all sessions', async () => {
    const session = opened.db.client.startSession();
    session.startTransaction();
    await things().insertOne({ _id: 9 }, { session });
    const cursor = things().find({}, { batchSize: 1 });
    await cursor.next();
    await admin({ killAllSessions: [] });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    await expect(cursor.toArray()).rejects.toMatchObject({ code: 43 });
    expect(await things().countDocuments()).toBe(3);
    await session.endSession();
  });

  test('concerns no sessions of other users', async () => {
    const cursor = things().find({}, { batchSize: 1 });
    await cursor.next();
    await admin({ killAllSessions: [{ user: 'ann', db: 'admin' }] });
    expect(await cursor.toArray()).toHaveLength(2);
  });
});

describe('the use of collections', () => {
  test('is counted by top and $collStats', async () => {
    const before = ((await admin({ top: 1 }))['totals'] as Document)['t.things'] as Document;
    await things().insertOne({ _id: 5 });
    await things().find().toArray();
    await things().updateOne({ _id: 5 }, { $set: { a: 1 } });
    const after = ((await admin({ top: 1 }))['totals'] as Document)['t.things'] as Document;
    const grown = (name: string): number =>
      ((after[name] as Document)['count'] as number) - ((before[name] as Document)['count'] as number);
    expect(['insert', 'queries', 'update', 'remove', 'total'].map(grown)).toEqual([1, 1, 1, 0, 3]);
    const [stats] = await things()
      .aggregate([{ $collStats: { latencyStats: {}, storageStats: { scale: 2 }, count: {} } }], {
        promoteLongs: false,
      })
      .toArray();
    const { reads, writes, commands } = stats?.['latencyStats'] as Record<string, { ops: Long; latency: Long }>;
    expect(Number(reads?.ops)).toBeGreaterThan(0);
    expect(Number(reads?.latency)).toBeGreaterThan(0);
    expect(Number(writes?.ops)).toBeGreaterThan(Number(commands?.ops));
    expect(stats).toMatchObject({ ns: 't.things', storageStats: { scaleFactor: 2 } });
  });

  test.each([
    [{ queryExecStats: {} }, 115],
    [{ latencyStats: { histograms: true } }, 115],
    [{ noSuchOption: {} }, 40415],
  ])('$collStats refuses %j', async (options, code) => {
    await expect(
      things()
        .aggregate([{ $collStats: options }])
        .toArray(),
    ).rejects.toMatchObject({ code });
  });
});

describe('validate', () => {
  test('checks the documents and the keys of each index', async () => {
    await things().createIndex({ tags: 1 });
    await things().updateOne({ _id: 1 }, { $set: { tags: ['a', 'b'] } });
    expect(await opened.db.command({ validate: 'things', full: true })).toMatchObject({
      ns: 't.things',
      nrecords: 3,
      nInvalidDocuments: 0,
      nIndexes: 2,
      keysPerIndex: { _id_: 3, tags_1: 4 },
      indexDetails: { _id_: { valid: true }, tags_1: { valid: true } },
      valid: true,
      errors: [],
    });
    await expect(opened.db.command({ validate: 'none' })).rejects.toMatchObject({ code: 26 });
    await expect(opened.db.command({ validate: 'things', repair: true })).rejects.toMatchObject({ code: 115 });
  });
});

describe('the server', () => {
  test('is the only member of its replica set', async () => {
    const { set, myState, members } = await admin({ replSetGetStatus: 1 });
    const { setName, me } = await admin({ hello: 1 });
    expect({ set, myState }).toEqual({ set: setName as unknown, myState: 1 });
    expect(members).toEqual([expect.objectContaining({ name: me as unknown, stateStr: 'PRIMARY', self: true })]);
  });

  test('has default concerns, and a profiler that is off', async () => {
    expect(await admin({ getDefaultRWConcern: 1 })).toMatchObject({
      defaultReadConcern: { level: 'local' },
      defaultWriteConcern: { w: 'majority', wtimeout: 0 },
    });
    expect(await opened.db.command({ profile: -1 })).toMatchObject({ was: 0, slowms: 100 });
    expect(await opened.db.command({ profile: 0 })).toMatchObject({ was: 0 });
    await expect(opened.db.command({ profile: 2 })).rejects.toMatchObject({ code: 115 });
  });

  test('lists its commands', async () => {
    const { commands } = await admin({ listCommands: 1 });
    expect(commands).toMatchObject({
      find: { requiresAuth: true, apiVersions: ['1'] },
      listCommands: { help: expect.any(String) as unknown },
      ping: { requiresAuth: false },
    });
  });

  test('lists the sessions', async () => {
    const session = opened.db.client.startSession();
    await things().findOne({}, { session });
    const listed = await opened.db.client
      .db('admin')
      .aggregate([{ $listLocalSessions: {} }])
      .toArray();
    const ids = listed.map(({ _id: { id } }) => new UUID((id as { buffer: Uint8Array }).buffer).toString());
    expect(ids).toContain(new UUID((session.id?.id as unknown as { buffer: Uint8Array }).buffer).toString());
    await session.endSession();
    const none = [{ $listLocalSessions: { users: [{ user: 'ann', db: 'admin' }] } }];
    expect(await opened.db.client.db('admin').aggregate(none).toArray()).toEqual([]);
  });
});

test('the majority time of hello is that of the last write that was acknowledged', async () => {
  const timesNow = async (): Promise<readonly bigint[]> => {
    const { lastWrite, operationTime } = await admin({ hello: 1 });
    const { opTime, majorityOpTime } = lastWrite as Record<string, { readonly ts: Timestamp }>;
    return [opTime, majorityOpTime, { ts: operationTime as Timestamp }].map((time) => time?.ts.toBigInt() ?? 0n);
  };
  const before = await timesNow();
  await things().insertOne({ _id: 4 });
  const after = await timesNow();
  expect([new Set(before).size, new Set(after).size]).toEqual([1, 1]);
  expect(after[0]).toBeGreaterThan(before[0] ?? 0n);
});

test('a change under way is later than the majority time until it is on disk', () => {
  const history = new History(defaultLimits);
  const ns = { db: 't', coll: 'things' };
  const add = () => history.add('t', 'things', { operationType: 'insert', clusterTime: history.tick(), ns });
  add();
  const { next, now } = history;
  expect(history.visibleNow.lessThan(now)).toBe(true);
  add();
  history.announce(next, now);
  expect(history.visibleNow.equals(now)).toBe(true);
});
