const jwt = require('jsonwebtoken');
const User = require('../models/userModel');
const AppError = require('../utils/appError');

exports.signToken = (user) => jwt.sign({ id: user._id }, process.env.JWT_SECRET, { expiresIn: '90d' });

/** Refuses requests without a valid token, and sets `req.user`. */
exports.protect = async (req, res, next) => {
  const [scheme, token] = (req.headers.authorization ?? '').split(' ');
  if (scheme !== 'Bearer') throw new AppError('please log in', 401);
  const { id, iat } = jwt.verify(token, process.env.JWT_SECRET);
  const user = await User.findById(id);
  if (!user || user.changedPasswordAfter(iat)) throw new AppError('please log in again', 401);
  req.user = user;
  next();
};

/** Refuses users with other roles. */
exports.restrictTo =
  (...roles) =>
  (req, res, next) => {
    if (!roles.includes(req.user.role)) throw new AppError('you may not do this', 403);
    next();
  };
