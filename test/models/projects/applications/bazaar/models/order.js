var mongoose = require('mongoose'),
    Schema = mongoose.Schema,
    Product = require('./product');

var schema = new Schema({
    cart: {type: Object, required: true},
    address: {type: String, required: true},
    name: {type: String, required: true},
    lines: [{product: {type: Schema.Types.ObjectId, ref: 'Product'}, qty: {type: Number, default: 1}}],
    paymentId: {type: String},
    status: {type: String, enum: ['open', 'paid', 'sent', null], default: 'open'}
});

schema.pre('save', function (next) {
    if (!this.isNew) return next();
    var lines = this.lines, left = lines.length;
    if (!left) return next();
    var failed = false;
    lines.forEach(function (line) {
        Product.findById(line.product, function (err, product) {
            if (failed) return;
            if (err || !product || product.stock < line.qty) {
                failed = true;
                return next(new Error('not in stock'));
            }
            product.stock -= line.qty;
            product.save(function (err) {
                if (err && !failed) { failed = true; return next(err); }
                if (!--left && !failed) next();
            });
        });
    });
});

exports.Order = mongoose.model('Order', schema);
exports.STATES = ['open', 'paid', 'sent'];
