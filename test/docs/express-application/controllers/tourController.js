const Tour = require('../models/tourModel');
const factory = require('./factory');

exports.aliasTopTours = (req, res, next) => {
  const query = { limit: '3', sort: '-ratingsAverage,price', fields: 'name,price,ratingsAverage' };
  Object.defineProperty(req, 'query', { value: query });
  next();
};

exports.getAllTours = factory.getAll(Tour);
exports.getTour = factory.getOne(Tour, 'reviews');
exports.createTour = factory.createOne(Tour);
exports.updateTour = factory.updateOne(Tour);
exports.deleteTour = factory.deleteOne(Tour);

exports.getTourStats = async (req, res) => {
  const stats = await Tour.aggregate([
    { $match: { ratingsAverage: { $gte: 1 } } },
    {
      $group: {
        _id: '$difficulty',
        tours: { $sum: 1 },
        averagePrice: { $avg: '$price' },
        cheapest: { $min: '$price' },
      },
    },
    { $sort: { averagePrice: 1 } },
  ]);
  res.json({ status: 'success', data: stats });
};

exports.getMonthlyPlan = async (req, res) => {
  const year = Number(req.params.year);
  const plan = await Tour.aggregate([
    { $unwind: '$startDates' },
    { $match: { startDates: { $gte: new Date(`${year}-01-01`), $lt: new Date(`${year + 1}-01-01`) } } },
    { $group: { _id: { $month: '$startDates' }, starts: { $sum: 1 }, tours: { $push: '$name' } } },
    { $sort: { _id: 1 } },
  ]);
  res.json({ status: 'success', data: plan });
};
