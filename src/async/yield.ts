/** Yields to the event loop, so that one long computation does not block the other requests. */
import { setImmediate as setImmediateCallback } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

/** Resolves in the next iteration of the event loop, after pending I/O. */
export const yieldNow = (): Promise<void> => setImmediate();

/** Milliseconds of work after which a loop yields. */
const maxSliceMs = 10;

/**
 * The loops that have yielded. One of them continues per iteration of the event loop, so that forty at once hold up the
 * others no longer than one. The event loop is one for all servers of a process, and so are its turns.
 */
const waiting: (() => void)[] = [];

function continueNext(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediateCallback(continueNext);
  next?.();
}

/** Resolves in a later iteration of the event loop, after those that have yielded before. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediateCallback(continueNext);
  });
}

/**
 * Creates a function to await in a loop of synchronous work. It yields to the event loop once the time slice is used
 * up. Loops that have yielded continue in turn.
 * @param sliceMs milliseconds of work between two yields
 */
export function makeYielder(sliceMs = maxSliceMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await turn();
    since = performance.now();
  };
}
