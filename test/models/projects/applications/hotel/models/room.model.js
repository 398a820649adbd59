const mongoose = require('mongoose');

const Room = mongoose.model(
  'Room',
  new mongoose.Schema({
    number: { type: Number, required: true, unique: true },
    type: { type: String, enum: ['single', 'double', 'suite'], default: 'single' },
    price: { type: { amount: Number, currency: { type: String, default: 'EUR' } }, required: true },
    amenities: [String],
    floor: { type: Number, default() { return Math.floor(this.number / 100); } },
    beds: [[Number]],
  })
);

module.exports = Room;
