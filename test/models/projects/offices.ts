/** Tickets, forms, boards, expenses and events. */
import type { Project } from './project.ts';

const tickets: Project = {
  name: 'tickets with numbers and a history of their own',
  models: { tickets: 'ticket', groups: 'group', counters: 'counters' },
  files: {
    'ticket.js': `
const mongoose = require('mongoose');
const COLLECTION = 'tickets';
const historySchema = require('./_history');
const schema = mongoose.Schema({
  uid: { type: Number, unique: true, index: true },
  subject: { type: String, required: true },
  status: { type: Number, default: 0, required: true, index: true },
  priority: { type: String, default: 'normal' },
  group: { type: mongoose.Schema.Types.ObjectId, ref: 'groups' },
  tags: [String],
  history: [historySchema],
  closedDate: Date,
});
schema.pre('validate', function () { if (this.subject) this.subject = this.subject.trim(); });
schema.pre('save', function (next) {
  if (this.uid) return next();
  mongoose.model('counters').increment('tickets').then((counter) => { this.uid = counter.next; next(); }, next);
});
schema.pre('save', async function () {
  if (this.isNew || !this.isModified('status')) return;
  this.history.push({ action: 'status', description: String(this.status) });
  this.closedDate = this.status === 3 ? new Date() : undefined;
});
schema.statics.open = function () { return this.find({ status: { $lt: 3 } }); };
module.exports = mongoose.model(COLLECTION, schema);`,
    '_history.js': `
const mongoose = require('mongoose');
module.exports = mongoose.Schema({ action: { type: String, required: true }, date: { type: Date, default: Date.now }, description: String });`,
    'counters.js': `
const mongoose = require('mongoose');
const schema = mongoose.Schema({ name: { type: String, unique: true }, next: { type: Number, default: 1000 } });
schema.statics.increment = function (name) { return this.findOneAndUpdate({ name }, { $inc: { next: 1 } }, { new: true, upsert: true, setDefaultsOnInsert: false }); };
module.exports = mongoose.model('counters', schema);`,
    'group.js': `
const mongoose = require('mongoose');
const schema = mongoose.Schema({ name: { type: String, required: true, unique: true }, open: { type: Number, default: 0 } });
schema.virtual('tickets', { ref: 'tickets', localField: '_id', foreignField: 'group' });
module.exports = mongoose.model('groups', schema);`,
  },
  steps: [
    { post: 'groups', as: 'g', body: { name: 'support' } },
    { post: 'tickets', as: 'a', body: { subject: ' help ', group: '@g', tags: ['x'] } },
    { post: 'tickets', as: 'b', body: { subject: 'more' } },
    { post: 'tickets', body: {} },
    { put: 'a', body: { status: 2 } },
    { put: 'a', body: { status: 3, priority: 'low' } },
    { put: 'a', body: { subject: ' x ' } },
    { put: 'b', body: { group: '@g', tags: ['y', 'z'] } },
    { put: 'b', body: { status: 'open' } },
    { find: 'tickets', where: { tags: 'y' } },
    { populate: 'groups', path: 'tickets' },
    { populate: 'tickets', path: 'group' },
  ],
};

