/** Errors of Mongoose, MongoDB and jsonwebtoken as answers. */
module.exports = (error, req, res, _next) => {
  const status =
    error.statusCode ??
    (error.name === 'ValidationError' || error.name === 'CastError' ? 400 : undefined) ??
    (error.name === 'JsonWebTokenError' || error.name === 'TokenExpiredError' ? 401 : undefined) ??
    (error.code === 11000 ? 409 : 500);
  res.status(status).json({ status: status < 500 ? 'fail' : 'error', message: error.message });
};
