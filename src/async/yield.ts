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
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediateCallback(continueNext);
  });
}

/**
 * Creates a function to await in a loop of synchronous work. It yields to the event loop once the time slice is used
 * up. Loops that have yielded continue in turn.
 * @param sliceMs milliseconds of work between two yields
 * @returns undefined as long as there is nothing to wait for
 */
export function makeYielder(sliceMs = maxSliceMs): () => Promise<void> | undefined {
  let since = performance.now();
  const yielded = async (): Promise<void> => {
    await turn();
    since = performance.now();
  };
  return () => (performance.now() - since < sliceMs ? undefined : yielded());
}

/** Bytes or characters of JSON that are parsed or written in about a millisecond. */
const shortJson = 64 * 1024;

/** A turn before JSON of some length is parsed or written in one piece; undefined for short JSON, which needs none. */
export const turnForJson = (length: number): Promise<void> | undefined => (length > shortJson ? turn() : undefined);

/** A turn before work on one large value, which is done in one piece; undefined for other values, which need none. */
export const turnForLarge = (isLarge: boolean): Promise<void> | undefined => (isLarge ? turn() : undefined);

/** Runs a computation to its end, and yields to the event loop between two of its steps once the time slice is used up. */
export async function inSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  const yieldIfDue = makeYielder();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await yieldIfDue();
  }
}

/**
 * Maps a list by synchronous work that yields once its time slice is used up. A short list is mapped at once.
 * @param sliceMs milliseconds of work between two yields
 */
export async function mapInSlices<From, To>(
  list: readonly From[],
  map: (member: From) => To,
  sliceMs = maxSliceMs,
): Promise<To[]> {
  const mapped: To[] = [];
  let since = performance.now();
  for (const member of list) {
    mapped.push(map(member));
    if (performance.now() - since < sliceMs) continue;
    await turn();
    since = performance.now();
  }
  return mapped;
}
