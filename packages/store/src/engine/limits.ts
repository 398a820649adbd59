/** The limits of the store and their defaults. */

/** The limits of a store. */
export interface Limits {
  /** Maximum documents of a store in memory, in all collections together. */
  readonly documents: number;
  /** Maximum bytes of all documents of a store in memory, as BSON. */
  readonly dataBytes: number;
  /** Maximum bytes of all documents of a store on disk, as BSON; 0: as many as the disk has space for. */
  readonly maxBytes: number;
  /** Free bytes of the disk below which new documents are refused. */
  readonly diskReserveBytes: number;
  /** Free bytes of the disk below which the store warns. */
  readonly diskWarningBytes: number;
  /** Reserve above `documents` for collections whose names start with an underscore. */
  readonly reserveDocuments: number;
  /** Reserve above `dataBytes` or `maxBytes` for these collections; documents that grow a little may use half of it. */
  readonly reserveBytes: number;
  /** Maximum bytes of one document as BSON; MongoDB has the same limit. */
  readonly documentBytes: number;
  /** Maximum bytes that one command gathers for a sort, a group or a join. */
  readonly commandBytes: number;
  /** Maximum estimated bytes of the changes of a transaction, and of the documents that `$out` writes and replaces. */
  readonly transactionBytes: number;
  /** Maximum estimated bytes of tree nodes in memory that are on disk too. */
  readonly cacheBytes: number;
  /** Maximum estimated bytes of documents on disk, or fields of them, whose values are in memory too. */
  readonly decodedBytes: number;
  /** Estimated bytes of tree nodes and words that are only in memory, from which on a checkpoint writes them. */
  readonly dirtyBytes: number;
  /** Estimated bytes of the changes of text indexes in memory, from which on a checkpoint merges them. */
  readonly pendingBytes: number;
  /** Bytes of the log from which on a checkpoint makes it obsolete. A start repeats the log. */
  readonly logBytes: number;
  /** Change events in memory: all that a store in memory retains for resuming, and the latest of a store on disk. */
  readonly historyEvents: number;
  /** Maximum bytes of the change events in memory. */
  readonly historyBytes: number;
  /**
   * Maximum bytes of the change events in the data file; from half of it on, writers wait for slow change streams. The
   * oldest are removed.
   */
  readonly eventLogBytes: number;
  /** Hours after which a change event is removed from the data file. */
  readonly eventLogHours: number;
  /**
   * Maximum change events that a store in memory retains for a slow change stream; from half of it on, writers wait for
   * the stream.
   */
  readonly heldEvents: number;
  /** Maximum bytes of these events; from half of it on, writers wait. */
  readonly heldBytes: number;
  /** Maximum milliseconds that a writing command waits for slow change streams. */
  readonly writeHoldMs: number;
  /**
   * Milliseconds without a read after which a change stream is inactive: no events are retained and no writer waits for
   * it.
   */
  readonly readerMs: number;
  /** Maximum bytes of before-images for change streams that request them. */
  readonly imageBytes: number;
  /** Milliseconds that a command runs before it yields to others. */
  readonly sliceMs: number;
  /** Milliseconds that a command holds the write lock before it yields to waiting writers. */
  readonly writeLockMs: number;
  /** Bytes that a command writes before it submits them and waits for the disk. */
  readonly writeLockBytes: number;
  /** Milliseconds without a heartbeat after which the worker thread is restarted. */
  readonly stallMs: number;
  /** Milliseconds before a restart after repeated restarts within an hour. */
  readonly restartPauseMs: number;
  /** Heap limit of the worker thread in megabytes. */
  readonly heapMegabytes: number;
  /**
   * Heap limit of a store on disk, if it is lower: its data are not in the heap. From 2,048 on, V8 lets the heap grow to
   * four times what is in use.
   */
  readonly diskHeapMegabytes: number;
  /** Maximum open connections. */
  readonly connections: number;
  /** Minutes of inactivity after which a session and its cursors end. */
  readonly sessionMinutes: number;
  /** Seconds after which an open transaction is aborted. */
  readonly transactionSeconds: number;
  /** Seconds between two removals of expired documents. */
  readonly expirySeconds: number;
}

const megabyte = 1024 * 1024;

/** The default limits. */
export const defaultLimits: Limits = {
  documents: 250_000,
  dataBytes: 512 * megabyte,
  maxBytes: 0,
  diskReserveBytes: 64 * megabyte,
  diskWarningBytes: 1024 * megabyte,
  reserveDocuments: 10_000,
  reserveBytes: 16 * megabyte,
  documentBytes: 16 * megabyte,
  commandBytes: 100 * megabyte,
  transactionBytes: 256 * megabyte,
  cacheBytes: 24 * megabyte,
  decodedBytes: 16 * megabyte,
  dirtyBytes: 56 * megabyte,
  pendingBytes: 24 * megabyte,
  logBytes: 16 * megabyte,
  historyEvents: 10_000,
  historyBytes: 16 * megabyte,
  eventLogBytes: 1024 * megabyte,
  eventLogHours: 24,
  heldEvents: 100_000,
  heldBytes: 64 * megabyte,
  writeHoldMs: 2_000,
  readerMs: 10_000,
  imageBytes: 16 * megabyte,
  sliceMs: 5,
  writeLockMs: 10,
  writeLockBytes: 4 * megabyte,
  stallMs: 20_000,
  restartPauseMs: 60_000,
  heapMegabytes: 2_048,
  diskHeapMegabytes: 1_024,
  connections: 1_000,
  sessionMinutes: 30,
  transactionSeconds: 60,
  expirySeconds: 60,
};

/** Maximum bytes of a cursor batch. */
export const batchBytes = 16 * megabyte;
