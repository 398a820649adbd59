/** The model of a large collection, whose pages are measured. */
import { Schema } from 'mongoose';

export default new Schema({ title: String, n: Number }, { perms: { all: 'r' }, collection: 'leaves' } as object).index({
  n: 1,
  _id: -1,
});
