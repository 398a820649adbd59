import { Schema } from 'mongoose';

/** Users may insert and change, but not delete; with `u` alone there is no upsert. */
export default new Schema(
  { label: { type: String, required: true }, password: String },
  { perms: { user: 'ru' }, advanced_queries: { bulkwrite: true } },
);
