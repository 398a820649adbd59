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

/** The changes of one or more commands; they are written as one transaction. */
export interface Commit {
  readonly puts: readonly PutDocument[];
  readonly removes: readonly number[];
  readonly collections: readonly PutCollection[];
  /** Collections to remove with all their documents. */
  readonly dropped: readonly number[];
  readonly events: readonly { readonly sequence: number; readonly bytes: Uint8Array }[];
  /** Events before this one are removed. */
  readonly oldestEvent: number;
  readonly retries: readonly PutRetry[];
  readonly forgottenRetries: readonly string[];
}

/** Receives the loaded rows. */
export interface LoadTarget {
  collection(id: number, bytes: Uint8Array): void;
  document(sequence: number, collection: number, bytes: Uint8Array): void;
  event(sequence: number, bytes: Uint8Array): void;
  retry(session: string, bytes: Uint8Array): void;
}

/** Stores commits. */
export interface Storage {
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
  load: () => undefined,
  commit: () => undefined,
  probe: () => undefined,
  close: () => undefined,
};
