'use strict';
// loads every model of this folder
var fs = require('fs'), path = require('path');
fs.readdirSync(__dirname).forEach(function (file) {
  if (file !== 'index.js' && /\.js$/.test(file)) require(path.join(__dirname, file));
});
