/** The hub of the primary: the permits of a worker are free when it has ended, and no worker waits for one that does not react. */
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createServer } from '../../src/server.ts';
import type { Topics } from '../../src/shared/contract.ts';
import { Windows } from '../../src/shared/process.ts';
import { Channel, type Item } from '../../src/workers/channel.ts';
import { type CallWorker, WorkerHub } from '../../src/workers/hub.ts';
import { WorkerPeers } from '../../src/workers/peers.ts';

/** One permit. */
const single = (): Promise<number[]> => Promise.resolve([1]);

/** A worker that calls the hub directly. */
function join(hub: WorkerHub): { peers: WorkerPeers; leave: () => void } {
  const peers: WorkerPeers = new WorkerPeers(async (name, value) => connection.answer(name, value));
  const call: CallWorker = async (name, value) => peers.answer(name, value);
  const connection = hub.join(call);
  return { peers, leave: connection.leave };
}

test('one worker at a time holds a permit, which is free when its worker has ended', async () => {
  const hub = new WorkerHub();
  const [one, two] = [join(hub), join(hub)];
  const release = await one.peers.permits.acquire(['turn'], single);
  const order: string[] = [];
  const waiting = two.peers.permits.acquire(['turn'], single).then((free) => {
    order.push('second');
    return free;
  });
  await later(0);
  order.push('released');
  release();
  (await waiting)();
  expect(order).toEqual(['released', 'second']);
  await one.peers.permits.acquire(['turn'], single);
  const next = two.peers.permits.acquire(['turn'], single);
  one.leave();
  (await next)();
});

test('a worker that has ended while it waited keeps no permit', async () => {
  const hub = new WorkerHub();
  const [one, two, three] = [join(hub), join(hub), join(hub)];
  const release = await one.peers.permits.acquire(['turn'], single);
  void two.peers.permits.acquire(['turn'], single);
  two.leave();
  release();
  (await three.peers.permits.acquire(['turn'], single))();
});

test('the worker looks up the number of permits, and its error is passed on unchanged', async () => {
  const { peers } = join(new WorkerHub());
  const refusal = new Error('refused');
  await expect(peers.permits.acquire(['key'], () => Promise.reject(refusal))).rejects.toBe(refusal);
  const releases = [
    await peers.permits.acquire(['key'], () => Promise.resolve([2])),
    await peers.permits.acquire(['key'], async () => [2]),
  ];
  const third = peers.permits.acquire(['key'], () => Promise.resolve([2]));
  releases[0]?.();
  (await third)();
});

test('a message is settled when the others have handled it, also if one fails or has ended', async () => {
  const hub = new WorkerHub();
  const [one, two, three, four] = [join(hub), join(hub), join(hub), join(hub)];
  const received: string[] = [];
  two.peers.onMessage('invalidated', async (name) => {
    await later(5);
    received.push(name);
  });
  three.peers.onMessage('invalidated', () => {
    throw new Error('it fails');
  });
  four.leave();
  expect(one.peers.settled()).toBeUndefined();
  void one.peers.broadcast('invalidated', 'book');
  await one.peers.settled();
  expect(received).toEqual(['book']);
  expect(one.peers.settled()).toBeUndefined();
});

test('a worker that is not ready yet has no answer, whatever the question', async () => {
  const hub = new WorkerHub();
  const [one, two, three] = [join(hub), join(hub), join(hub)];
  const topics: Readonly<Record<keyof Topics, unknown>> = {
    'principals stale': { user: 'x' },
    refused: { key: 'x', until: 0 },
    invalidated: 'book',
    changes: { by: 'x', changes: [] },
    'webhooks changed': undefined,
    'log lines': undefined,
    'cache clear': undefined,
    'cache stats': undefined,
    'slow reads': undefined,
    requests: undefined,
    metrics: undefined,
    connections: { address: 'x', user: undefined, caller: undefined },
  };
  for (const topic of Object.keys(topics) as (keyof Topics)[])
    expect(await one.peers.broadcast(topic, topics[topic] as never)).toEqual([]);
  two.peers.onMessage('cache clear', () => undefined);
  three.peers.onMessage('cache stats', () => ({ hits: 1 }));
  expect(await one.peers.broadcast('cache clear', undefined)).toEqual([undefined]);
  expect(await one.peers.broadcast('cache stats', undefined)).toEqual([{ hits: 1 }]);
});

