const mongoose = require('./db');
const autoIncrement = require('mongoose-auto-increment');
const Schema = mongoose.Schema;

autoIncrement.initialize(mongoose.connection);

const BookInstanceSchema = new Schema({
  book: { type: Schema.ObjectId, ref: 'Book', required: true },
  imprint: { type: String, required: true },
  status: { type: String, required: true, enum: ['Available', 'Maintenance', 'Loaned', 'Reserved'], default: 'Maintenance' },
  due_back: { type: Date, default: Date.now },
});

BookInstanceSchema.virtual('url').get(function () { return '/catalog/bookinstance/' + this._id; });
BookInstanceSchema.plugin(autoIncrement.plugin, { model: 'BookInstance', field: 'number', startAt: 100 });

module.exports = mongoose.model('BookInstance', BookInstanceSchema);
