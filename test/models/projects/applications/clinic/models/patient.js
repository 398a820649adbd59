const mongoose = require('mongoose');
const { fieldEncryption } = require('mongoose-field-encryption');
const contactSchema = require('./contact.schema');

const patientSchema = new mongoose.Schema({
  fileNumber: { type: Number, required: true, unique: true },
  name: { first: { type: String, required: true }, last: { type: String, required: true } },
  sex: { type: String, enum: ['f', 'm', 'x', ''] },
  insurance: String,
  contacts: [contactSchema],
  emergency: { type: contactSchema, default: null },
  bloodGroup: { type: String, validate: { validator: (v) => ['A', 'B', 'AB', '0'].indexOf(v) >= 0, msg: 'no such blood group' } },
  doctor: { type: mongoose.Schema.Types.ObjectId, ref: 'Doctor' },
});

patientSchema.plugin(fieldEncryption, { fields: ['insurance'], secret: 'a secret of the clinic', saltGenerator: () => '1234567890123456' });

patientSchema.methods.age = function (at) {
  return at.getFullYear() - this.born.getFullYear();
};

module.exports = mongoose.model('Patient', patientSchema);