const forms: Project = {
  name: 'forms of TypeScript, with kinds of fields and of submissions',
  models: { Form: 'form', Submission: 'submission' },
  files: {
    'form.model.ts': `
import mongoose, { Schema } from 'mongoose';
const BaseField = new Schema({ title: { type: String, trim: true, required: true }, required: { type: Boolean, default: true } }, { discriminatorKey: 'fieldType' });
const FormSchema = new Schema(
  {
    title: { type: String, required: 'Form name cannot be blank', minlength: [4, 'too short'] },
    emails: { type: [{ type: String, trim: true }], set: (value: string | string[]) => (typeof value === 'string' ? value.split(',') : value) },
    form_fields: [BaseField],
    status: { type: String, enum: ['PRIVATE', 'PUBLIC', 'ARCHIVED'], default: 'PRIVATE', set: function (this: any, value: string) { return this.status === 'ARCHIVED' ? this.status : value; } },
    limit: { type: Number, default: null, min: 1 },
  },
  { timestamps: { createdAt: 'created', updatedAt: 'lastModified' } },
);
const fields = FormSchema.path('form_fields') as unknown as Schema.Types.DocumentArray;
fields.discriminator('rating', new Schema({ steps: { type: Number, default: 5, max: 10 } }));
fields.discriminator('dropdown', new Schema({ options: { type: [String], validate: { validator: (list: string[]) => list.length > 0, message: 'options' } } }));
FormSchema.pre('validate', function (next: any) { if ((this.form_fields as unknown[]).length > 3) next(Object.assign(new Error('too many fields'), { statusCode: 422, expose: true })); else next(); });
FormSchema.methods['archive'] = function (this: any) { this.status = 'ARCHIVED'; return this.save(); };
export default mongoose.model('Form', FormSchema);`,
    'submission.model.ts': `
import { Schema, model } from 'mongoose';
const schema = new Schema({ form: { type: Schema.Types.ObjectId, ref: 'Form', required: true }, kind: String }, { discriminatorKey: 'kind', timestamps: { createdAt: 'created', updatedAt: false } });
const Submission = model('Submission', schema);
export const EmailSubmission = Submission.discriminator('email', new Schema({ recipients: { type: [String], required: true } }));
export const StoredSubmission = Submission.discriminator('stored', new Schema({ content: { type: String, trim: true, required: true }, responses: [{ status: Number, created: { type: Date, default: Date.now } }] }));
export default Submission;`,
  },
  steps: [
    {
      post: 'Form',
      as: 'f',
      body: {
        title: 'Survey',
        emails: 'a@x,b@x',
        form_fields: [
          { fieldType: 'rating', title: ' r ' },
          { fieldType: 'dropdown', title: 'd', options: ['x'] },
        ],
      },
    },
    { post: 'Form', body: { title: 'abc' } },
    { post: 'Form', body: { title: 'abcd', form_fields: [{ fieldType: 'rating', title: 'r', steps: 11 }] } },
    { post: 'Form', body: { title: 'abcd', form_fields: [{ fieldType: 'dropdown', title: 'r', options: [] }] } },
    { put: 'f', body: { emails: 'c@x' } },
    { put: 'f', body: { form_fields: [{ fieldType: 'rating', title: 'r', steps: 3 }] } },
    { put: 'f', body: { form_fields: [1, 2, 3, 4].map((n) => ({ fieldType: 'rating', title: `r${n}` })) } },
    { put: 'f', body: { status: 'ARCHIVED' } },
    { put: 'f', body: { status: 'PUBLIC' } },
    { put: 'f', body: { limit: 0 } },
    { post: 'Submission', as: 's', body: { kind: 'stored', form: '@f', content: ' c ', responses: [{ status: 200 }] } },
    { post: 'Submission', body: { kind: 'stored', form: '@f' } },
    { post: 'Submission', as: 'e', body: { kind: 'email', form: '@f', recipients: ['r'] } },
    { put: 's', body: { content: '' } },
    { put: 'e', body: { recipients: [] } },
    { find: 'Submission', where: { kind: 'email' } },
    { populate: 'Submission', path: 'form' },
  ],
};

