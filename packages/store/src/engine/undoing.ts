/** Changes of several trees that belong together: all of them are made, or none. */
import type { TreeSpace } from './pages/tree-space.ts';

/** What undoes the steps that are done, first step first. */
export type Undo = (() => void)[];

/** A step was interrupted that cannot be undone. */
export class HalfDone extends Error {}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Changes trees. When a page cannot be read meanwhile, the steps before are undone: their nodes are only in memory, so that this reads
 * no page. Where it fails, the trees differ from each other, and the space reports it.
 * @throws what the change throws
 */
export function changeTrees(space: TreeSpace, change: (undo: Undo) => void): void {
  const undo: Undo = [];
  try {
    change(undo);
  } catch (error) {
    try {
      for (const step of undo.toReversed()) step();
      if (error instanceof HalfDone) space.halfChanged(asError(error.cause));
    } catch (other) {
      space.halfChanged(asError(other));
    }
    throw error instanceof HalfDone ? error.cause : error;
  }
}
