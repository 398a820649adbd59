import { Schema, model } from 'mongoose';
import { ChildModel, TChild, TGuardian } from './child.interface';
import { generateChildId } from './child.utils';

const guardianSchema = new Schema<TGuardian>(
  {
    fatherName: { type: String, trim: true, required: [true, 'Father Name is required'] },
    motherName: { type: String },
    contactNo: { type: String, required: [true, 'Contact number is required'], match: /^[0-9+ ]+$/ },
  },
  { _id: false },
);

const childSchema = new Schema<TChild, ChildModel>(
  {
    id: { type: String, unique: true },
    name: {
      firstName: { type: String, required: [true, 'First Name is required'], trim: true },
      middleName: { type: String },
      lastName: { type: String, required: true, trim: true },
    },
    gender: { type: String, enum: { values: ['male', 'female', 'other'], message: '{VALUE} is not a valid gender' }, required: true },
    dateOfBirth: { type: Date, max: [new Date('2030-01-01'), 'born in the future'] },
    guardian: { type: guardianSchema, required: [true, 'Guardian information is required'] },
    group: { type: Schema.Types.ObjectId, ref: 'Group' },
    allergies: { type: [String], default: [] },
    isDeleted: { type: Boolean, default: false },
  },
  { timestamps: true, toJSON: { virtuals: true } },
);

childSchema.virtual('fullName').get(function () {
  return `${this.name?.firstName} ${this.name?.lastName}`;
});

childSchema.pre('save', async function (next) {
  if (!this.id) this.id = await generateChildId(this.constructor as ChildModel);
  next();
});

// Query middleware
childSchema.pre('find', function (next) {
  this.find({ isDeleted: { $ne: true } });
  next();
});

childSchema.statics.isChildExists = async function (id: string) {
  return await Child.findOne({ id });
};

export const Child = model<TChild, ChildModel>('Child', childSchema);
