/** Yields to the event loop, so that one long computation does not block the other requests. */
import { setImmediate } from 'node:timers/promises';

/** Resolves in the next iteration of the event loop, after pending I/O. */
export const yieldNow = (): Promise<void> => setImmediate();

/** Milliseconds of work after which a loop yields. */
const maxSliceMs = 20;

/**
 * Creates a function to await in a loop of synchronous work. It yields to the event loop once the time slice is used
 * up.
 * @param sliceMs milliseconds of work between two yields
 */
export function makeYielder(sliceMs = maxSliceMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await yieldNow();
    since = performance.now();
  };
}
