// events of the models, for sockets
const EventEmitter = require('events');
class Events extends EventEmitter {}
module.exports = new Events();
