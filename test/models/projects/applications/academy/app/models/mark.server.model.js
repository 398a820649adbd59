'use strict';
const mongoose = require('mongoose');
const MarkSchema = mongoose.Schema({
  student: { type: mongoose.Schema.Types.ObjectId, ref: 'Student', required: true },
  course: { type: mongoose.Schema.Types.ObjectId, ref: 'Course', required: true },
  value: { type: Number, required: true, min: 1, max: 6, get: v => v && Math.round(v * 10) / 10 },
  remarks: { type: String, maxlength: 30 },
  weight: { type: Number, default: function () { return this.value > 5 ? 2 : 1; } }
}, { collection: 'gradebook', versionKey: false, toJSON: { getters: true } });
MarkSchema.index({ student: 1, course: 1 }, { unique: true });
MarkSchema.post('save', function (mark, next) {
  mongoose.model('Student').updateOne({ _id: mark.student }, { $addToSet: { courses: mark.course } }, function (err) { next(err); });
});
module.exports = mongoose.model('Mark', MarkSchema);
