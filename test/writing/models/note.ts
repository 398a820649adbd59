import { Schema } from 'mongoose';

/** Owned rows, bulk writes allowed. */
export default new Schema(
  {
    title: { type: String, required: true },
    n: Number,
    status: { type: String, enum: ['open', 'done'] },
    tags: [String],
    isbn: { type: String, unique: true, sparse: true },
    book_id: { type: Schema.Types.ObjectId, link: 'book' },
    login: { site: String, password: String },
    logins: [{ site: String, password: String }],
    meta: Schema.Types.Mixed,
  },
  { perms: { user: 'c', owner: 'crud' }, advanced_queries: { bulkwrite: true } },
);
