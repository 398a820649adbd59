/** A request and its reply, as `wire` reads and writes them and `commands` answers them. */
import type { Doc } from 'dossier-language/values';

/** Maximum bytes of a message; `hello` reports it. */
export const maxMessageLength = 48_000_000;

/** A command as it arrives. */
export interface Request {
  readonly requestId: number;
  /** The command without its long lists of documents. */
  readonly body: Doc;
  /** The lists of documents, as bytes: `documents` of an insert, `updates`, `deletes`. */
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>;
  /** The client doesn't wait for an answer (write concern 0). */
  readonly silent: boolean;
  /** The client wants the answer as OP_REPLY. */
  readonly legacy: boolean;
}

/** A batch of a cursor: its documents as bytes, and the fields beside them. */
export interface CursorBatch {
  readonly batchName: 'firstBatch' | 'nextBatch';
  readonly batch: readonly Uint8Array[];
  readonly id: bigint;
  readonly ns: string;
  readonly postBatchResumeToken?: Doc | undefined;
}

/** What a command answers: plain fields, with or without a cursor's batch. */
export interface Reply {
  readonly fields: Doc;
  readonly cursor?: CursorBatch;
}
