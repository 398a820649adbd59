const mongoose = require('mongoose')

class Speaker {
  get initials () { return this.name.split(/\s+/).map(w => w[0]).join('') }
  static findByTopic (topic) { return this.find({ topics: topic }) }
  knows (topic) { return this.topics.includes(topic) }
}

const schema = new mongoose.Schema({
  name: { type: String, required: true },
  topics: { type: [{ type: String, lowercase: true }], index: true },
  links: { type: Map, of: String },
  socials: { type: Map, of: new mongoose.Schema({ url: { type: String, required: true }, since: Number }, { _id: false }) }
}).loadClass(Speaker)

module.exports = mongoose.models.Speaker || mongoose.model('Speaker', schema)
