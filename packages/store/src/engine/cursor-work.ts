/** The command that works on a cursor at the moment: first `find`, then each `getMore`. */
import type { Operation } from './operation.ts';

/** The operation that a cursor's work counts for. */
export interface CursorWork {
  operation: Operation;
}
