const mongoose = require('mongoose');
mongoose.Promise = global.Promise;

const db = {};
db.mongoose = mongoose;
db.room = require('./room.model');
db.guest = require('./guest.model');
db.booking = require('./booking.model');
db.ROOM_TYPES = ['single', 'double', 'suite'];

module.exports = db;
