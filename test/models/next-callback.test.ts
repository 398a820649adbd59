/** Middleware of every version of Mongoose: with `next`, with a promise, synchronous, and with the values of Mongoose 9 (docs/models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

/** A middleware of `save` that appends to `ran`, in each form. */
const forms: Readonly<Record<string, string>> = {
  'function (next)': `function (next) { this.ran.push('x'); next(); }`,
  'function (next) that calls later': `function (next) { setImmediate(() => { this.ran.push('x'); next(); }); }`,
  'function (next, options)': `function (next, options) { this.ran.push(typeof options === 'object' ? 'x' : 'no options'); next(); }`,
  'async function (next) without a call': `async function (next) { this.ran.push('x'); }`,
  'async function (next) with a call': `async function (next) { await null; this.ran.push('x'); next(); }`,
  'function (done)': `function (done) { this.ran.push('x'); done(); }`,
  'function (next) that returns next()': `function (next) { this.ran.push('x'); return next(); }`,
  'function (next) that calls twice': `function (next) { this.ran.push('x'); next(); next(); }`,
  'a method': `({ add(next) { this.ran.push('x'); next(); } }).add`,
  'a generator that Babel has compiled': `(function () { const inner = async function (next) { this.ran.push('x'); next(); }; return function (_x) { return inner.apply(this, arguments); }; })()`,
  'function (next) that does not use it': `function (next) { this.ran.push('x'); }`,
  'function (options) of Mongoose 9': `function (options) { this.ran.push(typeof options === 'object' ? 'x' : 'no options'); }`,
  'function (next) that tests for it': `function (next) { this.ran.push(typeof next === 'function' ? 'a callback' : 'x'); }`,
  'function (next) that tests for it and calls it later': `function (next) { const self = this; setImmediate(function () { self.ran.push('x'); if (typeof next === 'function') next(); }); }`,
  'function (next) that tests for it and passes it on': `function (next) { this.ran.push('x'); if (typeof next === 'function') setImmediate(next); }`,
  'a parallel one': `true, function (go, end) { go(); setImmediate(() => { this.ran.push('x'); end(); }); }`,
  'a parallel one that ends before it continues': `true, function (go, end) { end(); setImmediate(() => { this.ran.push('x'); go(); }); }`,
  'a parallel one without done': `true, function (go) { this.ran.push('x'); go(); }`,
  'a parallel one with a promise': `true, async function (go, end) { await null; this.ran.push('x'); }`,
  'function (next, done) that is not parallel': `function (next, done) { this.ran.push(typeof done === 'function' ? 'two' : 'x'); next(); }`,
  'function ()': `function () { this.ran.push('x'); }`,
  'async function ()': `async function () { await null; this.ran.push('x'); }`,
  'a promise of another library': `function () { return { then: (done) => { this.ran.push('x'); done(); } }; }`,
};
const refusals: Readonly<Record<string, string>> = {
  'next(error)': `function (next) { next(Object.assign(new Error('refused by next'), { statusCode: 422, expose: true })); }`,
  'next(error) later': `function (next) { setImmediate(next, Object.assign(new Error('refused by next'), { statusCode: 422, expose: true })); }`,
  'done(error) of a parallel one': `true, function (go, end) { go(); setImmediate(end, Object.assign(new Error('refused by next'), { statusCode: 422, expose: true })); }`,
  'a thrown error': `function (next) { throw Object.assign(new Error('refused by next'), { statusCode: 422, expose: true }); }`,
  'a rejected promise': `async function (next) { throw Object.assign(new Error('refused by next'), { statusCode: 422, expose: true }); }`,
};

const start = `const mongoose = require('mongoose');
const perms = { perms: { all: 'crud' } };
`;
/** Where a schema gets the middleware from. */
const places: Readonly<Record<string, (code: string) => string>> = {
  schema: (code) => `${start}const schema = new mongoose.Schema({ title: String, ran: [String] }, perms);
schema.pre('save', ${code});
module.exports = schema;`,
  plugin: (code) => `${start}const schema = new mongoose.Schema({ title: String, ran: [String] }, perms);
schema.plugin((one) => one.pre('save', ${code}));
module.exports = schema;`,
  model: (code) => `${start}const schema = new mongoose.Schema({ title: String, ran: [String] }, perms);
schema.pre('save', ${code});
module.exports = mongoose.model('Compiled' + Math.random(), schema);`,
  kind: (
    code,
  ) => `${start}const schema = new mongoose.Schema({ title: String, ran: [String] }, { ...perms, discriminatorKey: 'kind' });
const kind = new mongoose.Schema({ extra: String });
kind.pre('save', ${code});
schema.discriminator('special' + Math.random(), kind, 'special');
module.exports = schema;`,
  'compiled kind': (
    code,
  ) => `${start}const schema = new mongoose.Schema({ title: String, ran: [String] }, { ...perms, discriminatorKey: 'kind' });
schema.pre('save', ${code});
const Model = mongoose.model('Base' + Math.random(), schema);
Model.discriminator('special' + Math.random(), new mongoose.Schema({ extra: String }), 'special');
module.exports = Model;`,
};

let server: TestServer;
const file = (place: string, form: string): string => `${place} ${form}`.toLowerCase().replace(/[^a-z0-9]+/g, '_');
beforeAll(async () => {
  const models = Object.entries(places).flatMap(([place, make]) =>
    Object.entries({ ...forms, ...refusals }).map(([form, code]) => [file(place, form), make(code)] as const),
  );
  server = await startServer({ models: Object.fromEntries(models) });
});

describe.each(Object.keys(places))('in a %s', (place) => {
  test.each(Object.keys(forms))('%s runs once', async (form) => {
    const kind = place.includes('kind') ? { kind: 'special' } : {};
    const created = await server.post(`/api/${file(place, form)}`, { title: 'a', ...kind });
    expect(created.body).toMatchObject({ status: 'ok', data: { ran: ['x'] } });
    const path = `/update/${file(place, form)}/${String(created.document['_id'])}`;
    expect((await server.put(path, { title: 'b' })).document).toMatchObject({ title: 'b', ran: ['x', 'x'] });
  });

  test.each(Object.keys(refusals))('%s refuses', async (form) => {
    const kind = place.includes('kind') ? { kind: 'special' } : {};
    const refused = await server.post(`/api/${file(place, form)}`, { title: 'a', ...kind });
    expect(refused).toMatchObject({ status: 422, body: { err: 'refused by next' } });
    expect((await server.get(`/api/${file(place, form)}`)).rows).toEqual([]);
  });
});
