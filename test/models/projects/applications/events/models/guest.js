const mongoose = require('mongoose')
const Schema = mongoose.Schema
const guestSchema = new Schema({
  name: { first: { type: String, required: true, alias: 'first' }, last: String },
  mail: { type: String, lowercase: true, index: { unique: true, partialFilterExpression: { mail: { $type: 'string' } } } },
  age: { type: Number, min: 18, cast: '{VALUE} is no number' },
  diet: { type: String, enum: ['all', 'vegan'] }
}, { toObject: { getters: true } })
guestSchema.plugin(require('./plugins/lastModified'))
guestSchema.virtual('name.full').get(function () { return `${this.name.first} ${this.name.last}` })
module.exports = mongoose.model('Guest', guestSchema)
