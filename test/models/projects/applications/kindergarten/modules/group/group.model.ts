import { model, Schema } from 'mongoose';
import { GROUP_COLOURS } from './group.constant';

const groupSchema = new Schema(
  {
    name: { type: String, required: true, unique: true },
    colour: { type: String, enum: GROUP_COLOURS, default: GROUP_COLOURS[0] },
    places: { type: Number, required: true, min: [1, 'at least one place'], default: 12 },
    hours: [{ day: { type: Number, min: 0, max: 6 }, from: String, to: String }],
  },
  { timestamps: true, virtuals: { children: { options: { ref: 'Child', localField: '_id', foreignField: 'group' } } } },
);

groupSchema.pre('save', async function () {
  const taken = await GroupModel.findOne({ name: new RegExp(`^${this.name}$`, 'i'), _id: { $ne: this._id } });
  if (taken) throw new Error('This group is already there!');
});

export const GroupModel = model('Group', groupSchema);
