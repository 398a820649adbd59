/** What processes share: the same cases for each place where it is kept, with two of those that share it. */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Lease, SharedClock, SharedState } from '../../src/shared/contract.ts';
import { DatabaseState } from '../../src/shared/database.ts';
import { programClock } from '../../src/shared/database-clock.ts';
import { DatabaseRows } from '../../src/shared/database-rows.ts';
import { ProcessState } from '../../src/shared/process.ts';
import { type CallWorker, WorkerHub } from '../../src/workers/hub.ts';
import { WorkerPeers } from '../../src/workers/peers.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

interface Party {
  readonly shared: SharedState;
  /** Ends without giving anything back; undefined for a process that shares with itself. */
  readonly crash: (() => void) | undefined;
  readonly close: () => Promise<void>;
}

let now = 0;
const time = (): number => now;
const nothing = (): Promise<void> => Promise.resolve();

/** The server whose database two others share. */
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

function processes(): Party[] {
  const shared = new ProcessState(time);
  const party = { shared, crash: undefined, close: nothing };
  return [party, party];
}

function workers(): Party[] {
  const hub = new WorkerHub(time);
  return [1, 2].map(() => {
    let hasCrashed = false;
    const peers: WorkerPeers = new WorkerPeers(async (name, value) => {
      if (hasCrashed) throw new Error('the other process has ended');
      return connection.answer(name, value);
    });
    const call: CallWorker = async (name, value) => peers.answer(name, value);
    const connection = hub.join(call);
    const crash = (): void => {
      hasCrashed = true;
      connection.leave();
    };
    return { shared: peers, crash, close: nothing };
  });
}

/** A server that loses the database when it has crashed. */
function databaseServer(): Party & { readonly log: string[] } {
  const log: string[] = [];
  let hasCrashed = false;
  const given = programClock(() => new Date(now));
  const clock: SharedClock = {
    now: () => (hasCrashed ? Promise.reject(new Error('the database is away')) : given.now()),
    estimate: () => given.estimate(),
  };
  const { registry, log: server_log } = server.dossier.services;
  const shared = new DatabaseState({
    server: new ProcessState(time),
    rows: new DatabaseRows(registry, clock),
    clock,
    log: { ...server_log, warn: (message) => void log.push(message) },
  });
  return { shared, log, crash: () => void (hasCrashed = true), close: () => shared.close() };
}

const makers = { process: processes, primary: workers, database: () => [databaseServer(), databaseServer()] };

