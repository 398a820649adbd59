/** Waiting: for some time, and for promises that others share. */

/** Resolves after some milliseconds. @throws the reason of the signal, after which no timer keeps the program running */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((done) => (timer = setTimeout(done, milliseconds)));
  await unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}

/** A promise that others may wait for, too, until the signal is aborted. @throws the reason of the signal */
export async function unlessAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  // the promise may fail later, when there is no waiter
  promise.catch(() => undefined);
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

const maxPauseMs = 10_000;

/** Milliseconds before a repetition: twice as many each time, ten seconds at most, of which half is random. */
export const backoff = (first: number, repetition: number): number =>
  Math.min(first * 2 ** repetition, maxPauseMs) * (0.5 + Math.random() / 2);
