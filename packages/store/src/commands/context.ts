/** What a command is given, and what a row of the command table is. */
import type { Engine } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import type { Session } from '../engine/sessions.ts';
import type { Store } from '../engine/store.ts';
import type { Unit } from '../engine/unit.ts';
import type { View } from '../engine/view.ts';
import type { Login } from '../login/login.ts';
import type { Doc } from 'dossier-language/values';
import type { Reply } from '../wire/reply.ts';
import type { WriteTurn } from './write-turn.ts';

/** A connection, as commands see it. */
export interface Client {
  readonly id: number;
  /** The address by which the client reached the store; `hello` says it. */
  readonly host: string;
  readonly login: Login;
}

/** One command under way. */
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
  /** Gathers what is written to the store as it is. */
  readonly unit: Unit;
  /** Undefined where nothing is written, and in transactions. */
  readonly turn: WriteTurn | undefined;
}

/** How a command touches documents: `write` waits for its turn, and is not done twice when the driver sends it again. */
export type CommandKind = 'read' | 'write' | 'change' | 'other';

/** A row of the command table. */
export interface Command {
  readonly name: string;
  /** Other names that it answers to. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Fields that it takes besides its own name and those that every command takes. */
  readonly fields: readonly string[];
  /** Allowed in a transaction. */
  readonly inTransaction?: boolean;
  /** Allowed for a client that has not signed in. */
  readonly beforeLogin?: boolean;
  /** `write` for documents, `change` for collections and indexes; a function where the body decides. */
  readonly kind: CommandKind | ((body: Doc) => CommandKind);
  readonly run: (context: Context) => Promise<Reply> | Reply;
}
