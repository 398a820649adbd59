const { Schema, model } = require('mongoose');
const slugify = require('../utils/slugify');
const historySchema = require('./_history');

const variantSchema = new Schema(
  { colour: String, size: { type: String, enum: ['S', 'M', 'L', 'XL'] }, stock: { type: Number, default: 0, min: 0 } },
  { _id: false },
);

const productSchema = new Schema(
  {
    sku: { type: String, required: true, unique: true, uppercase: true, match: /^[A-Z]{2}-\d{3}$/ },
    name: { type: String, required: true, trim: true },
    slug: String,
    description: { type: String, maxlength: 500 },
    price: { type: Number, required: true, min: [0, 'a price is not negative'] },
    category: { type: Schema.Types.ObjectId, ref: 'Category', required: true },
    tags: { type: [String], lowercase: true, index: true },
    variants: [variantSchema],
    history: [historySchema],
    isDeleted: { type: Boolean, default: false },
  },
  { timestamps: { createdAt: 'created_at', updatedAt: 'updated_at' }, toJSON: { virtuals: true, getters: true } },
);

productSchema.index({ name: 'text', description: 'text' }, { weights: { name: 5, description: 1 } });

productSchema.virtual('stock').get(function () {
  return (this.variants ?? []).reduce((sum, { stock }) => sum + stock, 0);
});

productSchema.pre('save', function () {
  if (this.isModified('name')) this.slug = slugify(this.name);
  if (this.isModified('price')) this.history.push({ what: 'price', value: String(this.price) });
});

// soft deletion of the application's own
productSchema.methods.softDelete = function () {
  this.isDeleted = true;
  return this.save();
};
productSchema.pre(['find', 'findOne', 'countDocuments'], function () {
  this.where({ isDeleted: { $ne: true } });
});

module.exports = model('Product', productSchema);