const boards: Project = {
  name: 'boards, lists and cards that are nested in each other',
  models: { Board: 'board', Label: 'label' },
  files: {
    'board.js': `
const mongoose = require('mongoose');
const { Schema } = mongoose;
const check = new Schema({ text: String, done: { type: Boolean, default: false } }, { _id: false });
const card = new Schema({ title: { type: String, required: true }, labels: [{ type: Schema.Types.ObjectId, ref: 'Label' }], checks: [check], due: Date, done: Number }, { timestamps: false });
card.pre('validate', function () { this.done = this.checks.filter((one) => one.done).length; });
card.path('checks').validate(function (list) { return list.length <= 2 || this.due !== undefined; }, 'long lists have a date');
const list = new Schema({ name: { type: String, uppercase: true }, cards: { type: [card], default: [] } });
const board = new Schema({ title: String, lists: [list], archived: { type: Boolean, default: false }, owner: { name: { type: String, default: 'none' }, since: Number } }, { strict: true });
board.virtual('cards').get(function () { return this.lists.flatMap((one) => one.cards.map((card) => card.title)); });
module.exports = { BoardSchema: board, Board: mongoose.model('Board', board) };`,
    'label.js': `
const mongoose = require('mongoose');
module.exports = { default: mongoose.model('Label', new mongoose.Schema({ name: String, color: { type: String, default: 'red', validate: /^[a-z]+$/ } })) };`,
  },
  steps: [
    { post: 'Label', as: 'l', body: { name: 'urgent' } },
    { post: 'Label', body: { name: 'bad', color: 'RED' } },
    {
      post: 'Board',
      as: 'b',
      body: {
        title: 'B',
        lists: [{ name: 'todo', cards: [{ title: 'c', labels: ['@l'], checks: [{ text: 'x', done: true }] }] }],
      },
    },
    { post: 'Board', body: { title: 'C', lists: [{ cards: [{ checks: [] }] }] } },
    { post: 'Board', body: { title: 'D', lists: [{ cards: [{ title: 't', checks: [{}, {}, {}] }] }] } },
    { put: 'b', body: { 'lists.0.name': 'doing' } },
    { put: 'b', body: { 'lists.0.cards.0.checks': [{ text: 'y' }, { text: 'z', done: true }] } },
    { put: 'b', body: { 'lists.0.cards.0.title': '' } },
    { put: 'b', body: { owner: { since: 3 } } },
    { put: 'b', body: { lists: [] } },
    { find: 'Label', where: { color: 'red' } },
  ],
};

const expenses: Project = {
  name: 'expenses with getters, aliases and rules of the document',
  models: { Expense: 'expense', Budget: 'budget' },
  files: {
    'expenseModel.js': `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({
  type: { type: String, enum: ['income', 'expense'], required: true },
  a: { type: Number, alias: 'amount', required: true, validate: { validator: function (value) { return this.type === 'income' ? value > 0 : value < 0; }, message: 'income is above zero, expenses are below' } },
  category: { type: String, default: function () { return this.type === 'income' ? 'salary' : 'other'; } },
  receipt: { type: String, required: [function () { return this.type === 'expense' && this.a < -100; }, 'a receipt, please'] },
  month: String,
  at: { type: Date, default: new Date('2026-01-15') },
  approved: { type: Boolean, default: false },
  budget: { type: mongoose.Schema.Types.ObjectId, ref: 'Budget' },
});
schema.pre('save', function (next) { this.month = this.at.toISOString().slice(0, 7); next(); });
schema.path('category').immutable(function () { return this.approved; });
module.exports = mongoose.model('Expense', schema);`,
    'budget.js': `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({ name: { type: String, required: true, lowercase: true, trim: true }, limit: { type: Number, default: Infinity }, months: { type: [Number], validate: [{ validator: (list) => list.every((one) => one >= 1 && one <= 12), message: 'months are 1 to 12' }, { validator: (list) => list.length < 4, message: 'three at most' }] } });
schema.virtual('expenses', { ref: 'Expense', localField: '_id', foreignField: 'budget', justOne: true });
module.exports = mongoose.model('Budget', schema);`,
  },
  steps: [
    { post: 'Budget', as: 'b', body: { name: ' Home ', limit: 100, months: [1, 2] } },
    { post: 'Budget', body: { name: 'x', months: [13] } },
    { post: 'Budget', body: { name: 'x', months: [1, 2, 3, 4] } },
    { post: 'Expense', as: 'i', body: { type: 'income', amount: 5 } },
    { post: 'Expense', as: 'e', body: { type: 'expense', amount: -50, budget: '@b' } },
    { post: 'Expense', body: { type: 'expense', amount: 50 } },
    { post: 'Expense', body: { type: 'expense', amount: -500 } },
    { put: 'e', body: { a: -500 } },
    { put: 'e', body: { a: -500, receipt: 'r' } },
    { put: 'e', body: { receipt: null } },
    { put: 'e', body: { type: 'income' } },
    { put: 'e', body: { approved: true } },
    { put: 'e', body: { category: 'food' } },
    { put: 'i', body: { category: 'bonus', at: '2026-03-03' } },
    { find: 'Expense', where: { month: '2026-03' } },
    { populate: 'Expense', path: 'budget' },
    { populate: 'Budget', path: 'expenses' },
  ],
};

