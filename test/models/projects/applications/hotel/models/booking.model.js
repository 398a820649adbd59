const mongoose = require('mongoose');
const AutoIncrement = require('mongoose-sequence')(mongoose);

const DAY = 24 * 60 * 60 * 1000;

const bookingSchema = new mongoose.Schema(
  {
    bookingId: Number,
    room: { type: mongoose.Schema.Types.ObjectId, ref: 'Room', required: true },
    guests: { type: [{ type: mongoose.Schema.Types.ObjectId, ref: 'Guest' }], validate: [(list) => list.length > 0 && list.length <= 4, 'one to four guests'] },
    checkIn: { type: Date, required: true },
    checkOut: { type: Date, required: true },
    nights: { type: Number, min: 1 },
    extras: { type: Map, of: { price: { type: Number, required: true }, times: { type: Number, default: 1 } } },
    total: Number,
  },
  { timestamps: true }
);

bookingSchema.plugin(AutoIncrement, { id: 'booking_counter', inc_field: 'bookingId', start_seq: 1000 });

bookingSchema.pre('validate', async function () {
  this.nights = Math.round((this.checkOut - this.checkIn) / DAY);
  const room = await mongoose.model('Room').findById(this.room);
  const extras = [...(this.extras ? this.extras.values() : [])].reduce((sum, one) => sum + one.price * one.times, 0);
  if (room) this.total = room.price.amount * this.nights + extras;
});

bookingSchema.index({ room: 1, checkIn: 1 }, { unique: true });

module.exports = mongoose.model('Booking', bookingSchema);
