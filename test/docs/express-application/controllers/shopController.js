const Cart = require('../models/cartModel');
const Category = require('../models/Category');
const { Coupon } = require('../models/coupon.model');
const Favourite = require('../models/favourite');
const Order = require('../models/orderModel');
const Payment = require('../models/payment');
const Product = require('../models/Product');
const AppError = require('../utils/appError');
const factory = require('./factory');

exports.categories = factory.getAll(Category);
exports.category = factory.getOne(Category, 'children');
exports.createCategory = factory.createOne(Category);

exports.products = factory.getAll(Product);
exports.product = factory.getOne(Product, 'category');
exports.createProduct = factory.createOne(Product);
exports.updateProduct = factory.updateOne(Product);
exports.removeProduct = async (req, res) => {
  const product = await Product.findById(req.params.id);
  if (!product) throw new AppError('there is no product with this id', 404);
  await product.softDelete();
  res.status(204).end();
};

exports.cart = async (req, res) => {
  const cart = await Cart.findOne({ user: req.user.id }).populate('items.product');
  if (!cart) throw new AppError('the cart is empty', 404);
  res.json({ status: 'success', data: cart });
};
exports.saveCart = async (req, res) => {
  const cart = (await Cart.findOne({ user: req.user.id })) ?? new Cart({ user: req.user.id });
  cart.items = req.body.items;
  res.json({ status: 'success', data: await cart.save() });
};

exports.createCoupon = factory.createOne(Coupon);
exports.coupons = factory.getAll(Coupon);

/** Documents are those of the user who sends the request. */
exports.asOwn = (req, res, next) => {
  req.body.user = req.user.id;
  next();
};
const own = (req) => ({ user: req.user.id });
exports.createOrder = factory.createOne(Order);
exports.myOrders = factory.getAll(Order, own);
exports.updateOrder = factory.updateOne(Order);
exports.orders = factory.getAll(Order);
exports.pay = factory.createOne(Payment);
exports.payments = factory.getAll(Payment);
exports.createFavourite = factory.createOne(Favourite);
exports.myFavourites = factory.getAll(Favourite, own);
