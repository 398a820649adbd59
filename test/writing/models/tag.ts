import { Schema } from 'mongoose';

/** Users may insert and change, but not delete; with `u` alone there is no upsert. */
const tag = new Schema(
  { label: { type: String, required: true }, password: String },
  { perms: { user: 'ru' }, advanced_queries: { bulkwrite: true }, callable_statics: ['plain'] },
);
tag.static('plain', () => 'plain');

export default tag;
