const mongoose = require('mongoose')
const BaseSchema = require('./base')

const talkSchema = new BaseSchema({
  event: { type: mongoose.Schema.Types.ObjectId, ref: 'Event', required: true },
  minutes: { type: Number, default: 30, min: 5 }
})
talkSchema.pre('save', async function () {
  const event = await mongoose.model('Event').findById(this.event)
  if (event && event.ends && this.minutes > (event.ends - event.starts) / 60000) throw Object.assign(new Error('longer than the event'), { status: 400 })
})

module.exports = mongoose.model('Talk', talkSchema)
