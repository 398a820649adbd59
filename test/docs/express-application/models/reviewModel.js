const mongoose = require('mongoose');
const Tour = require('./tourModel');

const reviewSchema = new mongoose.Schema(
  {
    review: { type: String, required: [true, 'a review has a text'] },
    rating: { type: Number, min: 1, max: 5 },
    tour: { type: mongoose.Schema.ObjectId, ref: 'Tour', required: [true, 'a review is of a tour'] },
    user: { type: mongoose.Schema.ObjectId, ref: 'User', required: [true, 'a review is by a user'] },
  },
  { timestamps: true, toJSON: { virtuals: true } },
);

// one review of a tour for each user
reviewSchema.index({ tour: 1, user: 1 }, { unique: true });

reviewSchema.pre(/^find/, function (next) {
  this.populate({ path: 'user', select: 'name photo' });
  next();
});

reviewSchema.statics.calcAverageRatings = async function (tour) {
  const [stats] = await this.aggregate([
    { $match: { tour } },
    { $group: { _id: '$tour', count: { $sum: 1 }, average: { $avg: '$rating' } } },
  ]);
  await Tour.findByIdAndUpdate(tour, {
    ratingsQuantity: stats ? stats.count : 0,
    ratingsAverage: stats ? stats.average : 4.5,
  });
};

reviewSchema.post('save', async function () {
  await this.constructor.calcAverageRatings(this.tour);
});

module.exports = mongoose.model('Review', reviewSchema);