const events: Project = {
  name: 'events with places, guests and a plugin of the package kind',
  models: { Event: 'event', Venue: 'venue' },
  files: {
    'event.js': `
const { default: mongoose, Schema } = require('mongoose');
const unique = (schema, options) => { schema.eachPath((path, type) => { if (type.options.once) type.validate(async function (value) { const other = await this.constructor.findOne({ [path]: value, _id: { $ne: this._id } }); return other === null; }, options.message); }); };
const guest = new Schema({ email: { type: String, lowercase: true, required: true }, answer: { type: String, enum: ['yes', 'no', null], default: null } });
const schema = new Schema({ name: { type: String, once: true, required: true }, starts: Date, ends: { type: Date, min: function () { return this.starts; } }, venue: { type: Schema.Types.ObjectId, ref: 'Venue' }, guests: [guest], count: { yes: { type: Number, default: 0 }, no: { type: Number, default: 0 } }, open: { type: Boolean, default: true } });
schema.plugin(unique, { message: 'is taken' });
schema.pre('save', function () { for (const answer of ['yes', 'no']) this.count[answer] = this.guests.filter((one) => one.answer === answer).length; });
module.exports = mongoose.models.Event || mongoose.model('Event', schema);`,
    'venue.js': `
const mongoose = require('mongoose');
const point = new mongoose.Schema({ type: { type: String, enum: ['Point'], required: true }, coordinates: { type: [Number], required: true, validate: (pair) => pair.length === 2 } }, { _id: false });
const schema = new mongoose.Schema({ name: String, place: { type: point, index: '2dsphere' }, hours: { open: { type: Number, min: 0, max: 24 }, close: { type: Number, validate: function (value) { return value > this.hours.open; } } }, seats: mongoose.SchemaTypes.Number });
schema.query.named = function (name) { return this.where({ name }); };
module.exports = mongoose.model('Venue', schema);`,
  },
  steps: [
    {
      post: 'Venue',
      as: 'v',
      body: {
        name: 'Hall',
        place: { type: 'Point', coordinates: [8, 47] },
        hours: { open: 8, close: 20 },
        seats: '100',
      },
    },
    { post: 'Venue', body: { name: 'Nowhere', place: { type: 'Point', coordinates: [8] } } },
    { post: 'Venue', body: { name: 'Night', hours: { open: 20, close: 8 } } },
    { put: 'v', body: { 'hours.close': 6 } },
    { put: 'v', body: { hours: { open: 5, close: 6 } } },
    {
      post: 'Event',
      as: 'e',
      body: { name: 'Fair', venue: '@v', guests: [{ email: 'A@X', answer: 'yes' }, { email: 'b@x' }] },
    },
    { post: 'Event', body: { name: 'Fair' } },
    { post: 'Event', body: { name: 'Ball', guests: [{ email: 'c@x', answer: 'perhaps' }] } },
    { put: 'e', body: { 'guests.1.answer': 'no' } },
    { put: 'e', body: { guests: [{ answer: 'no' }] } },
    { put: 'e', body: { name: 'Fair', open: false } },
    { find: 'Event', where: { 'guests.email': 'a@x' } },
    { populate: 'Event', path: 'venue' },
  ],
};

export const offices: readonly Project[] = [tickets, forms, boards, expenses, events];
