import mongoose from 'mongoose';
import { connection } from './connection.mjs';
import { Dorm } from './dorm.mjs';

const { Schema } = mongoose;

const staySchema = new Schema({
  dorm: { type: Schema.Types.ObjectId, ref: Dorm, required: true },
  guest: { type: String, required: true, trim: true },
  bed: { type: Number, min: 1 },
  from: { type: Date, default: Date.now },
  paid: { type: Boolean, default: false },
});

staySchema.pre('save', async function () {
  const dorm = await Dorm.findById(this.dorm);
  if (this.bed > (dorm?.beds ?? 0)) throw new Error(`there is no bed ${this.bed}`);
});

export default connection.model('Stay', staySchema, 'stays');
