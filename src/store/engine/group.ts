/** Gathers what commands changed and writes what arrived together as one transaction; answers wait for it. */
import type { Commit, Storage } from '../storage/storage.ts';

/** The parts of a commit that one command adds. */
export interface Contribution {
  /** Bytes by sequence; null takes the document away. */
  readonly documents: ReadonlyMap<number, { readonly collection: number; readonly bytes: Uint8Array } | null>;
  readonly collections: Commit['collections'];
  readonly dropped: readonly number[];
  readonly events: Commit['events'];
  readonly retries: Commit['retries'];
  readonly forgottenRetries: readonly string[];
}

interface Group {
  readonly parts: Contribution[];
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds of a commit from which on it is worth waiting for more to write at once. */
const slowCommit = 2;
/** Milliseconds that a group waits for others at most. */
const patience = 1;

/** Writes contributions in groups: on a slow disk, as many at once as are about to come. A single writer is not held up. */
export class GroupCommit {
  readonly #storage: Storage;
  readonly #oldestEvent: () => number;
  readonly #failed: (error: Error) => void;
  #group: Group | undefined;
  /** Contributions after which it is no use to wait for more: as many as came lately. */
  #enough = 1;
  #lastMs = 0;

  constructor(storage: Storage, oldestEvent: () => number, failed: (error: Error) => void) {
    this.#storage = storage;
    this.#oldestEvent = oldestEvent;
    this.#failed = failed;
  }

  /** Adds a command's part; the promise is kept when it is on disk. */
  add(part: Contribution): Promise<void> {
    const group = this.#group ?? this.#open();
    this.#group = group;
    group.parts.push(part);
    const flush = (): void => {
      if (this.#group === group) this.flush();
    };
    if (this.#lastMs < slowCommit || group.parts.length >= this.#enough) setImmediate(flush);
    else if (group.parts.length === 1) setTimeout(flush, patience);
    return group.written;
  }

  #open(): Group {
    let resolve: () => void = () => undefined;
    let reject: (error: Error) => void = () => undefined;
    const written = new Promise<void>((kept, broken) => {
      resolve = kept;
      reject = broken;
    });
    written.catch(() => undefined);
    return { parts: [], written, resolve, reject };
  }

  /** Writes what has been gathered, at once. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    const { length } = group.parts;
    this.#group = undefined;
    this.#enough = length > 1 && length >= this.#enough ? length + 1 : length;
    const begun = performance.now();
    try {
      this.#storage.commit(this.#join(group.parts));
      this.#lastMs = performance.now() - begun;
      group.resolve();
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      this.#failed(failure);
      group.reject(failure);
    }
  }

  #join(parts: readonly Contribution[]): Commit {
    const documents = new Map<number, { readonly collection: number; readonly bytes: Uint8Array } | null>();
    const collections = new Map<number, Uint8Array>();
    const dropped = new Set<number>();
    const retries = new Map<string, Uint8Array | null>();
    for (const part of parts) {
      for (const id of part.dropped) dropped.add(id);
      for (const [sequence, put] of part.documents) documents.set(sequence, put);
      for (const { id, bytes } of part.collections) collections.set(id, bytes);
      for (const { session, bytes } of part.retries) retries.set(session, bytes);
      for (const session of part.forgottenRetries) retries.set(session, null);
    }
    const living = [...documents].filter(([, put]) => put === null || !dropped.has(put.collection));
    return {
      puts: living.flatMap(([sequence, put]) => (put === null ? [] : [{ sequence, ...put }])),
      removes: living.flatMap(([sequence, put]) => (put === null ? [sequence] : [])),
      collections: [...collections].filter(([id]) => !dropped.has(id)).map(([id, bytes]) => ({ id, bytes })),
      dropped: [...dropped],
      events: parts.flatMap((part) => part.events),
      oldestEvent: this.#oldestEvent(),
      retries: [...retries].flatMap(([session, bytes]) => (bytes === null ? [] : [{ session, bytes }])),
      forgottenRetries: [...retries].flatMap(([session, bytes]) => (bytes === null ? [session] : [])),
    };
  }
}
