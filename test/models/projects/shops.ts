/** Shops, orders, invoices, stocks and bookings. */
import type { Project } from './project.ts';

const shop: Project = {
  name: 'a shop with a global plugin for slugs',
  models: { Product: 'product', Category: 'category', Order: 'order' },
  files: {
    'category.js': `
const mongoose = require('mongoose');
mongoose.plugin((schema) => {
  const path = Object.keys(schema.paths).find((name) => schema.paths[name].options.slug);
  if (path) schema.pre('save', function (next) { const from = this[schema.paths[path].options.slug]; if (from) this[path] = from.toLowerCase().replace(/\\W+/g, '-'); next(); });
});
const schema = new mongoose.Schema({ name: { type: String, trim: true }, slug: { type: String, slug: 'name', unique: true }, products: [{ type: mongoose.Schema.Types.ObjectId, ref: 'Product' }], active: { type: Boolean, default: true } });
module.exports = mongoose.model('Category', schema);`,
    'product.js': `
const mongoose = require('mongoose');
require('./category');
const schema = new mongoose.Schema({ sku: String, name: String, slug: { type: String, slug: 'name', unique: true }, price: { type: mongoose.Types.Decimal128 }, quantity: Number, taxable: { type: Boolean, default: false }, category: { type: mongoose.ObjectId, ref: 'Category', default: null }, updated: Date });
module.exports = mongoose.model('Product', schema);`,
    'order.js': `
const mongoose = require('mongoose');
const item = new mongoose.Schema({ product: { type: mongoose.ObjectId, ref: 'Product' }, quantity: { type: Number, default: 1, min: 1 }, status: { type: String, default: 'open', enum: ['open', 'sent'] } });
const schema = new mongoose.Schema({ items: [item], total: { type: Number, default: 0 }, address: { street: String, city: { type: String, required: true } } }, { timestamps: { createdAt: 'created', updatedAt: 'changed' } });
schema.methods.count = function () { return this.items.reduce((sum, { quantity }) => sum + quantity, 0); };
schema.pre('save', function () { this.total = this.count(); });
module.exports = mongoose.model('Order', schema);`,
  },
  steps: [
    { post: 'Category', as: 'cups', body: { name: ' Cups & Mugs ' } },
    {
      post: 'Product',
      as: 'mug',
      body: { sku: 'm1', name: 'Big Mug', price: '12.50', quantity: 3, category: '@cups' },
    },
    { post: 'Product', as: 'cup', body: { sku: 'c1', name: 'Small Cup', price: 7, quantity: 0 } },
    { post: 'Product', body: { name: 'Free', price: 'nothing' } },
    { put: 'mug', body: { name: 'Bigger Mug', quantity: 2 } },
    { put: 'cups', body: { products: ['@mug', '@cup'], active: false } },
    {
      post: 'Order',
      as: 'o',
      body: { items: [{ product: '@mug', quantity: 2 }, { product: '@cup' }], address: { city: 'Bern' } },
    },
    { post: 'Order', body: { items: [{ product: '@mug', quantity: 0 }], address: { city: 'Bern' } } },
    { post: 'Order', body: { items: [] } },
    { put: 'o', body: { 'items.1.status': 'sent' } },
    { put: 'o', body: { 'items.1.status': 'lost' } },
    { put: 'o', body: { address: { city: 'Basel' } } },
    { put: 'o', body: { items: [{ product: '@cup', quantity: 9 }] } },
    { find: 'Product', where: { slug: 'bigger-mug' } },
    { populate: 'Category', path: 'products' },
    { populate: 'Product', path: 'category' },
  ],
};

