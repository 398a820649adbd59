/**
 * The pages that the newest trees no longer contain. They are deleted once the roots on disk do not contain them either,
 * and no older version of a tree that may need them is left.
 */
import { Binary } from 'bson';
import { decode, encode } from 'dossier-language/values';
import type { PutRecord } from '../../storage/storage.ts';
import type { Ref } from './node.ts';

/** A reference that the newest tree no longer contains. Its page is known later if it is being written. */
type Superseded = Pick<Ref<unknown, unknown>, 'page'>;

/** Pages that the roots on disk no longer contain. */
interface Batch {
  /** The record that lists the pages. */
  readonly id: number;
  /** Versions of this epoch and earlier ones may need the pages. */
  readonly epoch: number;
  readonly pages: number[];
}

/** The obsolete pages of a data file. */
export class Garbage {
  #epoch = 0;
  #nextRecord = 1;
  /** Superseded in this epoch. */
  #current: Superseded[] = [];
  /** Superseded in earlier epochs, but still below the roots on disk. */
  #sealed: Superseded[] = [];
  /** Superseded by changes that a checkpoint makes itself: the roots that it writes do not contain them. */
  #replaced: number[] = [];
  #batches: Batch[] = [];
  readonly #livingEpochs = new Set<number>();
  readonly #registry = new FinalizationRegistry<number>((epoch) => this.#livingEpochs.delete(epoch));
  #token: object;

  constructor() {
    this.#token = this.#makeToken();
  }

  #makeToken(): object {
    const token = {};
    this.#livingEpochs.add(this.#epoch);
    this.#registry.register(token, this.#epoch);
    return token;
  }

  /** The token of this epoch. A version of a tree holds it as long as it may need pages. */
  get token(): object {
    return this.#token;
  }

  /** Adds a node that the newest tree no longer contains. */
  add(ref: Superseded): void {
    this.#current.push(ref);
  }

  /** Adds a page that neither the newest tree nor the roots of the running checkpoint contain. */
  addReplaced(page: number): void {
    this.#replaced.push(page);
  }

  /** Nothing is being written now: a node without a page gets none. */
  settle(): void {
    this.#current = this.#current.filter(({ page }) => page > 0).map(({ page }) => ({ page }));
  }

  /** Starts an epoch: the trees are frozen for a checkpoint. */
  seal(): void {
    for (const ref of this.#current.splice(0)) this.#sealed.push(ref);
    this.#advance();
  }

  #advance(): void {
    this.#epoch += 1;
    this.#token = this.#makeToken();
  }

  /** The checkpoint makes no more changes: versions from now on do not need the pages that it has replaced. */
  sealReplaced(): void {
    if (this.#replaced.length === 0) return;
    for (const page of this.#replaced.splice(0)) this.#sealed.push({ page });
    this.#advance();
  }

  /** The record of the pages that are not below the roots of the checkpoint; undefined if there are none. */
  record(): PutRecord | undefined {
    const pages = this.#sealedPages();
    if (pages.length === 0) return undefined;
    const bytes = Buffer.from(Float64Array.from(pages).buffer);
    return { id: this.#nextRecord, bytes: encode({ pages: new Binary(bytes) }) };
  }

  #sealedPages(): number[] {
    return this.#sealed.map(({ page }) => page).filter((page) => page > 0);
  }

  /** The roots on disk are those of the checkpoint. */
  flipped(): void {
    const pages = this.#sealedPages();
    this.#sealed = [];
    if (pages.length === 0) return;
    this.#batches.push({ id: this.#nextRecord, epoch: this.#epoch - 1, pages });
    this.#nextRecord += 1;
  }

  /**
   * Restores a record from the data file: its pages were not all deleted before the end of the process.
   * @returns the highest of its pages
   */
  restore(id: number, bytes: Uint8Array): number {
    const { pages } = decode(bytes);
    if (!(pages instanceof Binary)) throw new Error(`the record ${id} of obsolete pages is invalid`);
    const copy = Uint8Array.from(pages.value());
    const listed = [...new Float64Array(copy.buffer)];
    this.#batches.push({ id, epoch: -1, pages: listed });
    this.#nextRecord = Math.max(this.#nextRecord, id + 1);
    return listed.reduce((highest, page) => Math.max(highest, page), 0);
  }

  /**
   * Takes up to `count` pages that can be deleted; undefined if there are none.
   * @returns the pages, and their record if no others of it remain
   */
  take(count: number): { readonly pages: readonly number[]; readonly record: number | undefined } | undefined {
    const oldest = Math.min(...this.#livingEpochs);
    const at = this.#batches.findIndex(({ epoch }) => epoch < oldest);
    const batch = this.#batches[at];
    if (batch === undefined) return undefined;
    const pages = batch.pages.splice(0, count);
    if (batch.pages.length > 0) return { pages, record: undefined };
    this.#batches.splice(at, 1);
    return { pages, record: batch.id };
  }
}
