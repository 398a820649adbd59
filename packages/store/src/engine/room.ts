/** How much the store may hold, and what it keeps free for those changes that must work when it is full. */
import { storeFull } from 'dossier-language/errors';
import type { Limits } from './limits.ts';
import type { Stored } from './stored.ts';

/** How much documents are. */
export interface Amount {
  readonly documents: number;
  readonly bytes: number;
}

/** What a change adds; what it takes away is negative. */
export const added = (before: Stored | undefined, after: Stored | undefined): Amount => ({
  documents: (after ? 1 : 0) - (before ? 1 : 0),
  bytes: (after?.size ?? 0) - (before?.size ?? 0),
});

/** How much of the reserve a change may use: `none`, `half` or `all`. */
export type Share = 'none' | 'half' | 'all';

const shares: Readonly<Record<Share, number>> = { none: 0, half: 0.5, all: 1 };

/** Bytes by which a document may grow in a full store, such as by a mark that it is deleted. */
const smallGrowth = 256;

/**
 * The share of a change. Collections with an underscore before their name are a program's own books, such as its sessions:
 * they may use the whole reserve. Documents that are there may grow a little, up to half of it.
 */
export function shareOf(collection: string, before: Stored | undefined, after: Stored): Share {
  if (collection.startsWith('_')) return 'all';
  return before !== undefined && after.size - before.size <= smallGrowth ? 'half' : 'none';
}

/** The smaller one of two shares. */
export const smaller = (a: Share, b: Share): Share => (shares[a] < shares[b] ? a : b);

/** Checks changes against the limits of a store, and warns once when half of a limit is reached. */
export class Room {
  readonly #limits: Limits;
  readonly #warn: (message: string) => void;
  readonly #warned = new Set<string>();

  constructor(limits: Limits, warn: (message: string) => void) {
    this.#limits = limits;
    this.#warn = warn;
  }

  /** @throws StoreError 14031 when more does not fit */
  check(held: Amount, more: Amount, share: Share): void {
    const { documents, dataBytes, reserveDocuments, reserveBytes } = this.#limits;
    const part = shares[share];
    this.#bound('documents', held.documents, more.documents, documents, reserveDocuments * part);
    this.#bound('bytes of documents', held.bytes, more.bytes, dataBytes, reserveBytes * part);
  }

  #bound(what: string, held: number, more: number, limit: number, reserve: number): void {
    if (more > 0 && held + more > limit + reserve) throw storeFull(what, held, limit);
    if (held >= limit / 2 && !this.#warned.has(what)) {
      this.#warned.add(what);
      this.#warn(
        `The embedded store holds ${held} ${what}, half of what it may hold (${limit}). Think of setting MONGODB_URL.`,
      );
    }
  }
}