test('each worker receives the needs of the other running workers', async () => {
  const hub = new WorkerHub();
  const [one, two, three] = [join(hub), join(hub), join(hub)];
  await one.peers.declare({ all: true, documents: ['book'] });
  await two.peers.declare({ all: true, documents: ['film'] });
  expect([one, two, three].map(({ peers }) => peers.needed.documents)).toEqual([['film'], ['book'], ['book', 'film']]);
  expect(join(hub).peers.needed.documents).toEqual(['book', 'film']);
  one.leave();
  await later(0);
  expect(three.peers.needed).toEqual({ all: true, documents: ['film'] });
});

test('the figures of workers that have ended are kept, as they were read last, and are summed', async () => {
  const hub = new WorkerHub(Date.now, () => ['of the primary']);
  const count = (worker: ReturnType<typeof join>, given: number, since: number): void => {
    const row = { method: 'GET', route: '/api/:model', count: given, client_errors: 1, server_errors: 0 };
    const routes = [{ ...row, max_ms: given, buckets: [0, given] }];
    worker.peers.onMessage('requests', () => ({ since: new Date(since), routes, recent: [{ at: since, routes }] }));
  };
  const [one, two, three] = [join(hub), join(hub), join(hub)];
  count(one, 2, 30);
  count(two, 3, 10);
  count(three, 4, 20);
  const shown = (): Promise<readonly Topics['requests']['answer'][]> => one.peers.broadcast('requests', undefined);
  expect((await shown()).map(({ routes }) => routes[0]?.count)).toEqual([3, 4]);
  two.leave();
  expect((await shown()).map(({ routes }) => routes[0]?.count)).toEqual([3, 4]);
  count(three, 5, 20);
  await hub.readKept();
  three.leave();
  const [ended, ...others] = await shown();
  expect(others).toEqual([]);
  expect(ended?.since).toEqual(new Date(10));
  // 10 is too old beside 20
  expect(ended?.recent.map(({ at, routes }) => [at, routes[0]?.count])).toEqual([[20, 5]]);
  expect(ended?.routes).toEqual([
    {
      ...{ method: 'GET', route: '/api/:model', count: 8, client_errors: 2, server_errors: 0 },
      ...{ max_ms: 5, buckets: [0, 8] },
    },
  ]);
  expect(await one.peers.broadcast('slow reads', undefined)).toEqual([]);
  expect(await one.peers.broadcast('log lines', undefined)).toEqual([['of the primary']]);
});

test('ordered messages have numbers without gaps, which a worker that joins later continues', async () => {
  const hub = new WorkerHub();
  const [one, two] = [join(hub), join(hub)];
  const received: (number | undefined)[] = [];
  for (const { peers } of [one, two]) peers.onMessage('changes', ({ first }) => void received.push(first));
  await one.peers.broadcastInOrder({ by: 'one', changes: [] }, 3);
  await two.peers.broadcastInOrder({ by: 'two', changes: [] }, 2);
  expect(received).toEqual([1, 1, 4, 4]);
  expect(await join(hub).peers.beginFeed()).toMatchObject({ next: 6 });
});

test('windows begin with the first event of a key, and survive a clock that is set back', () => {
  let now = 1000;
  const windows = new Windows(() => now);
  const hits = (key: string): number => windows.count(key, { ms: 100 }).totalHits;
  expect([hits('a'), hits('a'), hits('b')]).toEqual([1, 2, 1]);
  now = 1099;
  expect(hits('a')).toBe(3);
  now = 1100;
  expect([hits('a'), hits('b')]).toEqual([1, 1]);
  now = 500;
  expect(hits('a')).toBe(1);
});

test('a channel joins the calls of one iteration into one message, keeps their order, and rejects them when it closes', async () => {
  const sent: (readonly Item[])[] = [];
  const there: Channel = new Channel(
    (items) => here.receive(items),
    (name, value) => {
      if (name === 'fail') throw new Error('it failed');
      return name === 'never' ? new Promise(() => undefined) : [name, value];
    },
  );
  const here: Channel = new Channel(
    (items) => {
      sent.push(items);
      there.receive(items);
    },
    () => undefined,
  );
  const failing = here.call('fail', undefined);
  expect(await Promise.all([here.call('a', 1), here.call('b', 2)])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  await expect(failing).rejects.toThrow('it failed');
  expect(sent).toHaveLength(1);
  const never = here.call('never', undefined);
  here.close();
  await expect(never).rejects.toThrow('the other process has ended');
  await expect(here.call('a', 1)).rejects.toThrow('the other process has ended');
});

test('a program that calls createServer cannot set several workers', async () => {
  await expect(createServer({ workers: 2, inMemory: true })).rejects.toThrow('WORKERS: must be 1 for createServer');
});
