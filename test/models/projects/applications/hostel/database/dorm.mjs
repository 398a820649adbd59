import { Schema } from 'mongoose';
import connection from './connection.mjs';

const dormSchema = new Schema({
  name: { type: String, required: true, unique: true },
  beds: { type: Number, required: true, min: 2 },
  female: Boolean,
});

export const Dorm = connection.model('Dorm', dormSchema);
