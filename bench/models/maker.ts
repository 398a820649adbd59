/** The model that items link to. */
import { Schema } from 'mongoose';

export default new Schema({ name: { type: String, required: true }, country: String, founded: Number }, {
  perms: { all: 'r', user: 'crud' },
  collection: 'makers',
} as object);
