const mongoose = require('mongoose');
const { Schema } = mongoose;
const slugify = require('../utils/slugify');

// a tree: each category names its parent
const categorySchema = new Schema(
  {
    name: { type: String, required: true, trim: true, unique: true },
    slug: { type: String, lowercase: true },
    parent: { type: Schema.Types.ObjectId, ref: 'Category', default: null },
    ancestors: [{ type: Schema.Types.ObjectId, ref: 'Category' }],
  },
  { toJSON: { virtuals: true } },
);

categorySchema.virtual('children', { ref: 'Category', localField: '_id', foreignField: 'parent' });

categorySchema.pre('validate', async function () {
  this.slug = slugify(this.name ?? '');
  if (!this.isModified('parent')) return;
  const parent = this.parent ? await this.constructor.findById(this.parent) : null;
  this.ancestors = parent ? [...parent.ancestors, parent._id] : [];
});

module.exports = mongoose.models.Category || mongoose.model('Category', categorySchema);
