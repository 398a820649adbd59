const mongoose = require('mongoose');
const Doctor = require('./doctor');

const appointmentSchema = new mongoose.Schema({
  patient: { type: mongoose.Schema.Types.ObjectId, ref: 'Patient', required: true },
  doctor: { type: mongoose.Schema.Types.ObjectId, ref: 'Doctor', required: true },
  start: { type: Date, required: true },
  end: { type: Date, required: true },
  status: { type: String, enum: ['booked', 'done', 'missed'], default: 'booked' },
  stars: { type: Number, min: 1, max: 5, required: function () { return this.status === 'done'; } },
  notes: [{ _id: false, at: { type: Date, default: Date.now }, text: String }],
});

appointmentSchema.pre('save', function (next) {
  if (this.start >= this.end) return next(new Error('ends before it starts'));
  this.constructor.findOne({ _id: { $ne: this._id }, doctor: this.doctor, start: { $lt: this.end }, end: { $gt: this.start } }).exec((err, other) => {
    next(err || (other ? new Error('the doctor is busy') : undefined));
  });
});

appointmentSchema.post('save', function (doc) {
  if (doc.status !== 'done') return;
  return Doctor.updateOne({ _id: doc.doctor }, { $inc: { 'rating.sum': doc.stars, 'rating.count': 1 } }).exec();
});

module.exports = mongoose.model('Appointment', appointmentSchema);
