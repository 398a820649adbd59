/** A worker thread that hangs or fails: it is noticed, told and started anew, after a rest when it goes on like that. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { afterEach, describe, expect, test } from '@jest/globals';
import { defaultLimits } from '../../src/index.ts';
import { StoreThread } from '../../src/worker-thread.ts';
import { until } from '../../../../test/support/waiting.ts';

/** What a thread does after it has said that it listens. */
const programs = {
  hang: 'for (;;) {}',
  fail: "setTimeout(() => { throw new Error('it is broken'); }, 20);",
  live: `setInterval(() => Atomics.add(new Int32Array(workerData.pulse), 0, 1), 50);
    parentPort.on('message', () => { parentPort.postMessage({ kind: 'stopped' }); parentPort.close(); process.exit(); });`,
};

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

  /** Starts a thread that runs one program after the other, the last one again and again. */
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
      limits: { ...defaultLimits, stallMs, restMs: 200 },
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

  test('that hangs is started anew on the same port', async () => {
    const given = await start(400, 'hang', 'live');
    await until(() => given().length === 2);
    expect(warnings).toEqual([
      "The store's thread was lost (one piece of work held it for more than 400 ms) and is started anew. Nothing that was answered is lost.",
    ]);
    expect(given()).toEqual([expect.objectContaining({ port: 0 }), expect.objectContaining({ port: 4711 })]);
    expect(fatal).toEqual([]);
  });

  test('that fails is started anew, and its error is told', async () => {
    const given = await start(400, 'fail', 'live');
    await until(() => given().length === 2);
    expect(warnings).toEqual([expect.stringContaining('(it is broken)')]);
  });

  test('that hangs again and again rests before it is started anew', async () => {
    const given = await start(150, ...Array<'hang'>(6).fill('hang'), 'live');
    await until(() => given().length === 7);
    expect(warnings.map((warning) => /anew( .+)?\. Nothing/.exec(warning)?.[1])).toEqual([
      ...Array<undefined>(5).fill(undefined),
      ' in 0.2 s, as it was lost 6 times within an hour',
    ]);
    expect(fatal).toEqual([]);
  });

  test('that rests is stopped at once', async () => {
    await start(150, 'hang');
    await until(() => warnings.length === 6);
    await running?.close();
    expect(fatal).toEqual([]);
  });

  test('that hangs when it is to stop is ended', async () => {
    await start(400, 'hang');
    await running?.close();
    expect(warnings).toEqual([]);
  });

  test('that lives is left alone', async () => {
    const given = await start(400, 'live');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect([given().length, warnings]).toEqual([1, []]);
  });
});
