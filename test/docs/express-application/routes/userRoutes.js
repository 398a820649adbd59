const express = require('express');
const users = require('../controllers/userController');
const { protect } = require('../middlewares/auth');

const router = express.Router();
router.post('/signup', users.signup);
router.post('/login', users.login);
router.patch('/updateMyPassword', protect, users.updatePassword);
router.get('/me', protect, users.getMe);
router.patch('/updateMe', protect, users.updateMe);

module.exports = router;
