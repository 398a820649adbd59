const mongoose = require('mongoose');

const schema = new mongoose.Schema({ name: { type: String, unique: true }, seq: { type: Number, default: 0 } });

schema.statics.next = async function (name) {
  const { seq } = await this.findOneAndUpdate({ name }, { $inc: { seq: 1 } }, { new: true, upsert: true });
  return seq;
};

module.exports = mongoose.model('Counter', schema);
