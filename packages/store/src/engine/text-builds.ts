/** Builds the text indexes of loaded collections. Small ones are ready at the start, others while the store answers already. */
import type { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import type { TextTree } from './text-tree.ts';

/** Documents that are read at the start; the words of more take longer than somebody waits for it. */
const atStart = 2_000;
/** Milliseconds of work before others go first. */
const sliceMs = 5;

/** The text indexes that are not complete yet. */
export class TextBuilds {
  readonly #catalog: Catalog;
  #stopped = false;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Builds what is small, and begins with the rest. */
  async start(): Promise<void> {
    const left = this.#catalog.all.filter(({ text }) => text?.ready === false);
    for (const collection of left.filter(({ size }) => size <= atStart)) await this.#build(collection);
    void this.#buildAll(left.filter(({ size }) => size > atStart));
  }

  async #buildAll(collections: readonly Collection[]): Promise<void> {
    for (const collection of collections) await this.#build(collection);
  }

  /** Ends all work; an index that is not complete is built at the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /** Writes go into the index at once, so a document that was changed since this began is in it already. */
  async #build(collection: Collection): Promise<void> {
    const { text } = collection;
    if (text === undefined) return;
    let owner = collection;
    let begun = performance.now();
    for (const block of collection.scan()) {
      for (const stored of block) {
        if (owner.latest(stored) === stored) text.add(stored);
        if (performance.now() - begun < sliceMs) continue;
        await new Promise((resolve) => setImmediate(resolve));
        if (this.#stopped) return;
        owner = this.#ownerOf(text) ?? owner;
        begun = performance.now();
      }
    }
    text.ready = true;
  }

  /** The collection of an index, which may have got another name. */
  #ownerOf(text: TextTree): Collection | undefined {
    return this.#catalog.all.find((collection) => collection.text === text);
  }
}
