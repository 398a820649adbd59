/** Timeouts of promises. */
import { expect, test } from '@jest/globals';
import { withTimeout } from '../../../src/async/timeout.ts';

const never = new Promise<never>(() => undefined);

test.each<[string, number, Promise<unknown>, unknown]>([
  ['is done in time', 60_000, Promise.resolve('done'), 'done'],
  ['fails in time', 60_000, Promise.reject(new Error('failed')), 'failed'],
  ['never ends', 1, never, 'too late'],
])('work that %s', async (_, limit, work, expected) => {
  const result = withTimeout(limit, work, () => new Error('too late'));
  expect(await result.catch((error: Error) => error.message)).toBe(expected);
});

test('the timeout handler can stop the work', async () => {
  const stop = new AbortController();
  const onTimeout = (): Error => {
    stop.abort();
    return new Error('too late');
  };
  await expect(withTimeout(1, never, onTimeout)).rejects.toThrow('too late');
  expect(stop.signal.aborted).toBe(true);
});
