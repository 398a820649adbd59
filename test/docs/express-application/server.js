const mongoose = require('mongoose');
const app = require('./app');

mongoose.connect(process.env.DATABASE).then(async () => {
  await Promise.all(Object.values(mongoose.models).map((model) => model.init()));
  const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', () => {
    console.log(`listens on http://127.0.0.1:${server.address().port}`);
  });
});
