/** The items again, with row rules and letters of fields: what reading costs with them. */
import { Schema } from 'mongoose';
import { itemFields } from '../item-fields.ts';

const visible = { where: { $or: [{ active: { $in: [true, false] } }, { _owner_id: '$user._id' }] } };

export default new Schema(
  {
    ...itemFields,
    rating: { type: Number, perms: { admin: 'cru' } },
    margin: { type: Number, perms: { owner: 'cru' } },
  },
  { perms: { admin: { r: visible } }, collection: 'items' } as object,
).index({ kind: 1, price: -1 });
