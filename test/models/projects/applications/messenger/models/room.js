const mongoose = require('mongoose');
const Schema = mongoose.Schema;

const Room = new Schema({
  title: { type: String, required: true },
  members: [{ type: Schema.Types.ObjectId, ref: 'Account' }],
  pinned: { type: Schema.Types.ObjectId, ref: 'Message' },
  settings: { type: Schema.Types.Mixed },
}, { timestamps: { createdAt: 'created_at', updatedAt: 'updated_at' }, toJSON: { transform(doc, ret) { delete ret.__v; return ret; } } });

Room.method('has', function (account) { return this.members.some((one) => one.equals(account)); });
Room.static('of', function (account) { return this.find({ members: account }); });

Room.post('validate', function (doc, next) {
  if (doc.members.length > 3) return next(Object.assign(new Error('a room has three members'), { status: 422 }));
  next();
});

module.exports = mongoose.model('Room', Room);