describe.each(['process', 'primary', 'database'] as const)('kept in the %s', (kind) => {
  let parties: Party[];
  let one: SharedState;
  let two: SharedState;
  beforeEach(() => {
    // each test begins where nothing of the one before is left
    now += 10_000_000;
    parties = makers[kind]();
    [one, two] = parties.map(({ shared }) => shared) as [SharedState, SharedState];
  });
  afterEach(async () => {
    for (const { close } of parties) await close();
  });
  const both = (): SharedState[] => [one, two];
  const totalOf = async (shared: SharedState, key: string, ms = 1000): Promise<number> =>
    (await shared.count(key, { ms })).totalHits;

  test('a count adds the events of both, by key, until its window ends', async () => {
    expect([await totalOf(one, 'a'), await totalOf(two, 'a'), await totalOf(one, 'b')]).toEqual([1, 2, 1]);
    const found = await two.counts(['b', 'none', 'a']);
    expect(found.map((hits) => hits?.totalHits)).toEqual([1, undefined, 2]);
    expect(found[0]?.resetTime).toEqual(new Date(now + 1000));
    now += 999;
    expect(await totalOf(one, 'a')).toBe(3);
    now += 1;
    expect(await two.counts(['a'])).toEqual([undefined]);
    expect([await totalOf(two, 'a'), await totalOf(one, 'a')]).toEqual([1, 2]);
  });

  test('a window that each event prolongs ends after the last one', async () => {
    const prolonged = async (shared: SharedState): Promise<number> =>
      (await shared.count('p', { ms: 1000, prolongs: true })).totalHits;
    const counted: number[] = [];
    for (const shared of [one, two, one]) {
      counted.push(await prolonged(shared));
      now += 900;
    }
    expect(counted).toEqual([1, 2, 3]);
    now += 100;
    expect(await prolonged(two)).toBe(1);
  });

  test('forty events at once are forty, also in a window that has just ended', async () => {
    for (let round = 0; round < 2; round++) {
      const totals = await Promise.all(
        Array.from({ length: 40 }, (_, at) => totalOf(both()[at % 2] ?? one, 'at once')),
      );
      expect(totals.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
      now += 1000;
    }
  });

  test.each([
    { max: 100, sent: 200 },
    { max: 20, sent: 60 },
    { max: 3, sent: 20 },
  ])('a limit of $max admits so many of both, and over servers at most a tenth more', async ({ max, sent }) => {
    const counters = both().map((shared) => shared.limit({ name: `max ${max}`, max, windowMs: 1000, spans: true }));
    const count = async (at: number): Promise<number> => (await counters[at % 2]?.('key'))?.totalHits ?? NaN;
    const totals: number[] = [];
    for (let at = 0; at < sent; at++) totals.push(await count(at));
    const admitted = totals.filter((total) => total <= max).length;
    expect(admitted).toBeGreaterThanOrEqual(max);
    expect(admitted).toBeLessThanOrEqual(kind === 'database' ? max + Math.max(2, max / 10) : max);
    now += 1001;
    expect(await count(0)).toBe(1);
  });

  test('a lease is held by one, and free when it is released', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => (both()[at % 2] ?? one).lease('l', 30_000)));
    const held = all.filter((lease): lease is Lease => lease !== undefined);
    expect(held).toHaveLength(1);
    expect(await two.lease('another', 30_000)).toBeDefined();
    await held[0]?.release();
    const next = await two.lease('l', 30_000);
    expect(next?.signal.aborted).toBe(false);
    expect(await one.lease('l', 30_000)).toBeUndefined();
    // the first holder has nothing to give back any more
    await held[0]?.release();
    expect(await one.lease('l', 30_000)).toBeUndefined();
    await next?.release();
  });

  test('the lease of a holder that has crashed is taken over when its time has ended, and lost for the holder', async () => {
    const lease = await one.lease('crash', 300);
    parties[0]?.crash?.();
    now += 299;
    if (kind === 'database') expect(await two.lease('crash', 300)).toBeUndefined();
    now += 1;
    const next = await two.lease('crash', 30_000);
    expect(next).toBeDefined();
    // a process cannot survive itself: there the holder finds that another one has it
    await until(() => Promise.resolve(lease?.signal.aborted === true));
    await lease?.release();
    expect(await two.lease('crash', 300)).toBeUndefined();
    await next?.release();
  });

  test('once is for one of both, until its time ends', async () => {
    const calls = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 20 }, (_, at) => (both()[at % 2] ?? one).once('job', 1000)));
    expect((await calls()).filter(Boolean)).toHaveLength(1);
    expect(await two.once('other job', 1000)).toBe(true);
    now += 1000;
    expect((await calls()).filter(Boolean)).toHaveLength(1);
  });

  test('a mutex and permits let one in at a time', async () => {
    const running: string[] = [];
    const mutex = one.mutex({ maxWaitMs: 5000 });
    const work = async (name: string): Promise<void> => {
      running.push(`${name} begins`);
      await later(0);
      running.push(`${name} ends`);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => mutex('m', () => work(name))));
    expect(running).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    const release = await one.permits.acquire(['x', 'y'], () => Promise.resolve([1, 1]));
    const waiting = one.permits.acquire(['y'], () => Promise.resolve([1]));
    release();
    (await waiting)();
  });

  test('a message reaches the other processes of a server, and no other server', async () => {
    const received: string[] = [];
    two.onMessage('invalidated', (name) => void received.push(name));
    await one.broadcast('invalidated', 'film');
    await one.settled?.();
    expect(received).toEqual(kind === 'primary' ? ['film'] : []);
  });

  test('failed logins of a minute have one record', async () => {
    const [first, second] = [await one.failedLogin(now, 'ann'), await one.failedLogin(now, 'ann')];
    expect(first).toEqual(second);
  });
});

describe('a server that loses the database', () => {
  test('counts in memory, and reports it once, but takes no lease', async () => {
    now += 10_000_000;
    const { shared, crash, log, close } = databaseServer();
    const other = databaseServer();
    const window = { ms: 1000 };
    const count = shared.limit({ name: 'away', max: 5, windowMs: 1000, spans: true });
    await other.shared.count('key', window);
    expect((await shared.count('key', window)).totalHits).toBe(2);
    await count('user');
    crash?.();
    // what this server has counted itself
    expect((await shared.count('key', window)).totalHits).toBe(2);
    expect((await shared.counts(['key']))[0]?.totalHits).toBe(2);
    const totals: number[] = [];
    for (let sent = 0; sent < 8; sent++) totals.push((await count('user')).totalHits);
    expect(totals.filter((total) => total <= 5)).toHaveLength(4);
    expect(log).toEqual(['throttles count in memory until the database answers again']);
    await expect(shared.lease('lease', 1000)).rejects.toThrow('away');
    await expect(shared.once('once', 1000)).rejects.toThrow('away');
    await close();
    await other.close();
  });
});
