import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

interface Leg {
  from: Types.ObjectId;
  to: Types.ObjectId;
  km: number;
}

const legSchema = new Schema<Leg>({
  from: { type: Schema.Types.ObjectId, ref: 'Place', required: true },
  to: { type: Schema.Types.ObjectId, ref: 'Place', required: true },
  km: { type: Number, required: true, min: 0.1 },
});

const tripSchema = new Schema({
  title: { type: String, required: true },
  legs: [legSchema],
  km: Number,
  budget: { type: Schema.Types.Decimal128, get: (value?: Types.Decimal128) => value && String(value) },
  stars: { type: Number, enum: [1, 2, 3, 4, 5, null] },
  companions: [{ name: { type: String, required: true }, shares: { type: Map, of: Number } }],
});

tripSchema.pre('save', function () {
  this.km = this.legs.reduce((sum, { km }) => sum + km, 0);
});
tripSchema.pre('validate', function () {
  for (const [at, leg] of this.legs.entries())
    if (leg.from && leg.to && String(leg.from) === String(leg.to)) this.invalidate(`legs.${at}.to`, 'goes nowhere', leg.to);
});

await Promise.resolve();

export const Trip = model('Trip', tripSchema);
