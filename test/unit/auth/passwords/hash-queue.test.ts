/** The order of password hashing: logins first, then callers in turn; and which work is refused at once. */
import { describe, expect, test } from '@jest/globals';
import {
  type HashJob,
  type HashKind,
  hashLimits,
  HashPool,
  HashQueue,
} from '../../../../src/auth/passwords/hash-pool.ts';
import { type HashThread, releaseThread, takeThread } from '../../../../src/auth/passwords/hash-threads.ts';

interface Work extends HashJob {
  readonly name: string;
}
const work = (kind: HashKind, by: string, name = ''): Work => ({ kind, by, name });

describe('the queue', () => {
  test('logins come first, and callers take turns', () => {
    const queue = new HashQueue<Work>();
    for (const name of ['e1', 'e2', 'e3']) queue.push(work('hash', 'eve', name));
    queue.push(work('hash', 'ann', 'a1'));
    queue.push(work('login', '10.0.0.1', 'l1'));
    queue.push(work('login', '10.0.0.1', 'l2'));
    queue.push(work('login', '10.0.0.2', 'l3'));
    const order = Array.from({ length: 7 }, () => queue.next()?.name);
    expect(order).toEqual(['l1', 'l3', 'l2', 'e1', 'a1', 'e2', 'e3']);
    expect([queue.next(), queue.size]).toEqual([undefined, 0]);
  });

  test('only work that runs before counts as ahead, however much others have waiting', () => {
    const queue = new HashQueue<Work>();
    for (let count = 0; count < 40; count++) queue.push(work('hash', 'eve'));
    expect(queue.ahead(work('hash', 'eve'))).toBe(40);
    expect(queue.ahead(work('hash', 'ann'))).toBe(1);
    expect(queue.ahead(work('login', 'eve'))).toBe(0);
    queue.push(work('login', 'ann'));
    expect(queue.ahead(work('hash', 'ann'))).toBe(2);
  });

  test('aborted work leaves the queue once', () => {
    const queue = new HashQueue<Work>();
    const [one, other] = [work('hash', 'eve', '1'), work('hash', 'eve', '2')];
    queue.push(one);
    queue.push(other);
    queue.remove(one);
    queue.remove(one);
    expect([queue.size, queue.next(), queue.size]).toEqual([1, other, 0]);
  });
});

describe('the pool', () => {
  const hash = (by: string) => ({ kind: 'hash', by, password: 'pw', cost: 4 }) as const;
  const settled = (all: readonly Promise<unknown>[]) =>
    Promise.all(
      all.map((one) =>
        one.then(
          () => 'done',
          (error: Error) => error.message,
        ),
      ),
    );

  test('the waiting work of a caller is limited; others still find room', async () => {
    const pool = new HashPool(1, 60_000);
    // the first one starts at once
    const eves = Array.from({ length: hashLimits.waitingByCaller + 11 }, () => pool.run(hash('eve')));
    const ann = pool.run(hash('ann'));
    const ends = await settled([...eves, ann]);
    expect(ends.filter((end) => end === 'Busy')).toHaveLength(10);
    expect(ends.at(-1)).toBe('done');
    await pool.close();
  });

  test('work that cannot finish in time is refused at once; logins do not wait for it', async () => {
    const maxWaitMs = 1000;
    const pool = new HashPool(1, maxWaitMs);
    const slow = (by: string) => ({ ...hash(by), cost: 9 });
    // the thread starts, and the time of a hash is measured
    for (let time = 0; time < 8; time++) await pool.run(slow('eve'));
    let hashed = 0;
    // also on a quick machine, far more than it can hash in that time
    const all = Array.from({ length: 400 }, (_, at) => pool.run(slow(`caller ${at}`)));
    const ends = settled(all);
    for (const one of all)
      void one.then(
        () => (hashed += 1),
        () => undefined,
      );
    const refused = Promise.race(all.slice(-1));
    await expect(refused).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    const before = hashed;
    await pool.run({ kind: 'login', by: 'x', password: 'pw', hash: `$2b$04$${'.'.repeat(53)}` });
    // one hash was under way, and another may have ended with it
    expect(hashed - before).toBeLessThanOrEqual(2);
    expect(await ends).toContain('done');
    expect(await ends).toContain('Busy');
    await pool.close();
  });
});

test('a closed pool refuses work', async () => {
  const pool = new HashPool(1, 60_000);
  const job = { kind: 'hash', by: 'eve', password: 'pw', cost: 4 } as const;
  await pool.run(job);
  await pool.close();
  await expect(pool.run(job)).rejects.toMatchObject({ status: 503 });
});

describe('threads', () => {
  /** Takes spare threads up to one; those of other servers are given back. */
  async function takeAgain({ worker }: HashThread): Promise<HashThread | undefined> {
    const others: HashThread[] = [];
    let taken = takeThread();
    for (; taken.worker !== worker && taken.isWarm; taken = takeThread()) others.push(taken);
    for (const other of others) await releaseThread(other, true);
    if (taken.worker === worker) return taken;
    await releaseThread(taken, false);
    return undefined;
  }

  test('an idle one is kept for the next server, one that works ends', async () => {
    const thread = { ...takeThread(), isWarm: true };
    await releaseThread(thread, true);
    const again = await takeAgain(thread);
    expect(again).toEqual(thread);
    await releaseThread(thread, false);
    expect(thread.worker.threadId).toBe(-1);
    expect(await takeAgain(thread)).toBeUndefined();
  });
});
