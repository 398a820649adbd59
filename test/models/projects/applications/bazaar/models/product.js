var mongoose = require('mongoose');
require('mongoose-float').loadType(mongoose);
var Float = mongoose.Schema.Types.Float || Number;

var productSchema = mongoose.Schema({
    imagePath: {type: String, required: true},
    title: {type: String, required: true},
    description: {type: String, required: true},
    price: {type: Float, required: true},
    stock: {type: Number, default: 0, min: [0, 'Out of stock']},
    category: {type: mongoose.Schema.Types.ObjectId, ref: 'Category'}
});

productSchema.index({title: 'text', description: 'text'}, {weights: {title: 5}});

module.exports = mongoose.model('Product', productSchema);
