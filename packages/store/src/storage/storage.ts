/** The interface between the engine and the data file (types), and the storage in memory. */

/** A change of a document. */
export interface LogEntry {
  readonly collection: number;
  readonly sequence: number;
  readonly version: number;
  /** The document as BSON; undefined if it was removed. */
  readonly bytes: Uint8Array | undefined;
}

/** A record with a number, as BSON. */
export interface PutRecord {
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
  readonly changes: readonly LogEntry[];
  readonly collections: readonly PutRecord[];
  /** Collections to remove. */
  readonly dropped: readonly number[];
  /** Trees that no collection has any more. */
  readonly droppedTrees: readonly number[];
  readonly events: readonly PutEvent[];
  /** Events before this one are obsolete. */
  readonly oldestEvent: number;
  readonly retries: readonly PutRetry[];
  readonly removedRetries: readonly string[];
}

/** Receives the loaded rows, in the order of the methods. */
export interface LoadTarget {
  /** The last change of the log that the roots contain; known once the roots are loaded. */
  readonly checkpoint: number;
  /** The root of a tree; tree 0 is the state of the store. */
  root(tree: number, bytes: Uint8Array): void;
  garbage(id: number, bytes: Uint8Array): void;
  collection(id: number, bytes: Uint8Array): void;
  change(entry: LogEntry): void;
  retry(session: string, bytes: Uint8Array): void;
}

/** A page of a tree to write. */
export interface PutPage {
  readonly id: number;
  readonly tree: number;
  readonly bytes: Uint8Array;
}

/** The end of a checkpoint: new roots replace the old ones, and the log before them is obsolete. */
export interface Flip {
  /** Roots by tree; the state of the store as tree 0. */
  readonly roots: readonly PutRecord[];
  /** The pages that the new roots do not need. */
  readonly garbage: PutRecord | undefined;
}

/** The pages of the data file. Every method is one transaction. */
export interface PageFile {
  /** The highest number of a page. */
  readonly lastPage: number;
  /** The trees that have pages. */
  trees(): readonly number[];
  /** The content of a page. @throws DamagedFile if it is missing or has changed */
  read(page: number): Uint8Array;
  /** Writes pages, and roots of trees that no collection has yet. */
  write(pages: readonly PutPage[], roots?: readonly PutRecord[]): void;
  flip(flip: Flip): void;
  /** Reads all pages. @throws DamagedFile if one has changed, or if the structure of the file is damaged */
  verify(): void;
  /** Deletes pages, and the record that lists them. */
  delete(pages: readonly number[], record?: number): void;
  /** Deletes up to `count` pages of a tree above a page; false if none remain. */
  sweep(tree: number, above: number, count: number): boolean;
  /** Deletes up to `count` pages of a tree that no collection has, and its root with the last ones; false after that. */
  dropTree(tree: number, count: number): boolean;
  /** Deletes up to `count` changes of the log up to number `logged`; false if none remain. */
  trimLog(logged: number, count: number): boolean;
}

/** Bytes of the file system of a data file: those that a user without privileges can still write, and all. */
export interface DiskSize {
  readonly free: number;
  readonly total: number;
}

/** Stores commits. */
export interface Storage {
  /** The pages of trees; undefined if trees stay in memory. */
  readonly pages: PageFile | undefined;
  /** The number of the last change in the log. */
  readonly logged: number;
  /** Undefined if events are not stored. */
  readonly events: EventLog | undefined;
  /** Reads the size of the disk; undefined for a storage in memory. */
  readonly diskSize: (() => DiskSize) | undefined;
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
  pages: undefined,
  logged: 0,
  events: undefined,
  diskSize: undefined,
  load: () => undefined,
  commit: () => undefined,
  probe: () => undefined,
  close: () => undefined,
};
