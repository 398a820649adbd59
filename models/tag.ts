/** What a film is: its genre, its kind of story, what it is based on. The smallest model that is useful. */
import { Schema } from 'mongoose';

export default new Schema(
  {
    name: { type: String, required: true, unique: true, trim: true },
    kind: { type: String, required: true, enum: ['genre', 'story', 'source'] },
  },
  { icon: 'tag', perms: { all: 'r', editor: 'crud' } },
);
