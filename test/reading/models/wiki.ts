import type { ModelTools } from '../world.ts';

export default ({ Schema, ObjectId, Mixed }: ModelTools) =>
  new Schema(
    {
      title: { type: String, required: true },
      count: Number,
      status: { type: String, enum: ['new', 'old'] },
      note_id: { type: ObjectId, link: 'note' },
      parent_id: { type: ObjectId, link: 'wiki' },
      meta: Mixed,
    },
    { perms: { all: 'r', user: 'cru' } },
  );
