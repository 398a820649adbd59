const mongoose = require('mongoose');
const contactSchema = new mongoose.Schema({
  kind: { type: String, enum: ['phone', 'mail'], default: 'phone' },
  value: { type: String, required: true },
});
contactSchema.pre('validate', function (next) {
  if (this.kind === 'mail' && this.value && this.value.indexOf('@') < 0) this.invalidate('value', 'a mail has an @', this.value);
  next();
});
module.exports = contactSchema;
