const mongoose = require('mongoose')
require('mongoose-long')(mongoose)
const { Long, Double, Int32 } = mongoose.Schema.Types

const drugSchema = new mongoose.Schema({
  name: { type: String, required: true },
  barcode: { type: Long, index: true, unique: true, sparse: true },
  dose: { type: Double },
  pieces: { type: Int32, default: 1 },
  prescription: { type: Boolean, default: true },
  substances: [{ name: { type: String, required: true }, mg: Number }]
})

module.exports = mongoose.model('Drug', drugSchema)
