var mongoose = require('mongoose');
var schema = mongoose.Schema;

var categorySchema = new schema({
    title: String,
    slug: {type: String, unique: true},
    parent: {type: schema.Types.ObjectId, ref: 'Category', default: null},
    sort: {type: Number, default: 0}
});

categorySchema.pre('save', function (next) {
    if (this.title && !this.slug) this.slug = this.title.toLowerCase().split(' ').join('_');
    return next();
});

module.exports = mongoose.model('Category', categorySchema);
