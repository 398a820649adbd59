/** The interface between the engine and the data file (types), and the storage in memory. */

/** A document to write. */
interface PutDocument {
  readonly sequence: number;
  readonly collection: number;
  readonly bytes: Uint8Array;
}

/** The record of a collection, as BSON. */
interface PutCollection {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The record of a retryable write, so that a retry does not repeat the write. */
interface PutRetry {
  readonly session: string;
  readonly bytes: Uint8Array;
}

/** A change event, numbered without gaps. */
export interface PutEvent {
  readonly sequence: number;
  /** Bytes of all events up to this one, since the first event of the data file. */
  readonly total: number;
  readonly bytes: Uint8Array;
}

/** The change events on disk. Its methods throw a DamagedFile if the file does not contain what was written to it. */
export interface EventLog {
  /** The number of the oldest event; undefined if there is none. */
  readonly first: number | undefined;
  /** The newest event. */
  readonly last: PutEvent | undefined;
  /** The events from a number on and before another, up to a number of bytes but at least one. */
  read(from: number, before: number, maxBytes: number): readonly PutEvent[];
  /** Removes some of the events before a number; returns whether more are left. @throws as `commit` does */
  prune(oldest: number): boolean;
}

/** The changes of one or more commands; they are written as one transaction. */
export interface Commit {
  readonly puts: readonly PutDocument[];
  readonly removes: readonly number[];
  readonly collections: readonly PutCollection[];
  /** Collections to remove with all their documents. */
  readonly dropped: readonly number[];
  readonly events: readonly PutEvent[];
  /** Events before this one are obsolete. */
  readonly oldestEvent: number;
  readonly retries: readonly PutRetry[];
  readonly forgottenRetries: readonly string[];
}

/** Receives the loaded rows. */
export interface LoadTarget {
  collection(id: number, bytes: Uint8Array): void;
  document(sequence: number, collection: number, bytes: Uint8Array): void;
  retry(session: string, bytes: Uint8Array): void;
}

/** Stores commits. */
export interface Storage {
  /** Undefined if events are not stored. */
  readonly events: EventLog | undefined;
  /** Reads the free bytes of the disk; undefined for a storage in memory. */
  readonly freeBytes: (() => number) | undefined;
  load(target: LoadTarget): void;
  /**
   * Writes a commit atomically and durably.
   * @throws DiskFault if the disk refused it, ForeignWrite if another program has written to the file
   */
  commit(commit: Commit): void;
  /** Writes a small record, to find out whether the disk accepts writes. @throws as `commit` does */
  probe(): void;
  close(): void;
}

/** Stores nothing: the store in memory. */
export const memoryStorage: Storage = {
  events: undefined,
  freeBytes: undefined,
  load: () => undefined,
  commit: () => undefined,
  probe: () => undefined,
  close: () => undefined,
};
