const mongoose = require('./db');
const mongoosePaginate = require('mongoose-paginate');
const Schema = mongoose.Schema;

const BookSchema = new Schema({
  title: { type: String, required: true },
  author: { type: Schema.ObjectId, ref: 'Author', required: true },
  summary: { type: String, required: true },
  isbn: { type: String, required: true, validate: /^[\d-]{10,17}$/ },
  genre: [{ type: Schema.ObjectId, ref: 'Genre' }],
  meta: { pages: Number, language: { type: String, default: 'en' }, type: { type: String, default: 'print' } },
});

BookSchema.virtual('url').get(function () { return '/catalog/book/' + this._id; });
BookSchema.plugin(mongoosePaginate);
BookSchema.query.byIsbn = function (isbn) { return this.where({ isbn }); };

module.exports = mongoose.model('Book', BookSchema);
