'use strict';
var mongoose = require('mongoose'), Schema = mongoose.Schema;

var CourseSchema = new Schema({
  title: { type: String, required: true, trim: true },
  code: { type: String, uppercase: true, index: { unique: true, sparse: true } },
  teacher: { name: { first: String, last: String }, room: Number },
  level: { type: String, enum: 'beginner intermediate advanced'.split(' '), default: 'beginner' },
  prerequisites: [{ type: Schema.Types.ObjectId, ref: 'Course' }],
  hours: { type: Number, set: Math.round },
  tags: { type: [String], lowercase: true }
}, { strict: true, autoIndex: true });

CourseSchema.index({ title: 1, level: -1 });

CourseSchema.path('hours').validate(function (value) { return value == null || value > 0; }, 'Invalid hours');

CourseSchema.methods.students = function (cb) {
  return this.model('Student').find({ courses: this._id }, cb);
};

// all prerequisites are courses
CourseSchema.pre('save', function (next) {
  var self = this;
  if (!self.prerequisites.length) return next();
  mongoose.models.Course.countDocuments({ _id: { $in: self.prerequisites } }, function (err, n) {
    if (err) return next(err);
    if (n !== self.prerequisites.length) {
      var error = new mongoose.Error.ValidationError(self);
      error.addError('prerequisites', new mongoose.Error.ValidatorError({ path: 'prerequisites', message: 'unknown course' }));
      return next(error);
    }
    next();
  });
});

module.exports = mongoose.model('Course', CourseSchema);
