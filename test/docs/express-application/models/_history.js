const { Schema } = require('mongoose');

// nested by products and orders
module.exports = new Schema(
  { at: { type: Date, default: Date.now }, what: { type: String, required: true }, value: String },
  { _id: false },
);
