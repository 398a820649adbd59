/** Mutual exclusion by key: order, limits of waiting, failures that end all waiting work. */
import { expect, test } from '@jest/globals';
import { type KeyedMutex, makeKeyedMutex } from '../../../src/async/keyed-mutex.ts';
import { unavailable } from '../../../src/errors/errors.ts';
import { unavailableFailure } from '../../../src/models/database-errors.ts';

const mutex = (maxWaitMs = 60_000): KeyedMutex => makeKeyedMutex({ maxWaitMs, sharedFailure: unavailableFailure });

interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
  readonly fail: (error: Error) => void;
}
function gate(): Gate {
  let open = (): void => undefined;
  let fail: Gate['fail'] = () => undefined;
  const passed = new Promise<void>((done, failed) => {
    open = done;
    fail = failed;
  });
  return { passed, open: () => open(), fail: (error) => fail(error) };
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message);

test('work with one key runs in order, whether earlier work succeeds or fails; other keys do not wait', async () => {
  const exclusive = mutex();
  const first = gate();
  const ran: string[] = [];
  const all = [
    exclusive('a', () => first.passed),
    exclusive('a', async () => void ran.push('second')),
    exclusive('a', async () => void ran.push('third')),
  ].map(outcome);
  await exclusive('b', async () => void ran.push('other'));
  expect(ran).toEqual(['other']);
  first.fail(new Error('a fault of its own'));
  expect(await Promise.all(all)).toEqual(['a fault of its own', undefined, undefined]);
  expect(ran).toEqual(['other', 'second', 'third']);
});

test('work that finds the database unavailable fails with all waiting work of its key; later work runs', async () => {
  const exclusive = mutex();
  const first = gate();
  let ran = 0;
  const waiting = Array.from({ length: 20 }, () => outcome(exclusive('a', async () => void (ran += 1))));
  const head = outcome(exclusive('b', () => first.passed));
  const behind = Array.from({ length: 20 }, () => outcome(exclusive('b', async () => void (ran += 100))));
  await Promise.all(waiting);
  first.fail(unavailable());
  expect(await Promise.all([head, ...behind])).toEqual(Array(21).fill('Database unavailable'));
  expect(ran).toBe(20);
  expect(await exclusive('b', async () => 'again')).toBe('again');
});

test('work that has waited too long is refused, and never begins', async () => {
  const exclusive = mutex(10);
  const first = gate();
  const head = exclusive('a', () => first.passed);
  let ran = false;
  await expect(exclusive('a', async () => void (ran = true))).rejects.toMatchObject({ status: 503, message: 'Busy' });
  first.open();
  await head;
  expect(await exclusive('a', async () => 'next')).toBe('next');
  expect(ran).toBe(false);
});

test('work is refused when too much waits for its key, or its caller is gone', async () => {
  const exclusive = makeKeyedMutex({ maxWaitMs: 60_000, maxWaiting: 1 });
  const first = gate();
  const head = exclusive('a', () => first.passed);
  const caller = new AbortController();
  const behind = outcome(exclusive('a', async () => 'ran', caller));
  expect(await outcome(exclusive('a', async () => 'ran'))).toBe('Busy');
  expect(await exclusive('b', async () => 'ran')).toBe('ran');
  caller.abort();
  expect(await behind).toBe('Busy');
  first.open();
  await head;
});
