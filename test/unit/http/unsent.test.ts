/** The memory of unread answers: reads wait for room, and slow readers are cut off while others wait. */
import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { Semaphore } from '../../../src/async/semaphore.ts';
import { UnsentAnswers } from '../../../src/http/unsent.ts';
import { until } from '../../support/waiting.ts';

class Sink extends EventEmitter {
  isCut = false;

  destroy(): void {
    this.isCut = true;
    this.emit('close');
  }
}

/** The signal of a caller who stays: each request has its own. */
const alive = (): AbortSignal => new AbortController().signal;
const patience = 60_000;

test('of 800 reads at once no more are held than have room, and the memory is given back', async () => {
  const unsent = new UnsentAnswers({ bytes: 1000, leastBytes: 1, graceMs: Number.POSITIVE_INFINITY });
  const [permits, bytes] = [10, 100];
  const semaphore = new Semaphore({ permits });
  const sinks: Sink[] = [];
  let [most, made] = [0, 0];
  const reads = Array.from({ length: 800 }, alive).map((signal) =>
    semaphore.run({ signal }, async () => {
      await unsent.enter({ signal }, patience);
      made += 1;
      const sink = new Sink();
      unsent.add(sink, bytes);
      sinks.push(sink);
      most = Math.max(most, unsent.bytes);
    }),
  );
  while (made < 800 || sinks.length > 0) {
    await new Promise(setImmediate);
    sinks.shift()?.emit('finish');
  }
  await Promise.all(reads);
  expect(most).toBeLessThanOrEqual(1000 + permits * bytes);
  expect(unsent.bytes).toBe(0);
});

test.each<[string, (unsent: UnsentAnswers) => Promise<void> | undefined]>([
  ['has waited for too long', (unsent) => unsent.enter({ signal: alive() }, 1)],
  ['has disconnected', (unsent) => unsent.enter({ signal: AbortSignal.abort() }, patience)],
  [
    'disconnects while it waits',
    (unsent) => {
      const caller = new AbortController();
      setImmediate(() => caller.abort());
      return unsent.enter(caller, patience);
    },
  ],
])('a read is refused that %s', async (_who, enter) => {
  const unsent = new UnsentAnswers({ bytes: 10, leastBytes: 1 });
  unsent.add(new Sink(), 10);
  await expect(Promise.resolve(enter(unsent))).rejects.toMatchObject({ status: 503 });
});

test('slow readers are cut off only while others wait', async () => {
  const unsent = new UnsentAnswers({ bytes: 10, leastBytes: 1, graceMs: 0, bytesPerMs: 1000, lookMs: 1 });
  const sink = new Sink();
  unsent.add(sink, 10);
  let looks = 0;
  await until(() => ++looks > 3);
  expect(sink.isCut).toBe(false);
  await unsent.enter({ signal: alive() }, patience);
  expect([sink.isCut, unsent.bytes]).toEqual([true, 0]);
});
