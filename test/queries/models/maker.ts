/** Makers have a virtual, so they are read as plain objects. */
import { Schema } from 'mongoose';

const schema = new Schema({ name: String, password: String, top_id: { type: Schema.Types.ObjectId, link: 'part' } }, {
  perms: { all: 'r' },
} as object);
schema.virtual('shout').get(function (this: { name: string }) {
  return this.name.toUpperCase();
});
export default schema;
