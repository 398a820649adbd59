/** The end of a process that has a store in a thread: always with its exit code, also in the middle of native code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, jest, test } from '@jest/globals';
import { programOf } from '../../../../test/support/programs.ts';
import { exitProcess } from '../../src/exit.ts';
import { defaultLimits } from '../../src/index.ts';
import { newWorker, StoreThread } from '../../src/worker-thread.ts';

afterEach(() => void jest.restoreAllMocks());

/** A process whose thread opens databases all the time; it ends after some milliseconds. */
const busy = `
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { exitProcess, parkBeforeExit, parkThread } from ${JSON.stringify(pathToFileURL(programOf('packages/store/src/exit.ts')).href)};
import Database from ${JSON.stringify(pathToFileURL(require.resolve('libsql')).href)};
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  parkBeforeExit(() => new Promise((parked) => { worker.once('message', parked); worker.postMessage('park'); }));
  worker.once('message', () => setTimeout(() => void exitProcess(7), Number(process.argv[2])));
} else {
  parentPort.on('message', () => parkThread(() => parentPort.postMessage('parked')));
  parentPort.postMessage('started');
  for (;;) {
    new Database(':memory:');
    await new Promise((next) => setImmediate(next));
  }
}`;

test('a thread within native code does not abort the process', async () => {
  // inside the checkout, whose files are modules
  const folder = await mkdtemp(join(__dirname, 'exit-'));
  try {
    const file = join(folder, 'busy.mjs');
    await writeFile(file, busy);
    const ends = [0, 1, 2, 3, 4, 5].map(async (ms) => {
      const child = spawn(process.execPath, [file, String(ms)], { stdio: 'ignore' });
      return (await once(child, 'close')) as unknown;
    });
    expect(await Promise.all(ends)).toEqual(ends.map(() => [7, null]));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a store's thread is parked before the process ends", async () => {
  const seen: unknown[] = [];
  const exit = jest.spyOn(process, 'exit').mockImplementation((code) => void seen.push(code) as never);
  const options = {
    dir: undefined,
    address: { kind: 'loopback', port: 0, hosts: ['127.0.0.1'] },
    credentials: undefined,
    limits: defaultLimits,
  } as const;
  const ignore = (): void => undefined;
  let worker: ReturnType<typeof newWorker> | undefined;
  const thread = await StoreThread.start(options, { onWarning: ignore, onFatal: ignore }, (given) => {
    worker = newWorker(given);
    worker.on('message', ({ kind }: { readonly kind: string }) => seen.push(kind));
    return worker;
  });
  await exitProcess(7);
  expect(seen).toEqual(['ready', 'parked', 7]);
  expect(exit).toHaveBeenCalledTimes(1);
  const closed = thread.close();
  await worker?.terminate();
  await closed;
});
