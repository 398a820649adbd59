const Mongoose = require('mongoose');
const mongooseHidden = require('mongoose-hidden')({ defaultHidden: { __v: true } });
const { Schema } = Mongoose;

const AddressSchema = require('./schemas/address');

// Vendor Schema
const VendorSchema = new Schema({
  name: { type: String, trim: true, minlength: 2 },
  taxNumber: { type: String, hide: true },
  email: { type: String, lowercase: true, required: () => true },
  phone: { type: String, validate: { validator: v => /\d{3}-\d{4}/.test(v), message: props => `${props.value} is not a valid phone number!` } },
  address: AddressSchema,
  addresses: [AddressSchema],
  commission: { type: Number, default: 10, min: 0, max: 100 },
  isActive: { type: Boolean, default: true },
  updated: Date,
  created: { type: Date, default: Date.now }
});

VendorSchema.plugin(mongooseHidden);

module.exports = Mongoose.model('Vendor', VendorSchema);
