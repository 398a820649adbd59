import { Schema } from 'mongoose';
import { Person } from './Person';
import { Ward } from './ward.enum';

const nurseSchema = new Schema({
  ward: { type: String, enum: Object.values(Ward), required: true },
  nights: { type: Number, default: 0, max: 10 },
});

export const Nurse = Person.discriminator('Nurse', nurseSchema);
