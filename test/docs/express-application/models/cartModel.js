const mongoose = require('mongoose');

const cartSchema = new mongoose.Schema({
  user: { type: mongoose.Schema.Types.ObjectId, ref: 'User', required: true, unique: true },
  items: [
    {
      product: { type: mongoose.Schema.Types.ObjectId, ref: 'Product', required: true },
      quantity: { type: Number, default: 1, min: 1 },
      price: Number,
    },
  ],
  total: { type: Number, default: 0 },
});

cartSchema.pre('save', async function (next) {
  try {
    const Product = mongoose.model('Product');
    for (const item of this.items) {
      const product = await Product.findById(item.product);
      if (!product) return next(Object.assign(new Error('no such product'), { statusCode: 400, expose: true }));
      item.price = product.price;
    }
    this.total = this.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    next();
  } catch (error) {
    next(error);
  }
});

module.exports = mongoose.model('Cart', cartSchema);
