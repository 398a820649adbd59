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
  /** Whether callers read it, under the perms of its schema, by its name with a leading underscore. */
  readonly isOwn?: true;
  /** Whether all of its writes are commits, so that its changes are published, as those of the models of files are. */
  readonly publishes?: true;
  readonly schema: () => Schema;
}

const internal = { internal: true, cache: false };

/** The rights on an own model of users: admins read all documents, others their own ones. Its operations write it. */
export const readByTheirUsers = { admin: 'r', user: { r: { where: { user_id: '$user._id' } } } } as const;

/** A filter in JSON, which answers have as the value that it is. */
export const jsonText = {
  type: Schema.Types.Mixed,
  get: (stored: unknown): unknown => (typeof stored === 'string' ? JSON.parse(stored) : stored),
};

/** The schema of an internal model. @param options further options of a model file */
export const internalSchema = (fields: SchemaDefinition, options: object = {}): Schema =>
  new Schema(fields, { ...internal, ...options } as object);

/** Types of fields besides those that JavaScript has. */
export const { ObjectId: objectId, Mixed: mixed } = Schema.Types;
