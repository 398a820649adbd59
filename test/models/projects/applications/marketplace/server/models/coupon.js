const { Schema, model } = require('mongoose');
const { randomCode } = require('../utils/random');

const CouponSchema = new Schema({
  _id: { type: String, uppercase: true, default: randomCode },
  percent: { type: Number, required: true, min: 1, max: 90 },
  vendors: [{ type: Schema.Types.ObjectId, ref: 'Vendor' }],
  used: { type: Number, default: 0 },
  limit: { type: Number, default: 1, validate: { validator: Number.isSafeInteger, message: '{VALUE} is no whole number' } }
}, { _id: false, timestamps: true });

CouponSchema.pre('save', function () {
  if (this.used > this.limit) throw Object.assign(new Error('used up'), { statusCode: 409, expose: true });
});

module.exports = model('Coupon', CouponSchema);
