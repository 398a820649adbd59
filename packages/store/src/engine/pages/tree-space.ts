/** Where trees are made: the pages of a data file (`page-store.ts`), or memory. */
import type { Doc } from 'dossier-language/values';
import type { DecodedForms } from './decoded.ts';
import { PagedTree } from './paged-tree.ts';
import type { StoredShape } from './shape.ts';

/** Creates trees: in a data file, or in memory. */
export interface TreeSpace {
  /** A new tree, or the stored tree with a number. */
  tree<K, V>(shape: StoredShape<K, V>, id?: number): PagedTree<K, V>;
  /** Bounds what is in memory in decoded form too; undefined if nothing is on disk. */
  readonly forms: DecodedForms | undefined;
  /** What was stored with the root of a tree. */
  extraOf(id: number): Doc;
  /** Reports that a change of several trees was interrupted, and could not be undone. */
  halfChanged(error: Error): void;
}

/** Creates trees that stay in memory. */
export const memoryTrees: TreeSpace = {
  tree: (shape) => new PagedTree(shape),
  forms: undefined,
  extraOf: () => ({}),
  halfChanged: (error) => {
    throw error;
  },
};
