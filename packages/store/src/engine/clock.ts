/** The command that works on a cursor at the moment: first `find`, then each `getMore`. */
import type { Operation } from './operation.ts';

/** The operation that a cursor's work counts for. */
export interface Clock {
  operation: Operation;
  /** Yields the write lock after a pause; undefined if the command must not. */
  readonly yieldLock?: () => Promise<void>;
}
