const mongoose = require('mongoose')
require('mongoose-type-email')
mongoose.SchemaTypes.Email.defaults.message = 'Email address is invalid'

module.exports = mongoose.model('Supplier', new mongoose.Schema({
  company: { type: String, required: true, index: true },
  email: { type: mongoose.SchemaTypes.Email, required: true },
  drugs: [{ type: mongoose.Schema.Types.ObjectId, ref: 'Drug' }]
}))
