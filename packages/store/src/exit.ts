/** Ends a process that may have a store in a thread. */
import { setTimeout as later } from 'node:timers/promises';

/** Milliseconds that a thread may take to park: it is within one statement of SQLite. */
const maxParkMs = 1_000;

const parkers = new Set<() => Promise<void>>();

/**
 * Registers what parks a thread: it resolves when the thread is outside of native code, and stays so.
 * @returns removes it, when the thread has ended
 */
export function parkBeforeExit(park: () => Promise<void>): () => void {
  parkers.add(park);
  return () => void parkers.delete(park);
}

/** Blocks the calling thread until its process ends. It answers first that it does. */
export function parkThread(answer: () => void): void {
  answer();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/**
 * Ends the process. `process.exit` alone terminates threads wherever they are; in the middle of a call of SQLite that aborts the whole
 * process with SIGABRT, because libsql panics when V8 no longer creates values for it.
 */
export async function exitProcess(code: number): Promise<void> {
  const parked = Promise.all([...parkers].map((park) => park()));
  await Promise.race([parked, later(maxParkMs)]);
  process.exit(code);
}
