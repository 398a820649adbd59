const mongoose = require('mongoose');
const workingHours = { from: { type: Number, min: 0, max: 24 }, to: { type: Number, min: 0, max: 24 } };
const doctorSchema = new mongoose.Schema({
  name: { type: String, required: true, set: (v) => `Dr. ${v}` },
  fields: { type: Array, default: ['general'] },
  week: { mon: workingHours, tue: workingHours, sat: { type: Boolean, default: false } },
  rating: { sum: { type: Number, default: 0 }, count: { type: Number, default: 0 } },
}, { id: false });
doctorSchema.virtual('rating.average').get(function () { return this.rating.count ? this.rating.sum / this.rating.count : null; });
doctorSchema.virtual('patients', { ref: 'Patient', localField: '_id', foreignField: 'doctor' });
module.exports = mongoose.model('Doctor', doctorSchema);
