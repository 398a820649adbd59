const mongoose = require('mongoose');

const CouponSchema = mongoose.Schema(
  {
    code: { type: String, trim: true, uppercase: true, unique: true, required: [true, 'a coupon has a code'] },
    percent: { type: Number, required: true, min: 1, max: 90 },
    expires: { type: Date, required: [true, 'a coupon expires'] },
    uses: { type: Number, default: 0 },
  },
  { timestamps: true, versionKey: false },
);

CouponSchema.methods.isValid = function () {
  return this.expires > new Date();
};

exports.Coupon = mongoose.model('Coupon', CouponSchema);
