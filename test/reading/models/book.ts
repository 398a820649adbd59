import type { ModelTools } from '../world.ts';

export default ({ Schema, ObjectId, Mixed }: ModelTools) =>
  new Schema(
    {
      title: String,
      isbn: { type: String, unique: true, sparse: true },
      price: { type: Number, min: 0 },
      published: Date,
      author_id: { type: ObjectId, link: 'author' },
      tag_id: [{ type: ObjectId, link: 'tag' }],
      tags: [String],
      meta: Mixed,
    },
    { perms: { all: 'r', user: 'cr', owner: 'crud' } },
  );
