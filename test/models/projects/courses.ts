/** Tours, courses, lessons, libraries and quizzes. */
import type { Project } from './project.ts';

const tours: Project = {
  name: 'guided tours, with ratings that are counted after each review',
  models: { Tour: 'tour', Review: 'review', Guide: 'guide' },
  files: {
    'tourModel.js': `
const mongoose = require('mongoose');
const tourSchema = new mongoose.Schema(
  {
    name: { type: String, required: [true, 'a tour has a name'], unique: true, trim: true, maxlength: 40, minlength: 4 },
    slug: String,
    duration: { type: Number, required: true },
    difficulty: { type: String, enum: { values: ['easy', 'medium', 'hard'], message: 'easy, medium or hard' } },
    ratingsAverage: { type: Number, default: 4.5, min: 1, max: 5, set: (value) => Math.round(value * 10) / 10 },
    ratingsQuantity: { type: Number, default: 0 },
    price: { type: Number, required: true },
    discount: { type: Number, validate: { validator: function (value) { return value < this.price; }, message: 'the discount is above the price' } },
    startLocation: { type: { type: String, default: 'Point', enum: ['Point'] }, coordinates: [Number], address: String },
    locations: [{ type: { type: String, default: 'Point', enum: ['Point'] }, coordinates: [Number], day: Number }],
    guides: [{ type: mongoose.Schema.ObjectId, ref: 'Guide' }],
    secretTour: { type: Boolean, default: false },
  },
  { toJSON: { virtuals: true }, toObject: { virtuals: true } },
);
tourSchema.index({ price: 1, ratingsAverage: -1 });
tourSchema.virtual('weeks').get(function () { return this.duration / 7; });
tourSchema.virtual('reviews', { ref: 'Review', foreignField: 'tour', localField: '_id' });
tourSchema.pre('save', function (next) { this.slug = this.name.toLowerCase().replace(/ /g, '-'); next(); });
module.exports = mongoose.model('Tour', tourSchema);`,
    'reviewModel.js': `
const mongoose = require('mongoose');
const Tour = require('./tourModel');
const reviewSchema = new mongoose.Schema({
  review: { type: String, required: true },
  rating: { type: Number, min: 1, max: 5 },
  tour: { type: mongoose.Schema.ObjectId, ref: 'Tour', required: [true, 'a review is of a tour'] },
  author: String,
});
reviewSchema.index({ tour: 1, author: 1 }, { unique: true });
reviewSchema.statics.count = async function (tour) {
  const [stats = { n: 0, average: 4.5 }] = await this.aggregate([{ $match: { tour } }, { $group: { _id: '$tour', n: { $sum: 1 }, average: { $avg: '$rating' } } }]);
  await Tour.findByIdAndUpdate(tour, { ratingsQuantity: stats.n, ratingsAverage: stats.average });
};
reviewSchema.post('save', async function () { await this.constructor.count(this.tour); });
module.exports = mongoose.model('Review', reviewSchema);`,
    'guideModel.js': `
const mongoose = require('mongoose');
module.exports = mongoose.model('Guide', new mongoose.Schema({ name: String, role: { type: String, enum: ['guide', 'lead-guide'], default: 'guide' }, active: { type: Boolean, default: true, select: false } }));`,
  },
  steps: [
    { post: 'Guide', as: 'gus', body: { name: 'Gus', role: 'lead-guide' } },
    {
      post: 'Tour',
      as: 'lake',
      body: {
        name: 'Round the Lake',
        duration: 14,
        price: 500,
        discount: 50,
        guides: ['@gus'],
        startLocation: { coordinates: [8.5, 47.3] },
      },
    },
    { post: 'Tour', body: { name: 'Lost', duration: 7, price: 10, discount: 50 } },
    { post: 'Tour', body: { name: 'Abc', duration: 7, price: 10 } },
    {
      post: 'Tour',
      as: 'peak',
      body: {
        name: 'To the Peak',
        duration: 7,
        price: 900,
        difficulty: 'hard',
        ratingsAverage: 4.6666,
        locations: [{ coordinates: [1, 2], day: 1 }],
      },
    },
    { put: 'peak', body: { discount: 901 } },
    { put: 'peak', body: { price: 950, discount: 901 } },
    { put: 'lake', body: { name: 'Round the Big Lake' } },
    { put: 'lake', body: { price: 40 } },
    { put: 'lake', body: { difficulty: 'deadly' } },
    { post: 'Review', as: 'good', body: { review: 'good', rating: 5, tour: '@lake', author: 'a' } },
    { post: 'Review', body: { review: 'fair', rating: 4, tour: '@lake', author: 'b' } },
    { post: 'Review', body: { review: 'bad', rating: 9, tour: '@lake', author: 'c' } },
    { post: 'Review', body: { rating: 1, author: 'd' } },
    { put: 'good', body: { rating: 2 } },
    { find: 'Tour', where: { slug: 'round-the-big-lake' } },
    { find: 'Tour', where: { ratingsQuantity: 2 } },
    { populate: 'Review', path: 'tour' },
    { populate: 'Tour', path: 'reviews' },
    { populate: 'Tour', path: 'guides' },
  ],
};

