/**
 * What a request writes, as plain values (types only). Operations read them from requests; nothing below `operations/` knows a request
 * (test/architecture/intents.test.ts).
 */
import type { Json } from '../models/plain-object.ts';
import type { Grant } from '../policy/grants.ts';

export interface WriteIntent {
  /** Subscribers are not notified. */
  readonly silent: boolean;
  /** The reactions of the project are not called. */
  readonly skipsReactions?: boolean;
}

/** A document that a caller names, with the grant that the write requires. */
export interface Target {
  /** The id as text; undefined is refused like any other text that is no id. */
  readonly id: string | undefined;
  readonly grant: Grant;
}

/** How the passwords among values are read. */
export interface PasswordInput {
  /** The id of the document that the values change; undefined for a new document, and for many. */
  readonly id?: string | undefined;
  /** `hashed`: all of them are hashes, which only admins may send; `mixed`: hashes among them are stored as they are. */
  readonly passwords: 'plain' | 'hashed' | 'mixed';
}

/** What the application writes with the values of a caller. */
export interface Assignments {
  /** Values by the names of fields, which replace what the caller gives for them. */
  readonly assignments?: Json | undefined;
}

/** Values of a caller: of a new document, or with an id of one that they change. */
export interface ValuesIntent extends WriteIntent, PasswordInput, Assignments {
  readonly input: unknown;
}

/** Values that change the document of a target. */
export interface ChangeIntent extends ValuesIntent, Target {
  readonly id: string | undefined;
}

/** What the input of a patch is: fields or update operators, a merge patch (RFC 7396), or a JSON Patch (RFC 6902). */
export interface PatchIntent extends ChangeIntent {
  readonly format: 'fields' | 'mergePatch' | 'jsonPatch';
}

/** Values of a new document, or of the one that has the same values in the fields of a unique index. */
export interface UpsertIntent extends ValuesIntent {
  /** The fields of the index. */
  readonly on: readonly string[];
}

export interface RemoveIntent extends WriteIntent, Target {
  readonly permanently: boolean;
  /** Whether linking documents are deleted, too. */
  readonly cascades: boolean;
}
