const mongoose = require('mongoose');

const paymentSchema = new mongoose.Schema(
  {
    order: { type: mongoose.Schema.ObjectId, ref: 'Order', required: true },
    amount: { type: Number, required: true, min: 0 },
    reference: String,
  },
  { discriminatorKey: 'method', timestamps: true },
);
paymentSchema.pre('save', function (next) {
  this.reference = `${this.method}-${this.amount}`;
  next();
});

const Payment = mongoose.model('Payment', paymentSchema);

Payment.discriminator(
  'CardPayment',
  new mongoose.Schema({
    brand: { type: String, enum: ['visa', 'mastercard'], required: true },
    last4: { type: String, match: /^\d{4}$/ },
  }),
  'card',
);
Payment.discriminator(
  'TransferPayment',
  new mongoose.Schema({ iban: { type: String, required: true, set: (text) => text.replace(/ /g, '') } }),
  'transfer',
);

module.exports = Payment;
