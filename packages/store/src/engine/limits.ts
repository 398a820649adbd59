/** What the store allows: sizes, times and counts, with their defaults. */

/** The bounds of a store. */
export interface Limits {
  /** Documents in all collections together. */
  readonly documents: number;
  /** Bytes of all documents as BSON. */
  readonly dataBytes: number;
  /** Documents beyond the limit that only collections with an underscore before their name may hold. */
  readonly reserveDocuments: number;
  /** Bytes beyond the limit for these collections; half of them also for documents that grow a little. */
  readonly reserveBytes: number;
  /** Bytes of one document as BSON, as in MongoDB. */
  readonly documentBytes: number;
  /** Bytes that one command may gather for a sort, a group or a join. */
  readonly commandBytes: number;
  /** Encoded documents that are kept for the next answer, in bytes. */
  readonly encodedBytes: number;
  /** Change events that are kept for resuming. */
  readonly historyEvents: number;
  /** Bytes of the change events that are kept. */
  readonly historyBytes: number;
  /** Change events that are kept while an open change stream has not read them; from half of them on, writers wait for it. */
  readonly heldEvents: number;
  /** Bytes of these events, in the same way. */
  readonly heldBytes: number;
  /** Milliseconds that a writing command waits for change streams to read. */
  readonly holdMs: number;
  /** Milliseconds without a read after which nothing is kept for a change stream, and nobody waits for it. */
  readonly readerMs: number;
  /** Bytes of the images of documents before their changes that are kept for change streams which ask for them. */
  readonly imageBytes: number;
  /** Milliseconds a command works before it lets others go first. */
  readonly sliceMs: number;
  /** Milliseconds a command with many statements writes before it lets other writers go first. */
  readonly turnMs: number;
  /** Bytes that a command with many statements writes before it hands them to the disk and waits for it. */
  readonly turnBytes: number;
  /** Milliseconds without a sign of life after which the worker thread is started anew. */
  readonly stallMs: number;
  /** Milliseconds before the thread is started anew when that has happened often within an hour. */
  readonly restMs: number;
  /** Megabytes of the worker thread's heap. */
  readonly heapMegabytes: number;
  /** Connections at once. */
  readonly connections: number;
  /** Minutes without use after which a session and its cursors end. */
  readonly sessionMinutes: number;
  /** Seconds after which an open transaction is aborted. */
  readonly transactionSeconds: number;
  /** Seconds between two rounds of removing expired documents. */
  readonly expirySeconds: number;
}

const megabyte = 1024 * 1024;

/** The limits of a store that is not told otherwise. */
export const defaultLimits: Limits = {
  documents: 250_000,
  dataBytes: 512 * megabyte,
  reserveDocuments: 10_000,
  reserveBytes: 16 * megabyte,
  documentBytes: 16 * megabyte,
  commandBytes: 100 * megabyte,
  encodedBytes: 32 * megabyte,
  historyEvents: 10_000,
  historyBytes: 16 * megabyte,
  heldEvents: 100_000,
  heldBytes: 64 * megabyte,
  holdMs: 2_000,
  readerMs: 10_000,
  imageBytes: 16 * megabyte,
  sliceMs: 5,
  turnMs: 10,
  turnBytes: 4 * megabyte,
  stallMs: 20_000,
  restMs: 60_000,
  heapMegabytes: 2_048,
  connections: 1_000,
  sessionMinutes: 30,
  transactionSeconds: 60,
  expirySeconds: 60,
};

/** The longest batch of a cursor in bytes. */
export const batchBytes = 16 * megabyte;
