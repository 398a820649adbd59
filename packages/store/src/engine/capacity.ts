/** The capacity of the store, and the reserve for changes that must work when it is full. */
import { storeFull } from 'dossier-language/errors';
import type { DiskSpace } from './disk-space.ts';
import type { Limits } from './limits.ts';
import type { StoredDocument } from './stored-document.ts';

/** A number of documents and their bytes. */
export interface Amount {
  readonly documents: number;
  readonly bytes: number;
}

/** The amount that a change adds; negative for a removal. */
export const added = (before: StoredDocument | undefined, after: StoredDocument | undefined): Amount => ({
  documents: (after ? 1 : 0) - (before ? 1 : 0),
  bytes: (after?.size ?? 0) - (before?.size ?? 0),
});

/** The part of the reserve that a change may use. */
export type Share = 'none' | 'half' | 'all';

const shares: Readonly<Record<Share, number>> = { none: 0, half: 0.5, all: 1 };

/** Maximum growth in bytes of a document in a full store, enough for a deletion mark. */
const smallGrowth = 256;

/**
 * The share of a change. Collections whose names start with an underscore hold internal data, such as sessions, and may
 * use the whole reserve. Existing documents may grow a little and use up to half of it.
 */
export function shareOf(collection: string, before: StoredDocument | undefined, after: StoredDocument): Share {
  if (collection.startsWith('_')) return 'all';
  return before !== undefined && after.size - before.size <= smallGrowth ? 'half' : 'none';
}

/** The smaller of two shares. */
export const smaller = (a: Share, b: Share): Share => (shares[a] < shares[b] ? a : b);

/** A limit, and how far a change may go beyond it. */
interface Bound {
  readonly limit: number;
  readonly reserve: number;
}

/**
 * Checks changes against the limits of a store, and warns once when half of a limit is reached. A store on disk is
 * limited by `maxBytes` and by the disk, a store in memory by `documents` and `dataBytes`.
 */
export class Capacity {
  readonly #limits: Limits;
  readonly #space: DiskSpace | undefined;
  readonly #warn: (message: string) => void;
  readonly #warned = new Set<string>();

  /** @param space the disk; undefined for a store in memory */
  constructor(limits: Limits, space: DiskSpace | undefined, warn: (message: string) => void) {
    this.#limits = limits;
    this.#space = space;
    this.#warn = warn;
  }

  /** @throws StoreError 14031 if the change does not fit */
  check(held: Amount, more: Amount, share: Share): void {
    const { documents, dataBytes, maxBytes, reserveDocuments, reserveBytes } = this.#limits;
    const part = shares[share];
    const reserve = reserveBytes * part;
    if (this.#space === undefined) {
      this.#bound('documents', held.documents, more.documents, { limit: documents, reserve: reserveDocuments * part });
      this.#bound('bytes of documents', held.bytes, more.bytes, { limit: dataBytes, reserve });
    } else {
      if (maxBytes > 0) this.#bound('bytes of documents', held.bytes, more.bytes, { limit: maxBytes, reserve });
      if (more.bytes > 0 && share === 'none') this.#space.check(more.bytes);
    }
  }

  #bound(what: string, held: number, more: number, { limit, reserve }: Bound): void {
    if (more > 0 && held + more > limit + reserve) throw storeFull(what, held, limit);
    if (held >= limit / 2 && !this.#warned.has(what)) {
      this.#warned.add(what);
      this.#warn(
        `The embedded store contains ${held} ${what}, half of its limit (${limit}). Consider a MongoDB server.`,
      );
    }
  }
}
