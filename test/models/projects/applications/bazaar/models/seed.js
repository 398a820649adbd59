// node models/seed.js fills the shop
var Product = require('./product');
var mongoose = require('mongoose');

var products = [
    {imagePath: '/lamp.jpg', title: 'Lamp', description: 'A lamp', price: 10},
    {imagePath: '/rug.jpg', title: 'Rug', description: 'A rug', price: 120}
];

function seed(done) {
    mongoose.connection.dropDatabase(function () {
        Product.create(products, done);
    });
}

module.exports = seed;
if (require.main === module) seed(function () { mongoose.disconnect(); });
