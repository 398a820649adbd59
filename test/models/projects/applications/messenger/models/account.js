const mongoose = require('mongoose');
const passportLocalMongoose = require('passport-local-mongoose').default || require('passport-local-mongoose');
const Schema = mongoose.Schema;

const Account = new Schema({
  nick: String,
  online: { type: Boolean, default: false },
  lastSeen: { type: Date, expires: 3600 * 24 * 365 },
  contacts: [{ account: { type: Schema.Types.ObjectId, ref: 'Account' }, alias: String, blocked: { type: Boolean, default: false } }],
});

Account.plugin(passportLocalMongoose, { usernameLowerCase: true });

module.exports = mongoose.model('Account', Account);
