const mongoose = require('mongoose')
const lastMod = require('./plugins/lastModified')
const toJSON = require('./toJSON.plugin')
const { Schema } = mongoose

const eventSchema = new Schema({
  title: { type: String, required: true, text: true },
  slug: { type: String, slug: 'title', unique: true },
  starts: { type: Date, required: true },
  ends: { type: Date, validate: [function (v) { return !v || v > this.starts }, 'ends before it starts'] },
  venue: { name: String, city: { type: String, index: true }, seats: { type: Number, min: 0 } },
  tickets: { sold: { type: Number, default: 0 }, price: { type: Number, default: 0 } },
  speakers: [{ type: Schema.Types.ObjectId, ref: 'Guest' }]
})
eventSchema.plugin(lastMod, { index: true })
eventSchema.plugin(toJSON)
eventSchema.plugin(require('mongoose-slug-updater'))
eventSchema.virtual('soldOut').get(function () { return this.venue.seats !== undefined && this.tickets.sold >= this.venue.seats })
eventSchema.pre('validate', function (next) {
  if (this.venue && this.tickets.sold > this.venue.seats) this.invalidate('tickets.sold', 'too many tickets', this.tickets.sold)
  next()
})

module.exports = mongoose.model('Event', eventSchema)
