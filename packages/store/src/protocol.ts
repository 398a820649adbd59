/** A request and its reply, as `wire` reads and writes them and `commands` answers them. */
import type { Doc } from 'dossier-language/values';

/** Maximum bytes of a message; `hello` reports it. */
export const maxMessageLength = 48_000_000;

/** A decoded request. */
export interface Request {
  readonly requestId: number;
  /** The command without its document sequences. */
  readonly body: Doc;
  /** The document sequences as bytes: `documents` of an insert, `updates`, `deletes`. */
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>;
  /** The client expects no reply (write concern 0). */
  readonly silent: boolean;
  /** The client expects the reply as OP_REPLY. */
  readonly legacy: boolean;
}

/** A cursor batch: its documents as bytes, and the fields beside them. */
export interface CursorBatch {
  readonly batchName: 'firstBatch' | 'nextBatch';
  readonly batch: readonly Uint8Array[];
  readonly id: bigint;
  readonly ns: string;
  readonly postBatchResumeToken?: Doc | undefined;
}

/** The reply of a command: fields, with or without a cursor batch. */
export interface Reply {
  readonly fields: Doc;
  readonly cursor?: CursorBatch;
}
