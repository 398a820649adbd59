/**
 * Builds the text indexes of loaded collections: small ones before the store starts, large ones while it serves
 * commands.
 */
import type { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import { sameVersion } from './stored-document.ts';
import type { TextTree } from './text-tree.ts';

/** Maximum documents of a collection whose text index is built before the start completes. */
const atStart = 2_000;
/** Milliseconds of work before other commands run. */
const sliceMs = 5;

/** The text indexes that are not complete yet. */
export class TextBuilds {
  readonly #catalog: Catalog;
  #stopped = false;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Builds the small indexes, and starts building the large ones. */
  async start(): Promise<void> {
    const left = this.#catalog.all.filter(({ text }) => text?.ready === false);
    for (const collection of left.filter(({ size }) => size <= atStart)) await this.#build(collection);
    void this.#buildAll(left.filter(({ size }) => size > atStart));
  }

  async #buildAll(collections: readonly Collection[]): Promise<void> {
    for (const collection of collections) await this.#build(collection);
  }

  /** Stops building; incomplete indexes are built at the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /** Builds one index. Writes update it at once, so documents that changed meanwhile are in it already. */
  async #build(collection: Collection): Promise<void> {
    const { text } = collection;
    if (text === undefined) return;
    let owner = collection;
    let begun = performance.now();
    for (const block of collection.scan()) {
      for (const stored of block) {
        if (sameVersion(owner.bySequence(stored.sequence), stored)) text.add(stored);
        if (performance.now() - begun < sliceMs) continue;
        await new Promise((resolve) => setImmediate(resolve));
        if (this.#stopped) return;
        owner = this.#ownerOf(text) ?? owner;
        begun = performance.now();
      }
    }
    text.ready = true;
  }

  /** The collection of an index; it may have been renamed. */
  #ownerOf(text: TextTree): Collection | undefined {
    return this.#catalog.all.find((collection) => collection.text === text);
  }
}
