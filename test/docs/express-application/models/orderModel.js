const mongoose = require('mongoose');
const Counter = require('./counter');
const { Coupon } = require('./coupon.model');
const historySchema = require('./_history');

const orderItemSchema = new mongoose.Schema({
  product: { type: mongoose.Schema.ObjectId, ref: 'Product', required: true },
  name: String,
  quantity: { type: Number, required: true, min: [1, 'one or more'] },
  price: { type: Number, required: true },
});

const orderSchema = new mongoose.Schema(
  {
    number: { type: Number, unique: true, sparse: true },
    user: { type: mongoose.Schema.ObjectId, ref: 'User', required: true },
    items: { type: [orderItemSchema], validate: [(items) => items.length > 0, 'an order has items'] },
    shipping: { street: String, city: { type: String, required: true }, country: { type: String, default: 'CH' } },
    coupon: { type: String, uppercase: true },
    subtotal: Number,
    total: Number,
    status: { type: String, enum: ['new', 'paid', 'sent', 'cancelled'], default: 'new' },
    paidAt: { type: Date, required: function () { return this.status === 'paid'; } }, // prettier-ignore
    history: [historySchema],
  },
  { timestamps: true },
);

orderSchema.pre('save', async function () {
  if (this.isNew) this.number = await Counter.next('order');
  if (this.isModified('status')) this.history.push({ what: 'status', value: this.status });
  this.subtotal = this.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const coupon = this.coupon ? await Coupon.findOne({ code: this.coupon }) : null;
  const percent = coupon && coupon.isValid() ? coupon.percent : 0;
  this.total = Math.round(this.subtotal * (100 - percent)) / 100;
});

module.exports = mongoose.model('Order', orderSchema);