const invoices: Project = {
  name: 'invoices that count their numbers by a model for themselves',
  models: { Invoice: 'invoice', Customer: 'customers' },
  files: {
    'invoice.model.js': `
const mongoose = require('mongoose');
const Counter = mongoose.model('Counter', new mongoose.Schema({ _id: String, seq: { type: Number, default: 0 } }));
const line = new mongoose.Schema({ text: String, net: { type: Number, required: true }, rate: { type: Number, default: 0.2 } }, { _id: false });
line.virtual('gross').get(function () { return this.net * (1 + this.rate); });
const schema = new mongoose.Schema({ number: { type: Number, unique: true }, customer: { type: mongoose.Schema.Types.ObjectId, ref: 'Customer' }, lines: [line], net: Number, status: { type: String, enum: ['draft', 'sent', 'paid'], default: 'draft' }, paidAt: { type: Date, required: function () { return this.status === 'paid'; } } });
schema.pre('save', async function (next) {
  this.net = this.lines.reduce((sum, one) => sum + one.net, 0);
  if (!this.isNew) return next();
  const { seq } = await Counter.findByIdAndUpdate({ _id: 'invoice' }, { $inc: { seq: 1 } }, { new: true, upsert: true });
  this.number = seq;
  next();
});
schema.pre('save', function (next) {
  if (this.isModified('lines') && this.status !== 'draft') return next(Object.assign(new Error('only drafts change'), { statusCode: 409, expose: true }));
  next();
});
module.exports = mongoose.model('Invoice', schema);`,
    'customers.model.js': `
const { Schema, model } = require('mongoose');
module.exports = model('Customer', Schema({ name: String, email: { type: String, lowercase: true, trim: true, match: /@/, unique: true }, phones: [String] }));`,
  },
  steps: [
    { post: 'Customer', as: 'ann', body: { name: 'Ann', email: ' ANN@X.org ', phones: ['1', '2'] } },
    { post: 'Customer', body: { name: 'Ben', email: 'ben' } },
    {
      post: 'Invoice',
      as: 'one',
      body: {
        customer: '@ann',
        lines: [
          { text: 'a', net: 10 },
          { text: 'b', net: 5, rate: 0 },
        ],
      },
    },
    { post: 'Invoice', as: 'two', body: { customer: '@ann' } },
    { put: 'one', body: { lines: [{ text: 'a', net: 11 }] } },
    { put: 'one', body: { status: 'paid' } },
    { put: 'one', body: { status: 'paid', paidAt: '2026-02-01T10:00:00Z' } },
    { put: 'one', body: { lines: [] } },
    { put: 'two', body: { status: 'posted' } },
    { put: 'ann', body: { email: 'New@X.org', phones: [] } },
    { find: 'Invoice', where: { number: 2 } },
    { populate: 'Invoice', path: 'customer' },
  ],
};

const stock: Project = {
  name: 'a stock with maps, numbers of 64 bits and dates',
  models: { Item: 'item', Move: 'move' },
  files: {
    'item.mjs': `
import mongoose from 'mongoose';
const { Schema, model } = mongoose;
const schema = new Schema({ code: { type: String, uppercase: true, index: true, required: true }, amounts: { type: Map, of: Number, default: () => ({}) }, serial: BigInt, weight: Schema.Types.Double, cases: Schema.Types.Int32, photo: Buffer, uid: Schema.Types.UUID, extra: {}, since: { type: Date, max: () => new Date('2030-01-01') } }, { minimize: false });
export default model('Item', schema);`,
    'move.mjs': `
import { Schema, model } from 'mongoose';
import Item from './item.mjs';
const schema = new Schema({ item: { type: Schema.Types.ObjectId, ref: 'Item' }, from: String, to: String, amount: { type: Number, validate: { validator(value) { return value > 0 && this.from !== this.to; }, message: (props) => props.value + ' cannot be moved' } } });
schema.post('save', async function () {
  const item = await Item.findById(this.item);
  if (!item) return;
  item.amounts.set(this.to, (item.amounts.get(this.to) ?? 0) + this.amount);
  await item.save();
});
export default model('Move', schema);`,
  },
  steps: [
    {
      post: 'Item',
      as: 'nut',
      body: {
        code: 'nut',
        amounts: { a: 1 },
        serial: '9007199254740993',
        weight: 1.5,
        cases: 3,
        extra: { any: [1, 'x'] },
        since: '2020-05-05',
      },
    },
    { post: 'Item', body: { code: 'late', since: '2031-01-01' } },
    { post: 'Item', body: { code: 'odd', cases: 1.5 } },
    { post: 'Item', body: { amounts: {} } },
    { post: 'Move', as: 'm', body: { item: '@nut', from: 'a', to: 'b', amount: 4 } },
    { post: 'Move', body: { item: '@nut', from: 'a', to: 'a', amount: 4 } },
    { put: 'm', body: { to: 'a' } },
    { put: 'm', body: { amount: 0 } },
    { put: 'nut', body: { 'amounts.a': 10 } },
    { put: 'nut', body: { extra: null } },
    { put: 'nut', body: { amounts: { z: 'many' } } },
    { find: 'Item', where: { code: 'NUT' } },
    { populate: 'Move', path: 'item' },
  ],
};

