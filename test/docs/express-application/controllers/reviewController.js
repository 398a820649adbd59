const Review = require('../models/reviewModel');
const factory = require('./factory');

/** A nested route, /tours/:tourId/reviews, names the tour. */
exports.setTourAndUser = (req, res, next) => {
  req.body.tour ??= req.params.tourId;
  req.body.user = req.user.id;
  next();
};

exports.getReviews = factory.getAll(Review, (req) => (req.params.tourId ? { tour: req.params.tourId } : {}));
exports.createReview = factory.createOne(Review);
