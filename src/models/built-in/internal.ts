/** The server's internal models: sessions, accounts, identities, used tokens, counters, deletions, the audit log, the lock of the setup. */
import { Schema } from 'mongoose';

const internal = { internal: true, cache: false } as object;
const id = Schema.Types.ObjectId;
const expiring = { type: Date, required: true, index: { expireAfterSeconds: 0 } } as const;

/**
 * A session. Only digests of tokens are stored. `serial` is the number of the login among the user's, `epoch` the user's session
 * epoch at that time, `used` the recently replaced refresh tokens.
 */
export const sessionSchema = (): Schema =>
  new Schema(
    {
      user_id: { type: id, required: true, index: true },
      serial: { type: Number, required: true },
      epoch: { type: Number, required: true },
      token_digest: { type: String, required: true, unique: true },
      refresh_digest: { type: String, required: true },
      used: [{ _id: false, digest: String, at: Date }],
      token_expires: { type: Date, required: true },
      refresh_token_expires: expiring,
    },
    internal,
  );

/**
 * The server's data about a user besides the user document; `_id` is the user's, `incarnation` that of the user document.
 * Contains the key's salt and digest; the session epoch, which increases when all sessions and JWTs end; the fingerprint (`mark`)
 * of the epoch's password hash; the number of logins.
 */
export const accountSchema = (): Schema =>
  new Schema(
    {
      _id: { type: id, required: true },
      incarnation: { type: String, required: true },
      key_salt: { type: String, required: true },
      key_digest: { type: String, required: true, unique: true },
      epoch: { type: Number, required: true },
      mark: { type: String, required: true },
      logins: { type: Number, default: 0 },
    },
    internal,
  );

/** An OAuth identity and its user, with the incarnation; `_id` is a digest of the provider's name and the id at the provider. */
export const identitySchema = (): Schema =>
  new Schema(
    {
      _id: { type: String, required: true },
      provider: { type: String, required: true },
      user_id: { type: id, required: true, index: true },
      incarnation: { type: String, required: true },
    },
    internal,
  );

/** A used single-use token; `_id` is its digest. */
export const usedSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, until: expiring }, internal);

/** Failed logins by address or account, for several servers on one database. */
export const counterSchema = (): Schema =>
  new Schema(
    { _id: { type: String, required: true }, hits: { type: Number, required: true }, until: expiring },
    internal,
  );

/** The effects of a soft deletion with `_cascade`: the other deleted documents, and the links removed from lists. */
export const deletionSchema = (): Schema =>
  new Schema(
    {
      model: { type: String, required: true },
      root: { type: id, required: true, index: true },
      at: { type: Date, required: true },
      of: { type: String, required: true },
      ids: [id],
      path: String,
      target: id,
    },
    internal,
  );

/**
 * An event of the audit log (docs/audit.md). `whom` is the id of a user, or with `model` that of a document; `count` is the number
 * of failed logins that the record stands for.
 */
export const auditSchema = (): Schema =>
  new Schema(
    {
      who: { type: id, index: true },
      whom: { type: id, index: true },
      what: { type: String, required: true },
      when: { type: Date, required: true, index: true },
      address: String,
      method: String,
      model: String,
      count: Number,
      expires: { type: Date, select: false, index: { expireAfterSeconds: 0 } },
    },
    { ...internal, perms: { admin: 'r' } } as object,
  );

/** A lock: one document with a fixed `_id`, so that two callers cannot both create the first admin. */
export const setupSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, at: { type: Date, required: true } }, internal);
