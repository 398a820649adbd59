const mongoose = require('./db');
const moment = { year: (date) => (date ? new Date(date).getUTCFullYear() : '') };

const AuthorSchema = new mongoose.Schema({
  first_name: { type: String, required: true, max: 100 },
  family_name: { type: String, required: true, max: 100 },
  date_of_birth: { type: Date },
  date_of_death: { type: Date, validate: { isAsync: false, validator(value) { return !this.date_of_birth || value > this.date_of_birth; } } },
});

AuthorSchema.virtual('name').get(function () { return this.family_name + ', ' + this.first_name; });
AuthorSchema.virtual('lifespan').get(function () { return moment.year(this.date_of_birth) + '-' + moment.year(this.date_of_death); });
AuthorSchema.virtual('url').get(function () { return '/catalog/author/' + this._id; });

module.exports = mongoose.model('Author', AuthorSchema);
