const mongoose = require('mongoose');
const Room = require('./room');

const Message = mongoose.model('Message', {
  room: { type: mongoose.Schema.Types.ObjectId, ref: 'Room', required: true, validate: { validator: async (id) => (await Room.countDocuments({ _id: id })) === 1, message: 'no such room' } },
  from: { type: mongoose.Schema.Types.ObjectId, ref: 'Account' },
  text: { type: String, maxlength: 200 },
  readBy: { type: [mongoose.Schema.Types.ObjectId], ref: 'Account' },
  attachments: [{ name: String, bytes: Buffer }],
});

Message.between = (a, b) => Message.find({ from: { $in: [a, b] } });

module.exports = Message;
