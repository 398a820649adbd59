/**
 * Builds a text index over existing documents: their words are collected in runs, which leave memory, and the runs are merged into the
 * index, each of whose blocks is written once.
 */
import { mergeSort } from 'dossier-language/sort';
import type { IndexSource } from './index-build.ts';
import type { PageStore } from './pages/page-store.ts';
import { mergeRuns } from './run-merge.ts';
import { TextBlocks } from './text-blocks.ts';
import type { TextTree } from './text-tree.ts';

/** Bytes of documents whose words are collected in memory. */
const maxRunBytes = 16 * 1024 * 1024;
/** Terms between two pauses. */
const sliceTerms = 256;
/** Estimated bytes of new nodes from which on they are written. */
const aheadBytes = 4 * 1024 * 1024;

/** A term, and packed postings of it. */
type Entry = readonly [term: string, packed: Uint8Array];

const byTerm = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/**
 * Fills an empty text index.
 * @throws StoreError 11000 if two documents have the same unique key, 17261 or 17262 for an unknown language
 */
export async function buildText(index: TextTree, source: IndexSource): Promise<void> {
  const { ns, documents, pages, pause, maxBytes = maxRunBytes } = source;
  const runs = pages && new TextRuns(index, pages, pause);
  let bytes = 0;
  try {
    for (const block of documents) {
      for (const stored of block) {
        const change = index.read(stored, undefined, ns);
        if (change !== undefined) index.change(stored, change);
        bytes += stored.size;
      }
      if (bytes >= maxBytes) {
        await runs?.spill();
        bytes = 0;
      }
      await pause();
    }
    await runs?.merge();
  } catch (error) {
    pages?.discard(index.stored);
    throw error;
  } finally {
    runs?.discard();
  }
}

/** The collected words of documents, in trees of their own. An index that collects none has its words already. */
class TextRuns {
  readonly #index: TextTree;
  readonly #pages: PageStore;
  readonly #pause: () => Promise<void>;
  readonly #runs: TextBlocks[] = [];

  constructor(index: TextTree, pages: PageStore, pause: () => Promise<void>) {
    this.#index = index;
    this.#pages = pages;
    this.#pause = pause;
  }

  /** Writes the words in memory to a run, and the new nodes of an index that collects none. */
  async spill(): Promise<void> {
    await this.#write(this.#index);
    const run = TextBlocks.make(this.#pages);
    this.#runs.push(run);
    await this.#fill(run, await this.#collected(), ([term, packed]) => run.set(term, 0, packed));
  }

  /** Merges all runs and the words in memory into the index. */
  async merge(): Promise<void> {
    const runs = [...this.#runs.map((run) => run.entries()), await this.#collected()];
    const builder = this.#index.builder();
    await this.#fill(this.#index, mergeRuns(runs, byTerm), ([term, packed]) => builder.add(term, packed));
    this.#pages.writingChanges(() => builder.end());
    await this.#pages.writeAhead(this.#index.stored, this.#pause);
  }

  /** The words in memory in order of their terms, which are removed there. */
  async #collected(): Promise<readonly Entry[]> {
    return mergeSort([...this.#index.takeCollected()], byTerm, this.#pause);
  }

  /** Adds entries to a tree, whose nodes leave memory while it grows. */
  async #fill(tree: Pick<TextTree, 'stored'>, entries: Iterable<Entry>, add: (entry: Entry) => void): Promise<void> {
    let [count, bytes] = [0, 0];
    for (const entry of entries) {
      bytes += this.#pages.writingChanges(() => add(entry));
      count += 1;
      if (count % sliceTerms === 0) await this.#pause();
      if (bytes < aheadBytes) continue;
      await this.#write(tree);
      bytes = 0;
    }
    if (count > 0) await this.#write(tree);
  }

  /** Writes the nodes of a tree that has entries. */
  async #write({ stored }: Pick<TextTree, 'stored'>): Promise<void> {
    this.#pages.draft(stored);
    await this.#pages.writeAhead(stored, this.#pause);
  }

  /** The runs are no longer needed. */
  discard(): void {
    for (const { stored } of this.#runs) this.#pages.discard(stored);
  }
}
