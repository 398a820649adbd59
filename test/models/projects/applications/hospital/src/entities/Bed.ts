import mongoose, { Schema, Types } from 'mongoose';
import { Ward } from './ward.enum';
import type { IPerson } from './Person';

interface IBed {
  code: string;
  ward: Ward;
  patient?: Types.ObjectId | IPerson | null;
  log: Array<{ at: Date; text: string }>;
}

class BedService {
  constructor(private readonly beds: mongoose.Model<IBed>) {}

  public async free(ward: Ward): Promise<number> {
    return this.beds.countDocuments({ ward, patient: null });
  }
}

const bedSchema = new Schema<IBed>({
  code: { type: String, required: true, unique: true },
  ward: { type: String, enum: Object.values(Ward), default: Ward.Surgery },
  patient: { type: Schema.Types.ObjectId, ref: 'Person', default: null },
  log: [new Schema({ at: { type: Date, default: Date.now }, text: { type: String, required: true } }, { _id: false })],
});

bedSchema.pre('save', function (this: mongoose.HydratedDocument<IBed>) {
  if (this.isModified('patient')) this.log.push({ at: new Date(), text: this.patient ? 'taken' : 'free' });
});

export const Bed = mongoose.model<IBed>('Bed', bedSchema);
export const bedService = new BedService(Bed);
export default Bed;
