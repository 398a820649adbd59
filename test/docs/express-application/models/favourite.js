const mongoose = require('mongoose');

const favouriteSchema = new mongoose.Schema({
  user: { type: mongoose.Schema.Types.ObjectId, ref: 'User', required: true },
  kind: { type: String, required: true, enum: ['Tour', 'Product'] },
  item: { type: mongoose.Schema.Types.ObjectId, refPath: 'kind', required: true },
});
favouriteSchema.index({ user: 1, item: 1 }, { unique: true });

module.exports = mongoose.model('Favourite', favouriteSchema);
