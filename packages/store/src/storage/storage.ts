/** What is kept on disk: the shape of a commit, of what is loaded, and of the place that keeps it. */

/** A document to be written. */
export interface PutDocument {
  readonly sequence: number;
  readonly collection: number;
  readonly bytes: Uint8Array;
}

/** A collection's entry in the catalogue, as BSON. */
export interface PutCollection {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The answer to a retryable write, kept so that the write is not done twice. */
export interface PutRetry {
  readonly session: string;
  readonly bytes: Uint8Array;
}

/** Everything that one or more commands changed; it is written as one transaction. */
export interface Commit {
  readonly puts: readonly PutDocument[];
  readonly removes: readonly number[];
  readonly collections: readonly PutCollection[];
  /** Collections that go with all their documents. */
  readonly dropped: readonly number[];
  readonly events: readonly { readonly sequence: number; readonly bytes: Uint8Array }[];
  /** Events before this one are no longer kept. */
  readonly oldestEvent: number;
  readonly retries: readonly PutRetry[];
  readonly forgottenRetries: readonly string[];
}

/** What takes what was loaded, row by row. */
export interface LoadTarget {
  collection(id: number, bytes: Uint8Array): void;
  document(sequence: number, collection: number, bytes: Uint8Array): void;
  event(sequence: number, bytes: Uint8Array): void;
  retry(session: string, bytes: Uint8Array): void;
}

/** A place that keeps commits. */
export interface Storage {
  load(target: LoadTarget): void;
  /** Writes a commit so that it survives a crash; it is written wholly or not at all. */
  /** @throws DiskFault when the disk did not take it, ForeignWrite when another program has written to the file */
  commit(commit: Commit): void;
  /** Writes something small, to find out whether the disk takes writes. @throws as `commit` does */
  probe(): void;
  close(): void;
}

/** Keeps nothing: the store in memory. */
export const memoryStorage: Storage = {
  load: () => undefined,
  commit: () => undefined,
  probe: () => undefined,
  close: () => undefined,
};
