/** Gathers what commands changed and writes what arrived together as one transaction; answers wait for it. */
import type { Commit, Storage } from '../storage/storage.ts';
import type { Step } from './unit.ts';

/** The parts of a commit that one command adds. */
export interface Contribution {
  /** Bytes by sequence; null takes the document away. */
  readonly documents: ReadonlyMap<number, { readonly collection: number; readonly bytes: Uint8Array } | null>;
  readonly collections: Commit['collections'];
  readonly dropped: readonly number[];
  readonly events: Commit['events'];
  readonly retries: Commit['retries'];
  readonly forgottenRetries: readonly string[];
  /** The number of its first event. */
  readonly firstEvent: number;
  /** How to take it back, first step first. */
  readonly steps: readonly Step[];
}

interface Group {
  readonly parts: Contribution[];
  rows: number;
  bytes: number;
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Rows and bytes after which a group is written without waiting for more: SQLite writes a group in one piece, in which
 * nobody else is served.
 */
const maxRows = 1000;
const maxBytes = 4 * 1024 * 1024;

/** Rows of the data file that a part writes; one that only ends or answers a session counts too. */
const rowsOf = ({ documents, events }: Contribution): number => 1 + documents.size + events.length;

function bytesOf({ documents, events }: Contribution): number {
  let bytes = 0;
  for (const put of documents.values()) bytes += put?.bytes.length ?? 0;
  for (const event of events) bytes += event.bytes.length;
  return bytes;
}

/** What a group commit works with. */
export interface GroupOptions {
  readonly storage: Storage;
  readonly oldestEvent: () => number;
  /** A group was written. */
  readonly took: () => void;
  /** A group was not written. Gives the error that its commands are answered with. */
  readonly failed: (parts: readonly Contribution[], error: unknown) => Error;
}

/** Writes contributions in groups: all that arrive while others are worked on. Nobody waits for those who are not there. */
export class GroupCommit {
  readonly #options: GroupOptions;
  #group: Group | undefined;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  /** Adds a command's part; the promise is kept when it is on disk. */
  add(part: Contribution): Promise<void> {
    const group = this.#group ?? this.#open();
    group.parts.push(part);
    group.rows += rowsOf(part);
    group.bytes += bytesOf(part);
    if (group.rows >= maxRows || group.bytes >= maxBytes) this.flush();
    return group.written;
  }

  /** Kept when all that has been added is on disk. */
  get written(): Promise<void> {
    return this.#group?.written ?? Promise.resolve();
  }

  #open(): Group {
    let resolve: () => void = () => undefined;
    let reject: (error: Error) => void = () => undefined;
    const written = new Promise<void>((kept, broken) => {
      resolve = kept;
      reject = broken;
    });
    written.catch(() => undefined);
    const group: Group = { parts: [], rows: 0, bytes: 0, written, resolve, reject };
    this.#group = group;
    this.#gather(group, 0);
    return group;
  }

  /** Writes a group once a look at the connections has brought no more. */
  #gather(group: Group, before: number): void {
    setImmediate(() => {
      const { length } = group.parts;
      if (this.#group !== group) return;
      if (length > before) this.#gather(group, length);
      else this.flush();
    });
  }

  /** Writes what has been gathered, at once. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    try {
      this.#options.storage.commit(this.#join(group.parts));
    } catch (error) {
      group.reject(this.#options.failed(group.parts, error));
      return;
    }
    this.#options.took();
    group.resolve();
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
      oldestEvent: this.#options.oldestEvent(),
      retries: [...retries].flatMap(([session, bytes]) => (bytes === null ? [] : [{ session, bytes }])),
      forgottenRetries: [...retries].flatMap(([session, bytes]) => (bytes === null ? [session] : [])),
    };
  }
}