const bootcamps: Project = {
  name: 'bootcamps, whose average cost follows their courses',
  models: { Bootcamp: 'bootcamp', Course: 'course' },
  files: {
    'Bootcamp.js': `
const mongoose = require('mongoose');
const BootcampSchema = new mongoose.Schema({
  name: { type: String, required: true, unique: true, trim: true },
  slug: String,
  website: { type: String, match: [/^https?:\\/\\/\\S+$/, 'a URL with HTTP or HTTPS'] },
  careers: { type: [String], required: true, enum: ['Web', 'Mobile', 'Data'] },
  averageCost: Number,
  photo: { type: String, default: 'no-photo.jpg' },
  location: { type: { type: String, enum: ['Point'] }, coordinates: { type: [Number] }, city: String },
  address: String,
}, { toJSON: { virtuals: true }, toObject: { virtuals: true }, timestamps: true });
BootcampSchema.pre('save', function (next) { this.slug = this.name.toLowerCase(); next(); });
BootcampSchema.pre('save', async function (next) {
  if (!this.address) return next();
  this.location = { type: 'Point', coordinates: [1, 2], city: this.address.split(',')[0] };
  this.address = undefined;
  next();
});
BootcampSchema.virtual('courses', { ref: 'Course', localField: '_id', foreignField: 'bootcamp', justOne: false });
module.exports = mongoose.model('Bootcamp', BootcampSchema);`,
    'Course.js': `
const mongoose = require('mongoose');
const CourseSchema = new mongoose.Schema({
  title: { type: String, trim: true, required: true },
  weeks: { type: String, required: true },
  tuition: { type: Number, required: true },
  bootcamp: { type: mongoose.Schema.ObjectId, ref: 'Bootcamp', required: true },
});
CourseSchema.statics.averageCost = async function (bootcamp) {
  const [found] = await this.aggregate([{ $match: { bootcamp } }, { $group: { _id: '$bootcamp', cost: { $avg: '$tuition' } } }]);
  await this.model('Bootcamp').findByIdAndUpdate(bootcamp, { averageCost: Math.ceil(found.cost / 10) * 10 });
};
CourseSchema.post('save', async function () { await this.constructor.averageCost(this.bootcamp); });
module.exports = mongoose.model('Course', CourseSchema);`,
  },
  steps: [
    {
      post: 'Bootcamp',
      as: 'camp',
      body: { name: 'Camp', careers: ['Web'], address: 'Basel, Rhine 1', website: 'http://a.b' },
    },
    { post: 'Bootcamp', body: { name: 'Bad', careers: ['Cooking'] } },
    { post: 'Bootcamp', body: { name: 'Worse', careers: ['Web'], website: 'ftp://a' } },
    { post: 'Course', as: 'js', body: { title: '  JS ', weeks: '8', tuition: 801, bootcamp: '@camp' } },
    { post: 'Course', body: { title: 'TS', weeks: 4, tuition: 400, bootcamp: '@camp' } },
    { put: 'js', body: { tuition: 900 } },
    { put: 'camp', body: { address: 'Bern, Aare 2' } },
    { put: 'camp', body: { name: 'CAMP' } },
    { populate: 'Bootcamp', path: 'courses' },
    { populate: 'Course', path: 'bootcamp' },
    { find: 'Bootcamp', where: { 'location.city': 'Bern' } },
  ],
};

