/** Pending changes of a tree: those that are merged now, and how they are merged or saved. */
import { mergeSort } from 'dossier-language/sort';
import type { PageStore } from './pages/page-store.ts';
import type { PendingMerge, PendingSave, StoredTree, Tree } from './tree.ts';

/** Terms that are merged at once. */
const sliceTerms = 32;
/** Estimated bytes of new nodes from which on they are written. */
const aheadBytes = 8 * 1024 * 1024;

const byTerm = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/**
 * The trees whose pending changes have to be merged: those whose merge has begun, and if the changes of the others exceed
 * a limit, those with the most, until half of the limit is left.
 */
export function treesToMerge(trees: readonly StoredTree[], limit: number): ReadonlySet<StoredTree> {
  const chosen = new Set(trees.filter(({ pending }) => pending?.isMerging));
  const bytesOf = (stored: StoredTree): number => (chosen.has(stored) ? 0 : (stored.pending?.bytes ?? 0));
  let left = trees.reduce((sum, stored) => sum + bytesOf(stored), 0);
  if (left <= limit) return chosen;
  for (const stored of trees.toSorted((a, b) => bytesOf(b) - bytesOf(a))) {
    if (left <= limit / 2) break;
    left -= bytesOf(stored);
    chosen.add(stored);
  }
  return chosen;
}

/** Saves pending changes beside the entries of a tree. The caller writes the nodes. */
export async function savePending(
  pages: PageStore,
  { blocks, add, done }: PendingSave,
  pause: () => Promise<void>,
): Promise<void> {
  for (const block of blocks) {
    pages.writingChanges(() => add(block));
    await pause();
  }
  done();
}

/** How a merge continues. */
interface MergeOptions {
  readonly pause: () => Promise<void>;
  /** Whether the merge should stop, so that its checkpoint can end. Some terms are merged in any case. */
  readonly mustStop: () => boolean;
}

/**
 * Merges pending changes into a tree in order of their terms, or some of them. Its nodes are written while it grows. Some of the new nodes
 * are not written at the end.
 * @throws DiskFault if the disk refuses the nodes; the changes stay pending then
 */
export async function mergePending(
  pages: PageStore,
  // the trees of a collection have different keys and values
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  tree: Tree<any, any>,
  merge: PendingMerge,
  { pause, mustStop }: MergeOptions,
): Promise<void> {
  if (merge.terms === undefined) {
    merge.begin();
    merge.terms = await mergeSort([...new Set(merge.frozen.terms)], byTerm, pause);
  }
  const { terms } = merge;
  let bytes = 0;
  while (merge.merged < terms.length) {
    const slice = terms.slice(merge.merged, merge.merged + sliceTerms);
    bytes += pages.writingChanges(() => slice.forEach(merge.merge));
    merge.merged += slice.length;
    if (bytes >= aheadBytes) {
      await pages.writeAhead({ tree, extra: {} }, pause);
      bytes = 0;
    }
    await pause();
    if (mustStop()) return;
  }
  pages.writingChanges(merge.done);
}
