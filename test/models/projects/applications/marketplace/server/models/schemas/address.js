const { Schema } = require('mongoose');
module.exports = new Schema({ street: String, zip: { type: String, required: [true, 'zip?'] }, country: { type: String, uppercase: true, default: 'at' } }, { _id: false });
