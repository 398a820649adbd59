import type { ModelTools } from '../world.ts';

export default ({ Schema, ObjectId }: ModelTools) =>
  new Schema(
    {
      amount: Number,
      body: String,
      wiki_id: { type: ObjectId, link: 'wiki' },
      book_id: { type: ObjectId, link: 'book' },
    },
    {},
  );
