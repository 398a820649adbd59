/** Merges pending changes into a tree, in order of their terms. Its nodes are written while it grows. */
import { mergeSort } from 'dossier-language/sort';
import type { PageStore } from './pages/page-store.ts';
import type { PendingMerge, Tree } from './tree.ts';

/** Terms that are merged at once. */
const sliceTerms = 32;
/** Estimated bytes of new nodes from which on they are written. */
const aheadBytes = 8 * 1024 * 1024;

const byTerm = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/**
 * Merges pending changes. Some of the new nodes are not written at the end.
 * @throws DiskFault if the disk refuses the nodes; the changes stay pending then
 */
export async function mergePending(
  pages: PageStore,
  // the trees of a collection have different keys and values
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  tree: Tree<any, any>,
  { frozen, merge, done }: PendingMerge,
  pause: () => Promise<void>,
): Promise<void> {
  const terms = await mergeSort([...new Set(frozen.terms)], byTerm, pause);
  for (let at = 0, bytes = 0; at < terms.length; at += sliceTerms) {
    bytes += pages.writingChanges(() => terms.slice(at, at + sliceTerms).forEach(merge));
    if (bytes >= aheadBytes) {
      await pages.writeAhead({ tree, extra: {} }, pause);
      bytes = 0;
    }
    await pause();
  }
  done();
}
