/** The collections whose pages cannot be read: they are refused, and the others are served. */
import { StoreError } from 'dossier-language/errors';
import { DiskFault } from '../storage/faults.ts';
import type { Collection } from './collection.ts';

/** MongoDB's FileStreamFailed and DataCorruptionDetected. */
const codes = { unreadable: 39, damaged: 301 } as const;

/** Whether an error says that a collection is damaged. */
export const isDamage = (error: unknown): boolean => error instanceof StoreError && error.code === codes.damaged;

const damaged = (ns: string, reason: string): StoreError =>
  new StoreError(codes.damaged, `the collection ${ns} is damaged, and refused until it is dropped: ${reason}`);

/** The damage that was found since the start. */
export class Damage {
  readonly #collections: () => readonly Collection[];
  readonly #onWarning: (message: string) => void;
  /** Why a page of a tree cannot be read, by the number of the tree. */
  readonly #reasons = new Map<number, string>();

  constructor(collections: () => readonly Collection[], onWarning: (message: string) => void) {
    this.#collections = collections;
    this.#onWarning = onWarning;
  }

  /**
   * Records that a page of a tree cannot be read. A disk that fails is no damage: the next command tries again.
   * @returns the error for the command that needs the page; the given one for a tree that no collection has
   */
  record(tree: number, fault: Error): Error {
    if (fault instanceof DiskFault) return new StoreError(codes.unreadable, fault.message);
    const collection = this.#collections().find(({ stored }) => stored.some((one) => one.tree.store?.id === tree));
    if (collection === undefined) return fault;
    const isNew = !this.has(collection);
    this.#reasons.set(tree, fault.message);
    if (isNew)
      this.#onWarning(
        `The collection ${collection.ns} is refused until it is dropped; the others are served. ${fault.message}`,
      );
    return damaged(collection.ns, fault.message);
  }

  /** Whether a tree is damaged. */
  isIn(tree: number | undefined): boolean {
    return tree !== undefined && this.#reasons.has(tree);
  }

  /** Whether a collection is damaged. */
  has(collection: Collection): boolean {
    return this.#reasonOf(collection) !== undefined;
  }

  /** @throws StoreError 301 for a damaged collection */
  check(collection: Collection | undefined): void {
    const reason = collection && this.#reasonOf(collection);
    if (reason !== undefined) throw damaged(collection?.ns ?? '', reason);
  }

  #reasonOf({ stored }: Collection): string | undefined {
    if (this.#reasons.size === 0) return undefined;
    for (const { tree } of stored) {
      const reason = tree.store && this.#reasons.get(tree.store.id);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }
}
