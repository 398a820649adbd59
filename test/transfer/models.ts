/** The models of the tests of imports and exports. */
import type { ModelFiles } from '../support/models.ts';

export const models: ModelFiles = {
  thing: ({ Schema, Mixed }) =>
    new Schema(
      {
        title: { type: String, required: true, maxlength: 40, trim: true },
        count: { type: Number, min: 0, default: 7 },
        price: Schema.Types.Decimal128,
        big: BigInt,
        born: Date,
        open: Boolean,
        bytes: Buffer,
        code: { type: String, unique: true, sparse: true },
        tags: [String],
        address: { city: String, zip: Number },
        parts: [{ _id: false, name: String, amount: Number }],
        labels: { type: Map, of: Number },
        secret: { password: String },
        any: Mixed,
      },
      { perms: { admin: 'crud' } } as object,
    ),
  other: ({ Schema }) => new Schema({ name: String, thing_id: { type: Schema.Types.ObjectId, link: 'thing' } }),
};