const lessons: Project = {
  name: 'lessons of TypeScript classes',
  models: { Lesson: 'lesson', Teacher: 'teacher' },
  files: {
    'lesson.ts': `
import mongoose, { Schema, model, models, type HydratedDocument, type Types } from 'mongoose';
export interface ILesson { title: string; minutes: number; teacher?: Types.ObjectId; tags: string[]; parts: { name: string; done: boolean }[]; total?: number }
const PartSchema = new Schema<{ name: string; done: boolean }>({ name: { type: String, required: true }, done: { type: Boolean, default: false } }, { _id: false });
export const LessonSchema = new Schema<ILesson>({
  title: { type: String, required: true },
  minutes: { type: Number, default: 45, validate: { validator: Number.isInteger, message: 'whole minutes' } },
  teacher: { type: Schema.Types.ObjectId, ref: 'Teacher' },
  tags: { type: [String], lowercase: true, default: () => ['new'] },
  parts: { type: [PartSchema], validate: (value: unknown[]) => value.length <= 2 },
  total: Number,
}, { versionKey: false });
LessonSchema.pre('validate', function (this: HydratedDocument<ILesson>) { this.total = this.parts.length; });
export default (models['Lesson'] as mongoose.Model<ILesson>) ?? model<ILesson>('Lesson', LessonSchema);`,
    'teacher.ts': `
import { Schema, model } from 'mongoose';
import Lesson from './lesson.js';
const schema = new Schema({ name: { first: String, last: String }, title: { type: String, default: function (this: any) { return this.name?.last ? 'Prof. ' + this.name.last : 'none'; } } });
schema.virtual('fullName').get(function () { return this.name?.first + ' ' + this.name?.last; }).set(function (value: string) { const [first, last] = value.split(' '); this.set('name', { first, last }); });
schema.virtual('lessons', { ref: () => Lesson, localField: '_id', foreignField: 'teacher', count: true });
export const Teacher = model('Teacher', schema);`,
  },
  steps: [
    { post: 'Teacher', as: 'ada', body: { fullName: 'Ada Byron' } },
    { post: 'Lesson', as: 'one', body: { title: 'One', teacher: '@ada', tags: ['A', 'B'], parts: [{ name: 'x' }] } },
    { post: 'Lesson', body: { title: 'Half', minutes: 1.5 } },
    { post: 'Lesson', body: { title: 'Long', parts: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] } },
    { post: 'Lesson', body: { title: 'Nameless', parts: [{}] } },
    { put: 'one', body: { parts: [{ name: 'x', done: true }, { name: 'y' }] } },
    { put: 'one', body: { parts: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] } },
    { put: 'ada', body: { fullName: 'Ada Lovelace' } },
    { put: 'ada', body: { 'name.first': 'Augusta' } },
    { populate: 'Teacher', path: 'lessons' },
    { populate: 'Lesson', path: 'teacher' },
    { find: 'Lesson', where: { tags: 'a' } },
  ],
};

