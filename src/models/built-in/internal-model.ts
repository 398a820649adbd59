/** Internal models, which the server keeps for itself: their names, collections and schemas. */
import type { Sender } from 'dossier-client';
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

/** What the `api` of a function has besides: the functions of own models invoke operations by it, as its caller. */
export const operationSender = Symbol('operations');
export interface OperationApi {
  readonly [operationSender]: Sender;
}

/** An action of an own model: a function that is called on one of its documents, and invokes an operation of the server. */
interface Action {
  readonly operation: `${string}.${string}`;
  /** The named parts of the operation's path; the id of the document by default. */
  readonly params?: (document: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
}

/**
 * The schema of an internal model.
 * @param options further options of a model file
 * @param actions by the names of their functions. Those who read a document may call them on it; the operation checks its own right.
 */
export function internalSchema(
  fields: SchemaDefinition,
  options: object = {},
  actions: Readonly<Record<string, Action>> = {},
): Schema {
  const names = Object.keys(actions);
  const callable = Object.fromEntries(names.map((name) => [name, { needs: 'r', on: 'document' }]));
  const schema = new Schema(fields, { ...internal, callable_statics: callable, ...options } as object);
  for (const [name, action] of Object.entries(actions)) schema.static(name, functionOf(action));
  return schema;
}

const ownId = ({ _id }: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => ({ id: String(_id) });

const functionOf =
  ({ operation, params = ownId }: Action) =>
  async (
    document: Readonly<Record<string, unknown>>,
    input: unknown,
    { api }: { readonly api: OperationApi },
  ): Promise<unknown> => {
    const call = { operation, params: params(document), body: input, repeat: 'once' } as const;
    const { data = null } = await api[operationSender].json<{ readonly data?: unknown }>(call);
    return data;
  };

/** Types of fields besides those that JavaScript has. */
export const { ObjectId: objectId, Mixed: mixedType } = Schema.Types;
