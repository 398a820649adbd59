'use strict';

/**
 * Module dependencies.
 */
var mongoose = require('mongoose'),
  uniqueValidator = require('mongoose-unique-validator'),
  timestamps = require('mongoose-timestamp'),
  validate = require('mongoose-validator'),
  Schema = mongoose.Schema,
  ObjectId = Schema.ObjectId;

mongoose.Promise = global.Promise;

var nameValidator = [
  validate({ validator: 'isLength', arguments: [2, 40], message: 'Name should be between {ARGS[0]} and {ARGS[1]} characters' })
];

/**
 * Student Schema
 */
var StudentSchema = new Schema({
  firstName: { type: String, trim: true, default: '', validate: nameValidator },
  lastName: { type: String, trim: true, default: '' },
  displayName: String,
  email: { type: String, trim: true, lowercase: true, unique: 'Email already exists', required: 'Please fill in an email',
    match: [/.+\@.+\..+/, 'Please fill a valid email address'] },
  year: { type: Number, min: [1, 'too low'], max: 12 },
  courses: [{ type: ObjectId, ref: 'Course' }],
  parents: [{ name: String, phone: String }],
  created: { type: Date, default: Date.now }
});

StudentSchema.plugin(timestamps, { createdAt: 'enteredAt', updatedAt: 'changedAt' });
StudentSchema.plugin(uniqueValidator, { message: 'Error, expected {PATH} to be unique.' });

StudentSchema.virtual('fullName').get(function () {
  return this.firstName + ' ' + this.lastName;
}).set(function (value) {
  var parts = value.split(' ');
  this.firstName = parts[0];
  this.lastName = parts.slice(1).join(' ');
});

/**
 * Hook a pre save method to fill the display name
 */
StudentSchema.pre('save', function (next) {
  if (this.isModified('firstName') || this.isModified('lastName')) {
    this.displayName = this.lastName.toUpperCase() + ', ' + this.firstName;
  }
  next();
});

StudentSchema.statics.findFreeEmail = function (email, suffix, callback) {
  var _this = this;
  var possible = email + (suffix || '');
  _this.findOne({ email: possible }, function (err, student) {
    if (err) return callback(null);
    if (!student) return callback(possible);
    return _this.findFreeEmail(email, (suffix || 0) + 1, callback);
  });
};

mongoose.model('Student', StudentSchema);
