const { signToken } = require('../middlewares/auth');
const User = require('../models/userModel');
const AppError = require('../utils/appError');

const sendToken = (user, status, res) => {
  user.password = undefined;
  res.status(status).json({ status: 'success', token: signToken(user), data: user });
};

exports.signup = async (req, res) => {
  const { name, email, password } = req.body;
  sendToken(await User.create({ name, email, password }), 201, res);
};

exports.login = async (req, res) => {
  const { email, password } = req.body;
  if (!email || !password) throw new AppError('please give email and password', 400);
  const user = await User.findOne({ email }).select('+password');
  if (!user || !(await user.comparePassword(password))) throw new AppError('wrong email or password', 401);
  sendToken(user, 200, res);
};

exports.updatePassword = async (req, res) => {
  const user = await User.findById(req.user.id).select('+password');
  if (!(await user.comparePassword(req.body.passwordCurrent))) throw new AppError('wrong password', 401);
  user.password = req.body.password;
  await user.save();
  sendToken(user, 200, res);
};

exports.getMe = (req, res) => res.json({ status: 'success', data: req.user });

exports.updateMe = async (req, res) => {
  const { name, email, photo, addresses } = req.body;
  const changes = JSON.parse(JSON.stringify({ name, email, photo, addresses }));
  const user = await User.findByIdAndUpdate(req.user.id, changes, { new: true, runValidators: true });
  res.json({ status: 'success', data: user });
};
