const express = require('express');
const shop = require('../controllers/shopController');
const { protect, restrictTo } = require('../middlewares/auth');

const router = express.Router();
const admin = [protect, restrictTo('admin')];

router.get('/categories', shop.categories);
router.get('/categories/:id', shop.category);
router.post('/categories', admin, shop.createCategory);

router.get('/products', shop.products);
router.get('/products/:id', shop.product);
router.post('/products', admin, shop.createProduct);
router.patch('/products/:id', admin, shop.updateProduct);
router.delete('/products/:id', admin, shop.removeProduct);

router.get('/cart', protect, shop.cart);
router.put('/cart', protect, shop.saveCart);

router.get('/coupons', admin, shop.coupons);
router.post('/coupons', admin, shop.createCoupon);

router.post('/orders', protect, shop.asOwn, shop.createOrder);
router.get('/orders/mine', protect, shop.myOrders);
router.get('/orders', admin, shop.orders);
router.patch('/orders/:id', admin, shop.updateOrder);

router.get('/payments', admin, shop.payments);
router.post('/payments', admin, shop.pay);

router.get('/favourites', protect, shop.myFavourites);
router.post('/favourites', protect, shop.asOwn, shop.createFavourite);

module.exports = router;
