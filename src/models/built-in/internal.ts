/** The models that the server keeps for itself: sessions, accounts, identities, what was used or counted, the mark of the first set-up. */
import { Schema } from 'mongoose';

const internal = { internal: true, cache: false } as object;
const id = Schema.Types.ObjectId;
const expiring = { type: Date, required: true, index: { expireAfterSeconds: 0 } } as const;

/**
 * One login. Only digests of tokens are kept. `serial` is the number of the login among the user's, `epoch` the user's session
 * epoch at that time, `used` the refresh tokens that were replaced a moment ago.
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
 * What the server knows of a user besides the user's document; `_id` is the user's, `incarnation` that of the document that it
 * belongs to. The key's salt and digest; the session epoch,
 * which goes up when all sessions and JWTs end; the mark of the password hash that the epoch belongs to; the number of logins.
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

/** Somebody at an OAuth provider, and the user they are here, with the incarnation; `_id` is a digest of the provider's name and their id there. */
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

/** What can be used once and has been; `_id` is a digest of it. */
export const usedSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, until: expiring }, internal);

/** Failed logins by address or account, for several servers on one database. */
export const counterSchema = (): Schema =>
  new Schema(
    { _id: { type: String, required: true }, hits: { type: Number, required: true }, until: expiring },
    internal,
  );

/** What a soft deletion with `_cascade` took along with its root: documents, and links out of lists. */
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

/** One document with a fixed `_id` while and after the first admin is made, so that two callers cannot both do it. */
export const setupSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, at: { type: Date, required: true } }, internal);
