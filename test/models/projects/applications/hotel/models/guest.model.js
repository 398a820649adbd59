const mongoose = require('mongoose');
const bcrypt = require('bcryptjs');

const guestSchema = new mongoose.Schema({
  name: { type: String, required: true },
  passport: { type: String, minlength: 4, maxlength: 9 },
  pin: { type: String, select: false },
  vip: { type: mongoose.Schema.Types.Boolean, default: false },
  visits: [{ type: mongoose.Schema.Types.ObjectId, ref: 'Booking' }],
});

guestSchema.pre('save', function (next) {
  const guest = this;
  if (!guest.isModified('pin')) return next();
  bcrypt.hash(guest.pin, 4, function (err, hash) {
    if (err) return next(err);
    guest.pin = hash;
    next();
  });
});

guestSchema.methods.checkPin = function (pin, cb) {
  bcrypt.compare(pin, this.pin, cb);
};

module.exports = mongoose.model('Guest', guestSchema);
