/** Builds a text index over existing documents. Its nodes leave memory while it grows. */
import type { IndexSource } from './index-build.ts';
import type { PageStore } from './pages/page-store.ts';
import { mergePending } from './pending-merge.ts';
import type { TextTree } from './text-tree.ts';

/** Bytes of documents whose words are collected before they are merged into the index. */
const maxRunBytes = 16 * 1024 * 1024;

/**
 * Fills an empty text index.
 * @throws StoreError 11000 if two documents have the same unique key, 17261 or 17262 for an unknown language
 */
export async function buildText(
  index: TextTree,
  { ns, documents, pages, pause, maxBytes = maxRunBytes }: IndexSource,
): Promise<void> {
  let bytes = 0;
  try {
    for (const block of documents) {
      for (const stored of block) {
        const change = index.read(stored, undefined, ns);
        if (change !== undefined) index.change(stored, change);
        bytes += stored.size;
      }
      if (pages !== undefined && bytes >= maxBytes) {
        await write(index, pages, pause);
        bytes = 0;
      }
      await pause();
    }
    if (pages !== undefined && bytes > 0) await write(index, pages, pause);
  } catch (error) {
    pages?.discard(index.stored);
    throw error;
  }
}

async function write({ stored }: TextTree, pages: PageStore, pause: () => Promise<void>): Promise<void> {
  const pending = stored.freezePending?.();
  if (pending !== undefined) await mergePending(pages, stored.tree, pending, pause);
  await pages.writeAhead(stored, pause);
}
