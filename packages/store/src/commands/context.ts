/** The context of a command and the shape of a row of the command table. */
import type { Doc } from 'dossier-language/values';
import type { Engine } from '../engine/engine.ts';
import type { Operation, Sender } from '../engine/operation.ts';
import type { Session } from '../engine/sessions.ts';
import type { Store } from '../engine/store.ts';
import type { DocumentCheck } from '../engine/validation.ts';
import type { View } from '../engine/view.ts';
import type { WriteBatch } from '../engine/write-batch.ts';
import type { Login } from '../login/login.ts';
import type { Reply } from '../protocol.ts';
import type { WriteProgress } from './write-progress.ts';

/** A connection as commands use it. */
export interface Client extends Sender {
  /** Set by the first `hello`. */
  metadata: Doc | undefined;
  /** The address by which the client reached the store; `hello` reports it. */
  readonly host: string;
  readonly login: Login;
  /** Whether the connection has ended. */
  readonly isGone: boolean;
}

/** The context of one command. */
export interface Context {
  readonly engine: Engine;
  readonly store: Store;
  readonly client: Client;
  readonly body: Doc;
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>;
  readonly db: string;
  readonly operation: Operation;
  readonly session: Session | undefined;
  /** The documents to read and write: the store's, or those of the session's transaction. */
  readonly view: View;
  /** Collects the writes outside of transactions. */
  readonly batch: WriteBatch;
  /** Undefined for reads and in transactions. */
  readonly progress: WriteProgress | undefined;
  /** Checks what the command writes by the validators of collections. */
  readonly check: DocumentCheck;
}

/**
 * How a command accesses the store. Both kinds of writes take the write lock; of a retryable one, a repetition with the same `txnNumber`
 * gets the reply of the first. Commands of the kind `other` concern cursors, sessions and the server.
 */
export type CommandKind = 'read' | 'retryable write' | 'write' | 'other';

/** A row of the command table. */
export interface Command {
  readonly name: string;
  /** Alternative names. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Fields besides the command's own name and the fields that every command accepts. */
  readonly fields: readonly string[];
  /** Allowed in a transaction. */
  readonly inTransaction?: boolean;
  /** Allowed before authentication. */
  readonly beforeLogin?: boolean;
  /** A function if it depends on the body. */
  readonly kind: CommandKind | ((body: Doc) => CommandKind);
  /** Whether one step of a read, such as an expression on one document, may take long. It then waits for a turn. */
  readonly hasLongSteps?: (body: Doc) => boolean;
  readonly run: (context: Context) => Promise<Reply> | Reply;
}