const bookings: Project = {
  name: 'bookings whose dates are checked against each other',
  models: { Room: 'room', Booking: 'booking' },
  files: {
    'models.js': `
const mongoose = require('mongoose');
const Room = mongoose.model('Room', new mongoose.Schema({ number: { type: Number, required: true, unique: true }, beds: { type: Number, default: 2 }, price: { type: Number, get: (cents) => cents / 100, set: (euros) => Math.round(euros * 100) } }));
const booking = new mongoose.Schema({
  room: { type: mongoose.Schema.Types.ObjectId, ref: Room, required: true },
  from: { type: Date, required: true },
  to: { type: Date, required: true, validate: { validator: function (value) { return value > this.from; }, message: 'to is after from' } },
  guests: { type: [{ name: { type: String, required: true }, age: { type: Number, min: 0 } }], validate: { validator: (list) => list.length > 0, message: 'a guest, please' } },
  nights: Number,
  state: { type: String, default: 'new', immutable: function (doc) { return doc.state === 'cancelled'; } },
});
booking.pre('validate', function (next) { if (this.from && this.to) this.nights = Math.round((this.to - this.from) / 864e5); next(); });
const Booking = mongoose.model('Booking', booking);
module.exports = { Room, Booking };`,
  },
  steps: [
    { post: 'Room', as: 'r', body: { number: 7, price: 99.99 } },
    {
      post: 'Booking',
      as: 'b',
      body: { room: '@r', from: '2026-03-01', to: '2026-03-04', guests: [{ name: 'G', age: 3 }] },
    },
    { post: 'Booking', body: { room: '@r', from: '2026-03-04', to: '2026-03-01', guests: [{ name: 'G' }] } },
    { post: 'Booking', body: { room: '@r', from: '2026-03-01', to: '2026-03-04', guests: [] } },
    { post: 'Booking', body: { room: '@r', from: 'soon', to: '2026-03-04', guests: [{ name: 'G' }] } },
    { put: 'b', body: { from: '2026-03-05' } },
    { put: 'b', body: { from: '2026-03-05', to: '2026-03-06' } },
    { put: 'b', body: { guests: [{ name: 'H', age: -1 }] } },
    { put: 'b', body: { state: 'cancelled' } },
    { put: 'b', body: { state: 'new' } },
    { put: 'r', body: { price: 50 } },
    { find: 'Booking', where: { nights: 1 } },
    { populate: 'Booking', path: 'room' },
  ],
};

const tutorials: Project = {
  name: 'tutorials of functions that get mongoose, with an index',
  models: { tutorial: 'tutorial', tag: 'tag' },
  files: {
    'tutorial.model.js': `
module.exports = (mongoose) => {
  var schema = mongoose.Schema({ title: String, description: String, published: Boolean, tags: [{ type: mongoose.Schema.Types.ObjectId, ref: 'tag' }] }, { timestamps: true });
  schema.method('toJSON', function () { const { __v, _id, ...object } = this.toObject(); object.id = _id; return object; });
  return mongoose.model('tutorial', schema);
};`,
    'tag.model.js': `module.exports = (mongoose) => mongoose.model('tag', mongoose.Schema({ name: { type: String, required: true } }));`,
    'index.js': `
const mongoose = require('mongoose');
mongoose.Promise = global.Promise;
const db = {};
db.mongoose = mongoose;
db.url = 'mongodb://localhost:27017/tutorials';
db.tutorials = require('./tutorial.model.js')(mongoose);
db.tags = require('./tag.model.js')(mongoose);
module.exports = db;`,
  },
  steps: [
    { post: 'tag', as: 'js', body: { name: 'js' } },
    { post: 'tag', body: {} },
    { post: 'tutorial', as: 't', body: { title: 'T', published: 'true', tags: ['@js'] } },
    { put: 't', body: { published: false, description: 5 } },
    { put: 't', body: { tags: ['nothing'] } },
    { find: 'tutorial', where: { published: false } },
    { populate: 'tutorial', path: 'tags' },
  ],
};

export const shops: readonly Project[] = [shop, invoices, stock, bookings, tutorials];
