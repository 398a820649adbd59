/** The models that the server keeps for itself: sessions, accounts and the mark of the first set-up. */
import { Schema } from 'mongoose';

const internal = { internal: true, cache: false } as object;
const id = Schema.Types.ObjectId;

/** One login. Only digests of tokens are kept. `previous_digest` is the refresh token that was replaced at `rotated_at`. */
export const sessionSchema = (): Schema =>
  new Schema(
    {
      user_id: { type: id, required: true, index: true },
      token_digest: { type: String, required: true, unique: true },
      refresh_digest: { type: String, required: true, unique: true },
      previous_digest: { type: String, index: true },
      rotated_at: { type: Date },
      token_expires: { type: Date, required: true },
      refresh_token_expires: { type: Date, required: true, index: { expireAfterSeconds: 0 } },
    },
    internal,
  );

/** What the server knows of a user besides the user's document: the key's salt and digest, and the session epoch. `_id` is the user's. */
export const accountSchema = (): Schema =>
  new Schema(
    {
      _id: { type: id, required: true },
      key_salt: { type: String, required: true },
      key_digest: { type: String, required: true, unique: true },
      epoch: { type: Number, default: 0 },
    },
    internal,
  );

/** One document with a fixed `_id` while and after the first admin is made, so that two callers cannot both do it. */
export const setupSchema = (): Schema =>
  new Schema({ _id: { type: String, required: true }, at: { type: Date, required: true } }, internal);
