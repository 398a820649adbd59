/** Model files that were written for Mongoose 5 and 6 pass callbacks to queries and documents, which are called (docs/models.md). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const counter = `
const mongoose = require('mongoose');
const schema = new mongoose.Schema({ name: String, seq: Number }, { perms: { all: 'crud' } });
module.exports = mongoose.model('Counter', schema);
`;

/** Middleware and statics, each with the forms of callbacks that one function takes. */
const note = `
const mongoose = require('mongoose');
const Counter = require('./counter.js');
const schema = new mongoose.Schema({ title: String, number: Number, faulty: Boolean }, { perms: { all: 'crud' } });

schema.pre('save', function (next) {
  const doc = this;
  if (!doc.isNew) return next();
  Counter.findOne({ name: 'note' }, (error, found) => {
    if (error) return next(error);
    const counter = found || new Counter({ name: 'note', seq: 0 });
    counter.seq += 1;
    if (doc.faulty) return Counter.findById('no id', (fault) => next(new Error('found: ' + fault.name)));
    counter.save((failure, saved) => {
      doc.number = saved.seq;
      next(failure);
    });
  });
});

const forms = {
  find: (Note, end) => Note.find({}, end),
  findExec: (Note, end) => Note.find({}).sort('title').exec(end),
  findBefore: (Note, end) => Note.find({}).exec(end, undefined),
  findOptions: (Note, end) => Note.find({}, 'title', { limit: 1 }, end),
  count: (Note, end) => Note.countDocuments({}, end),
  countOfQuery: (Note, end) => Note.find({}).countDocuments(end),
  create: (Note, end) => Note.create({ title: 'made' }, end),
  insertMany: (Note, end) => Note.insertMany([{ title: 'many' }], end),
  update: (Note, end) => Note.updateMany({ title: 'many' }, { title: 'more' }, end),
  updateExec: (Note, end) => Note.findOneAndUpdate({ title: 'more' }, { title: 'most' }, { returnDocument: 'after' }).exec(end),
  aggregate: (Note, end) => Note.aggregate([{ $count: 'all' }], end),
  aggregateExec: (Note, end) => Note.aggregate([{ $count: 'all' }]).exec(end),
  distinct: (Note, end) => Note.distinct('title', end),
  exists: (Note, end) => Note.exists({ title: 'no such' }, end),
  populate: (Note, end) => Note.findOne({}, (error, doc) => doc.populate('title', end)),
  validate: (Note, end) => new Note({}).validate(end),
  deleteOne: (Note, end) => Note.deleteOne({ title: 'most' }, end),
  failing: (Note, end) => Note.find({ number: 'none' }, (error) => end(null, error.name)),
  queries: async (Note, end) => end(null, (await Note.find({}).lean()).length),
};
schema.statics.ran = function ({ form }) {
  return new Promise((done, failed) => forms[form](this, (error, result) => (error ? failed(error) : done(JSON.stringify(result ?? null)))));
};
schema.set('callable_statics', { ran: { needs: 'r', on: 'model' } });
module.exports = mongoose.model('Note', schema);
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models: { 'counter.js': counter, 'note.js': note } });
});
afterAll(() => server.close());

test('middleware with callbacks runs, and its failures fail the request', async () => {
  for (const number of [1, 2])
    expect((await server.post('/api/note', { title: `n${number}` })).body).toMatchObject({ data: { number } });
  const failed = await server.post('/api/note', { title: 'x', faulty: true });
  expect(failed.status).toBeGreaterThanOrEqual(400);
  expect((await server.get('/api/note')).rows).toHaveLength(2);
});

/** Each form of a callback, and its result, in this order. */
const forms: Readonly<Record<string, unknown>> = {
  find: [{ title: 'n1' }, { title: 'n2' }],
  findExec: [{ title: 'n1' }, { title: 'n2' }],
  findBefore: [{ title: 'n1' }, { title: 'n2' }],
  findOptions: [{ title: 'n1' }],
  count: 2,
  countOfQuery: 2,
  create: { title: 'made', number: 3 },
  insertMany: [{ title: 'many' }],
  update: { modifiedCount: 1 },
  updateExec: { title: 'most' },
  aggregate: [{ all: 4 }],
  aggregateExec: [{ all: 4 }],
  distinct: expect.arrayContaining(['made', 'most', 'n1', 'n2']),
  exists: null,
  populate: { title: 'n1' },
  validate: null,
  deleteOne: { deletedCount: 1 },
  failing: 'CastError',
  queries: 3,
};

test('each function takes a callback, and gives a promise without one', async () => {
  for (const [form, expected] of Object.entries(forms)) {
    const { status, body } = await server.post('/call/note/ran', { form });
    const { data } = body as { readonly data: string };
    expect([form, status, typeof data === 'string' ? (JSON.parse(data) as unknown) : body]).toMatchObject([
      form,
      200,
      expected,
    ]);
  }
});
