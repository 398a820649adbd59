/**
 * A worker thread that hangs or fails is detected, reported and restarted, after a pause if it fails repeatedly. What is expected is the
 * beginning: on a loaded machine a thread that lives may be lost too, and restarted.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { afterEach, describe, expect, test } from '@jest/globals';
import { inTime, until } from '../../../../test/support/waiting.ts';
import { defaultLimits } from '../../src/index.ts';
import { StoreThread } from '../../src/worker-thread.ts';

/** What a thread does after it has reported that it listens. */
const programs = {
  hang: 'for (;;) {}',
  // as it seems from outside, without a processor
  wait: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
  fail: "setTimeout(() => { throw new Error('it is broken'); }, 20);",
  live: `setInterval(() => Atomics.add(new Int32Array(workerData.pulse), 0, 1), 50);
    parentPort.on('message', () => { parentPort.postMessage({ kind: 'stopped' }); parentPort.close(); process.exit(); });`,
};

/** Milliseconds for which no thread of a test is silent. */
const patience = 60_000;

const thread = (program: keyof typeof programs, options: WorkerOptions): Worker =>
  new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage({ kind: 'ready', address: { ...workerData.options.address, port: 4711 } });
    ${programs[program]}`,
    { ...options, eval: true },
  );

describe('a thread', () => {
  const warnings: string[] = [];
  const fatal: string[] = [];
  let running: StoreThread | undefined;

  /** Starts a thread that runs the given programs in turn, and then repeats the last one. */
  async function start(
    stallMs: number,
    ...order: readonly (keyof typeof programs)[]
  ): Promise<() => readonly unknown[]> {
    const given: unknown[] = [];
    const reports = {
      onWarning: (message: string) => void warnings.push(message),
      onFatal: (error: Error) => void fatal.push(error.message),
    };
    const options = {
      dir: undefined,
      address: { kind: 'loopback', port: 0, hosts: ['127.0.0.1'] },
      credentials: undefined,
      limits: { ...defaultLimits, stallMs, restartPauseMs: 200 },
    } as const;
    running = await StoreThread.start(options, reports, (workerOptions) => {
      given.push((workerOptions.workerData as { options: { address: unknown } }).options.address);
      return thread(order[Math.min(given.length, order.length) - 1] ?? 'live', workerOptions);
    });
    return () => given;
  }

  afterEach(async () => {
    await running?.close();
    warnings.length = 0;
    fatal.length = 0;
  });

  test('that hangs is restarted on the same port', async () => {
    const given = await start(400, 'hang', 'live');
    await until(() => given().length >= 2);
    expect(warnings[0]).toBe(
      "The store's thread was lost (it did not respond for more than 400 ms) and is restarted. No acknowledged write is lost.",
    );
    expect(given().slice(0, 2)).toEqual([
      expect.objectContaining({ port: 0 }),
      expect.objectContaining({ port: 4711 }),
    ]);
    expect(fatal).toEqual([]);
  });

  test('that fails is restarted, and its error is reported', async () => {
    // it fails, and is not late
    const given = await start(patience, 'fail', 'live');
    await until(() => given().length === 2);
    expect(warnings).toEqual([expect.stringContaining('(it is broken)')]);
  });

  test('that hangs repeatedly is restarted after a pause', async () => {
    const given = await start(150, ...Array<'wait'>(6).fill('wait'), 'live');
    await until(() => given().length >= 7);
    expect(warnings.slice(0, 6).map((warning) => /restarted( .+)?\. No /.exec(warning)?.[1])).toEqual([
      ...Array<undefined>(5).fill(undefined),
      ' in 0.2 s, after 6 failures within an hour',
    ]);
    expect(fatal).toEqual([]);
  });

  test('that waits for its restart is stopped immediately', async () => {
    await start(150, 'wait');
    await until(() => warnings.length >= 6);
    await running?.close();
    expect(fatal).toEqual([]);
  });

  test('that hangs during the stop is terminated', async () => {
    await start(400, 'hang');
    await running?.close();
    expect(warnings).toEqual([]);
  });

  test('that responds keeps running', async () => {
    // other programs hold a thread up now and then, but not each time
    await inTime(
      async () => {
        await running?.close();
        warnings.length = 0;
        const given = await start(400, 'live');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return [given().length, ...warnings];
      },
      (outcome) => JSON.stringify(outcome) === '[1]',
    );
  });
});
