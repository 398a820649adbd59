/**
 * The internal models of the core: sessions, accounts, used tokens, what servers share, deletions, and what has been set up.
 */
import { Schema } from 'mongoose';

const internal = { internal: true, cache: false } as object;
const id = Schema.Types.ObjectId;
const expiring = { type: Date, required: true, index: { expireAfterSeconds: 0 } } as const;

/**
 * A session. Only digests of tokens are stored. `serial` is the number of the login among the user's, `epoch` the user's session
 * epoch at that time, `used` the recently replaced refresh tokens. `last_used_at`, `address` and `agent` (the User-Agent header
 * of the login) are missing in older sessions.
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
      createdAt: Date,
      last_used_at: Date,
      address: String,
      agent: String,
      by: String,
    },
    internal,
  );

/**
 * The server's data about a user besides the user document; `_id` is the user's, `incarnation` that of the user document.
 * Contains the key's salt and digest; the session epoch, which increases when all sessions and JWTs end; the fingerprint (`mark`)
 * of the epoch's password hash; the numbers of logins, and of passwords set by a recovery mail; the second factor
 * (docs/second-factor.md), and the encrypted secret of one that is not confirmed yet; an email that must be verified first
 * (`awaits`); the digest of the invitation that an admin hands over; keyed hashes of the addresses that the user has signed in from.
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
      factor: new Schema({ secret: String, step: Number, recovery: [String] }, { _id: false }),
      new_factor: String,
      resets: { type: Number, default: 0 },
      awaits: String,
      invitation: String,
      addresses: [{ _id: false, digest: String, at: Date }],
    },
    internal,
  );

/** A used single-use token, or the tries of a ticket; `_id` is a digest. */
export const usedSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, until: expiring, tries: Number }, internal);

/** What several servers on one database share: counts (`hits`) and leases (`holder`), until a time. */
export const sharedSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, hits: Number, holder: String, until: expiring }, internal);

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

/** What has been done once for the database, such as moving the groups of JXP. `secret` has the digests of the shared secrets. */
export const setupSchema = (): Schema =>
  new Schema(
    {
      _id: { type: String, required: true },
      at: { type: Date, required: true },
      digests: { type: [String], default: undefined },
    },
    internal,
  );
