const { Schema, model } = require('./db');
const GenreSchema = new Schema({ name: { type: String, required: true, minlength: 3, maxlength: 100, unique: true } });
GenreSchema.virtual('url').get(function () { return '/catalog/genre/' + this._id; });
module.exports = model('Genre', GenreSchema);
