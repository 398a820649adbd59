/** The model of `npm run bench -- endurance`: five indexes, one of them a text index. */
import { Schema } from 'mongoose';

export default new Schema({ name: String, group: Number, price: Number, text: String, created: Date, filler: String }, {
  perms: { all: 'r' },
  collection: 'articles',
} as object)
  .index({ name: 1 })
  .index({ group: 1, created: -1 })
  .index({ price: 1 })
  .index({ created: -1 })
  .index({ text: 'text' });
