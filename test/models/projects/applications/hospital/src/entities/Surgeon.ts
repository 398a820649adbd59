import { Schema } from 'mongoose';
import { Person } from './Person';

const surgeonSchema = new Schema({
  licence: { type: String, required: true, match: /^L-\d+$/ },
  assistants: [{ type: Schema.Types.ObjectId, ref: 'Nurse' }],
});

export const Surgeon = Person.discriminator('surgeon', surgeonSchema, 'surgeon');
