/** The model of `npm run bench -- size`: many small documents with an index and words to search. */
import { Schema } from 'mongoose';

export default new Schema({ title: String, n: Number }, { perms: { all: 'r' }, collection: 'pages' } as object)
  .index({ n: 1, _id: 1 })
  .index({ title: 'text' });
