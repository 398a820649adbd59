const express = require('express');
const handleErrors = require('./middlewares/error');

const app = express();
app.use(express.json({ limit: '10kb' }));
app.use('/api/v1/tours', require('./routes/tourRoutes'));
app.use('/api/v1/reviews', require('./routes/reviewRoutes'));
app.use('/api/v1/users', require('./routes/userRoutes'));
app.use('/api/v1', require('./routes/shopRoutes'));
app.use(handleErrors);

module.exports = app;
