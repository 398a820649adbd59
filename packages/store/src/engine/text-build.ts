/** Builds a text index over existing documents. Its nodes leave memory while it grows. */
import type { IndexSource } from './index-build.ts';
import type { TextTree } from './text-tree.ts';

/** Estimated bytes of new nodes in memory. */
const maxDirtyBytes = 32 * 1024 * 1024;

/**
 * Fills an empty text index.
 * @throws StoreError 11000 if two documents have the same unique key, 17261 or 17262 for an unknown language
 */
export async function buildText(
  index: TextTree,
  { ns, documents, pages, pause, maxBytes = maxDirtyBytes }: IndexSource,
): Promise<void> {
  let written = pages?.dirtyBytes ?? 0;
  try {
    for (const block of documents) {
      for (const stored of block) {
        const change = index.read(stored, undefined, ns);
        if (change !== undefined) index.change(stored, change);
      }
      if (pages !== undefined && pages.dirtyBytes - written >= maxBytes) {
        await pages.writeAhead(index.stored, pause);
        written = pages.dirtyBytes;
      }
      await pause();
    }
  } catch (error) {
    pages?.discard(index.stored);
    throw error;
  }
}
