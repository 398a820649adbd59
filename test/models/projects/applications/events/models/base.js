const mongoose = require('mongoose')
const util = require('util')
const { Schema } = mongoose

function BaseSchema () {
  Schema.apply(this, arguments)
  this.add({ title: { type: String, required: true }, notes: [String] })
}
util.inherits(BaseSchema, Schema)

module.exports = BaseSchema
