const bcrypt = require('bcryptjs');
const mongoose = require('mongoose');

const addressSchema = new mongoose.Schema({
  label: { type: String, default: 'home' },
  street: { type: String, required: true },
  city: { type: String, required: true },
});

const userSchema = new mongoose.Schema(
  {
    name: { type: String, required: [true, 'a user has a name'], trim: true },
    email: { type: String, required: [true, 'a user has an email'], unique: true, lowercase: true },
    photo: { type: String, default: 'default.jpg' },
    role: { type: String, enum: ['user', 'guide', 'lead-guide', 'admin'], default: 'user' },
    password: { type: String, required: [true, 'a user has a password'], minlength: 8, select: false },
    passwordChangedAt: Date,
    addresses: [addressSchema],
    wishlist: [{ type: mongoose.Schema.ObjectId, ref: 'Product' }],
    active: { type: Boolean, default: true, select: false },
  },
  { timestamps: true },
);

userSchema.pre('save', async function (next) {
  if (!this.isModified('password')) return next();
  this.password = await bcrypt.hash(this.password, 10);
  if (!this.isNew) this.passwordChangedAt = Date.now() - 1000;
  next();
});

userSchema.pre(/^find/, function (next) {
  this.find({ active: { $ne: false } });
  next();
});

userSchema.methods.comparePassword = function (candidate) {
  return bcrypt.compare(candidate, this.password);
};

userSchema.methods.changedPasswordAfter = function (issuedAt) {
  return this.passwordChangedAt ? issuedAt < this.passwordChangedAt.getTime() / 1000 : false;
};

module.exports = mongoose.model('User', userSchema);
