/** Tailable cursors: a query over a capped collection that continues with the documents that are inserted later. */
import { StoreError } from 'dossier-language/errors';
import type { Collection } from './collection.ts';
import type { CursorSource, LiveSource } from './cursors.ts';
import { collectionGone } from './matched-documents.ts';
import type { QueryContext } from './query-context.ts';
import type { Store } from './store.ts';
import type { StoredDocument } from './stored-document.ts';

/** What a tailable cursor returns. */
interface Tailing {
  readonly awaitsData: boolean;
  readonly skip: number;
  /** 0 means no limit. */
  readonly limit: number;
  readonly matches: (stored: StoredDocument) => boolean;
  readonly bytesOf: (stored: StoredDocument) => Uint8Array;
}

/** A tailable cursor, from the oldest document on. On an empty collection it ends at once, as in MongoDB. */
export class Tailable implements CursorSource {
  readonly ns: string;
  readonly work: QueryContext['work'];
  readonly live: LiveSource;
  readonly #store: Store;
  readonly #collection: Collection;
  readonly #tailing: Tailing;
  /** The last document that was read, matching or not. */
  #last: number | undefined;
  #skip: number;
  #left: number;

  constructor(store: Store, collection: Collection, { work }: QueryContext, tailing: Tailing) {
    this.ns = collection.ns;
    this.work = work;
    this.#store = store;
    this.#collection = collection;
    this.#tailing = tailing;
    this.#skip = tailing.skip;
    this.#left = tailing.limit === 0 ? Number.POSITIVE_INFINITY : tailing.limit;
    this.live = {
      awaitsData: tailing.awaitsData,
      outlivesCollection: false,
      wait: (milliseconds) => this.#wait(milliseconds),
      resumeToken: () => undefined,
    };
  }

  async next(): Promise<readonly (() => Uint8Array)[] | undefined> {
    this.#checkPlace();
    if (this.#left === 0 || (this.#last === undefined && this.#collection.size === 0)) return undefined;
    for (const block of this.#collection.after(this.#last ?? Number.NEGATIVE_INFINITY)) {
      const found = this.#taken(block);
      this.#last = block.at(-1)?.sequence ?? this.#last;
      if (found.length > 0) return found.map((stored) => () => this.#tailing.bytesOf(stored));
      await this.work.operation.yield();
    }
    return [];
  }

  /** The documents of a block that match, without those to skip, up to the limit. */
  #taken(block: readonly StoredDocument[]): readonly StoredDocument[] {
    const matching = block.filter(this.#tailing.matches);
    const found = matching.slice(this.#skip).slice(0, this.#left);
    this.#skip -= Math.min(this.#skip, matching.length);
    this.#left -= found.length;
    return found;
  }

  /** @throws StoreError 175 if the collection is gone, 136 if the last document that was read has been removed */
  #checkPlace(): void {
    const { db, name } = this.#collection;
    if (this.#store.catalog.find(db, name) !== this.#collection) throw collectionGone(this.#collection);
    if (this.#last === undefined || this.#collection.bySequence(this.#last) !== undefined) return;
    throw new StoreError(
      136,
      `CollectionScan died due to position in capped collection being deleted. Last seen record id: RecordId(${this.#last})`,
    );
  }

  async #wait(milliseconds: number): Promise<void> {
    const { operation } = this.work;
    await operation.wait(milliseconds, (callback) => this.#store.history.listen(callback));
    operation.checkTime();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
