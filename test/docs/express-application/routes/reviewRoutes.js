const express = require('express');
const reviews = require('../controllers/reviewController');
const { protect, restrictTo } = require('../middlewares/auth');

const router = express.Router({ mergeParams: true });
router.use(protect);
router.route('/').get(reviews.getReviews).post(restrictTo('user'), reviews.setTourAndUser, reviews.createReview);

module.exports = router;
