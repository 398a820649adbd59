import type { ModelTools } from '../world.ts';

export default ({ Schema, ObjectId, Mixed }: ModelTools) =>
  new Schema(
    {
      title: String,
      body: String,
      book_id: { type: ObjectId, link: 'book' },
      login: { site: String, password: String },
      logins: [{ site: String, password: String }],
      meta: Mixed,
    },
    { perms: { user: 'c', owner: 'crud' } },
  );
