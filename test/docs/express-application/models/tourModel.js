const mongoose = require('mongoose');
const slugify = require('../utils/slugify');

const tourSchema = new mongoose.Schema(
  {
    name: {
      type: String,
      required: [true, 'a tour has a name'],
      unique: true,
      trim: true,
      minlength: [5, 'a name has 5 characters or more'],
      maxlength: [40, 'a name has 40 characters or fewer'],
    },
    slug: String,
    summary: { type: String, trim: true },
    duration: { type: Number, required: [true, 'a tour has a duration'] },
    maxGroupSize: { type: Number, default: 12 },
    difficulty: { type: String, enum: { values: ['easy', 'medium', 'hard'], message: 'easy, medium or hard' } },
    price: { type: Number, required: [true, 'a tour has a price'] },
    priceDiscount: {
      type: Number,
      validate: {
        validator: function (value) {
          return value < this.price;
        },
        message: 'the discount ({VALUE}) is below the price',
      },
    },
    ratingsAverage: { type: Number, default: 4.5, min: 1, max: 5, set: (value) => Math.round(value * 10) / 10 },
    ratingsQuantity: { type: Number, default: 0 },
    startDates: [Date],
    startLocation: {
      type: { type: String, default: 'Point', enum: ['Point'] },
      coordinates: [Number],
      address: String,
    },
    guides: [{ type: mongoose.Schema.ObjectId, ref: 'User' }],
    secretTour: { type: Boolean, default: false },
  },
  { timestamps: true, toJSON: { virtuals: true }, toObject: { virtuals: true } },
);

tourSchema.index({ price: 1, ratingsAverage: -1 });
tourSchema.index({ slug: 1 });
tourSchema.index({ name: 'text', summary: 'text' });

tourSchema.virtual('durationWeeks').get(function () {
  return this.duration === undefined ? undefined : Math.round((this.duration / 7) * 10) / 10;
});

tourSchema.virtual('reviews', { ref: 'Review', foreignField: 'tour', localField: '_id' });

tourSchema.pre('save', function (next) {
  this.slug = slugify(this.name);
  next();
});

tourSchema.pre(/^find/, function (next) {
  this.find({ secretTour: { $ne: true } });
  this.populate({ path: 'guides', select: 'name photo role' });
  next();
});

tourSchema.pre('aggregate', function (next) {
  this.pipeline().unshift({ $match: { secretTour: { $ne: true } } });
  next();
});

module.exports = mongoose.model('Tour', tourSchema);