const library: Project = {
  name: 'a library of schemas, one file each, with a shared plugin',
  models: { book: 'book', loan: 'loan' },
  files: {
    '_plugins/stamped.js': `module.exports = (schema, { by }) => { schema.add({ stampedBy: { type: String, default: by } }); schema.pre('save', function (next) { this.stampedBy += '!'; next(); }); };`,
    '_history.js': `const { Schema } = require('mongoose');\nmodule.exports = new Schema({ at: { type: Date, default: Date.now }, what: { type: String, uppercase: true, required: true } }, { _id: false });`,
    'book.js': `
const { Schema } = require('mongoose');
const schema = new Schema({ title: String, copies: { type: Number, default: 1, min: 0 }, history: [require('./_history')], isbn: { type: String, sparse: true, unique: true } });
schema.plugin(require('./_plugins/stamped'), { by: 'library' });
module.exports = schema;`,
    'loan.js': `
const { Schema } = require('mongoose');
const schema = new Schema({ book: { type: Schema.Types.ObjectId, ref: 'book', required: true }, reader: String, returned: Boolean, due: { type: Date, required: function () { return !this.returned; } }, note: { type: String, immutable: (doc) => doc.returned } });
schema.pre('save', async function () {
  if (!this.isNew) return;
  const Book = this.model('book');
  const found = await Book.findOneAndUpdate({ _id: this.book, copies: { $gt: 0 } }, { $inc: { copies: -1 } });
  if (!found) throw Object.assign(new Error('no copy is left'), { statusCode: 409, expose: true });
});
module.exports = { schema };`,
  },
  steps: [
    { post: 'book', as: 'emma', body: { title: 'Emma', history: [{ what: 'bought' }] } },
    { post: 'book', body: { title: 'Ulysses', history: [{}] } },
    { post: 'loan', as: 'first', body: { book: '@emma', reader: 'r', due: '2026-01-01' } },
    { post: 'loan', body: { book: '@emma', reader: 's', due: '2026-01-01' } },
    { post: 'loan', body: { book: '@emma', reader: 's' } },
    { put: 'first', body: { due: null } },
    { put: 'first', body: { returned: true, due: null } },
    { put: 'first', body: { note: 'late' } },
    { put: 'emma', body: { copies: -1 } },
    { put: 'emma', body: { copies: 3 } },
    { populate: 'loan', path: 'book' },
    { find: 'loan', where: { reader: 'r' } },
  ],
};

const quizzes: Project = {
  name: 'quizzes with nested lists and ids of their own',
  models: { Quiz: 'quiz', Attempt: 'attempt' },
  files: {
    'quiz.js': `
const mongoose = require('mongoose');
const answer = new mongoose.Schema({ text: { type: String, required: true }, right: { type: Boolean, default: false } });
const question = new mongoose.Schema({ id: { type: String, required: true }, text: String, points: { type: Number, default: 1 }, answers: { type: [answer], validate: [(list) => list.some((one) => one.right), 'one answer is right'] } });
const quiz = new mongoose.Schema({ id: { type: String, unique: true, default: () => 'generated' }, title: String, questions: [question], points: Number, levels: { type: Map, of: Number } }, { id: false });
quiz.pre('save', function (done) { this.points = this.questions.reduce((sum, one) => sum + one.points, 0); done(); });
quiz.path('title').validate(async function (value) { return value !== 'taken'; }, 'the title is taken');
exports.Quiz = mongoose.model('Quiz', quiz);`,
    'attempt.js': `
const mongoose = require('mongoose');
const { Quiz } = require('./quiz');
const attempt = new mongoose.Schema({ quiz: { type: mongoose.Types.ObjectId, ref: Quiz }, chosen: [[String]], score: { type: Number, get: (value) => value, set: (value) => Math.max(0, value) } });
exports.Attempt = mongoose.model('Attempt', attempt, 'quiz_attempts');`,
  },
  steps: [
    {
      post: 'Quiz',
      as: 'q',
      body: {
        id: 'first',
        title: 'Q',
        questions: [{ id: 'a', points: 2, answers: [{ text: 'x', right: true }] }],
        levels: { easy: 1 },
      },
    },
    { post: 'Quiz', as: 'g', body: { title: 'generated' } },
    { post: 'Quiz', body: { id: 'second', title: 'taken' } },
    { post: 'Quiz', body: { id: 'third', questions: [{ id: 'b', answers: [{ text: 'x' }] }] } },
    { post: 'Quiz', body: { id: 'fourth', questions: [{ text: 'no id', answers: [{ text: 'x', right: true }] }] } },
    { put: 'q', body: { id: 'renamed' } },
    { put: 'q', body: { 'questions.0.points': 5 } },
    { put: 'q', body: { title: 'taken' } },
    { put: 'q', body: { levels: { easy: 2, hard: 9 } } },
    { post: 'Attempt', as: 't', body: { quiz: '@q', chosen: [['a'], ['b', 'c']], score: -5 } },
    { put: 't', body: { score: 7 } },
    { find: 'Quiz', where: { id: 'renamed' } },
    { populate: 'Attempt', path: 'quiz' },
  ],
};

export const courses: readonly Project[] = [tours, bootcamps, lessons, library, quizzes];
