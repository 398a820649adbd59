/** The command that works on a cursor at the moment: `find` first, then each `getMore`. */
import type { Operation } from './operation.ts';

/** Whose time is spent; a cursor's work is charged to the command that asks for it. */
export interface Clock {
  operation: Operation;
  /** Lets others write after a pause, where they may. */
  readonly pass?: () => Promise<void>;
}
