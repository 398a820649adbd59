/** Internal models, which the server keeps for itself: their names, collections and schemas. */
import { Schema, type SchemaDefinition } from 'mongoose';

/** Whose documents a password that a recovery mail sets ends: those of all users, or of users whose email was not verified. */
export type RecoveryEnd = 'always' | 'unverified';

/** The data of users in a collection. It is removed with the users. */
interface OfUsers {
  /** The path of the user's id. */
  readonly path: string;
  readonly endedByRecovery?: RecoveryEnd;
}

export interface InternalModel {
  /** Without the leading underscore by which the registry knows it. */
  readonly name: string;
  readonly collection: string;
  /** For data of users. */
  readonly ofUsers?: OfUsers;
  /** For documents of keys: the path of the digest of the secret. A key of before ends with it, and with the document. */
  readonly keySecretAt?: string;
  readonly schema: () => Schema;
}

const internal = { internal: true, cache: false };

/** The schema of an internal model. @param options further options of a model file */
export const internalSchema = (fields: SchemaDefinition, options: object = {}): Schema =>
  new Schema(fields, { ...internal, ...options } as object);

/** Types of fields besides those that JavaScript has. */
export const { ObjectId: objectId, Mixed: mixed } = Schema.Types;
