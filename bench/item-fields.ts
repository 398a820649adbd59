/** The fields of the items, as a Mongoose schema takes them. */
import mongoose from 'mongoose';

export const itemFields = {
  title: { type: String, required: true },
  kind: String,
  code: String,
  description: String,
  price: { type: Number, min: 0 },
  stock: Number,
  rating: Number,
  active: Boolean,
  released: Date,
  size: { width: Number, height: Number, depth: Number, unit: String },
  labels: [String],
  maker_id: { type: mongoose.Schema.Types.ObjectId, link: 'maker' },
};
