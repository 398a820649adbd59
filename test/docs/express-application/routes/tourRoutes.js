const express = require('express');
const tours = require('../controllers/tourController');
const { protect, restrictTo } = require('../middlewares/auth');
const reviewRouter = require('./reviewRoutes');

const router = express.Router();
router.use('/:tourId/reviews', reviewRouter);
router.get('/top-3', tours.aliasTopTours, tours.getAllTours);
router.get('/tour-stats', tours.getTourStats);
router.get('/monthly-plan/:year', protect, restrictTo('admin', 'lead-guide', 'guide'), tours.getMonthlyPlan);
router.route('/').get(tours.getAllTours).post(protect, restrictTo('admin', 'lead-guide'), tours.createTour);
router
  .route('/:id')
  .get(tours.getTour)
  .patch(protect, restrictTo('admin', 'lead-guide'), tours.updateTour)
  .delete(protect, restrictTo('admin', 'lead-guide'), tours.deleteTour);

module.exports = router;
