const mongoose = require('mongoose')

const prescriptionSchema = new mongoose.Schema({
  patient: { type: String, required: true, select: false },
  drug: { type: mongoose.Schema.Types.ObjectId, ref: 'Drug', required: true },
  doses: { type: Number, min: 1, default: 1 },
  filled: { type: Date, default: null }
}, { timestamps: { currentTime: () => new Date() } })

module.exports = { Prescription: mongoose.model('Prescription', prescriptionSchema), prescriptionSchema }
