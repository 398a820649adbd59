/** Changes of a part of a list, a map or a free-form field are judged by the validators of the whole, and middleware of `init` runs for answers (docs/models.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const unique = '(all) => new Set(all.map((one) => (one && one.no) ?? one)).size === all.length';
const models = {
  'thing.js': `const { Schema } = require('mongoose');
const numbers = { validator: (all) => [...all.values()].reduce((sum, one) => sum + one, 0) <= 10, message: 'more than ten' };
module.exports = new Schema({
  name: String,
  parts: { type: [{ no: Number }], validate: ${unique} },
  tags: { type: [String], validate: ${unique} },
  rows: { type: [[Number]], validate: (all) => all.every((row) => row.length < 3) },
  counts: { type: Map, of: Number, validate: numbers },
  any: { type: Schema.Types.Mixed, validate: (any) => any.low < any.high },
}, { perms: { all: 'crud' } });`,
  'letter.js': `const { Schema } = require('mongoose');
const turned = (text) => [...text].reverse().join('');
const schema = new Schema({ text: String, pages: [new Schema({ text: String })] }, { perms: { all: 'crud' } });
schema.pre('save', function () { this.text = turned(this.text); });
schema.post('init', function (doc) { if (doc.text !== undefined) doc.text = turned(doc.text); });
module.exports = schema;`,
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models });
});

const whole = {
  ...{ parts: [{ no: 1 }, { no: 2 }], tags: ['a', 'b'], rows: [[1, 2]] },
  ...{ counts: { a: 4, b: 5 }, any: { low: 1, high: 2 } },
};

test.each([
  ['a member of a list of documents', { 'parts.0.no': 3 }, { 'parts.0.no': 2 }],
  ['a member of a list', { 'tags.1': 'c' }, { 'tags.1': 'a' }],
  ['a list in a list', { 'rows.0': [1] }, { 'rows.0': [1, 2, 3] }],
  ['a value of a map', { 'counts.b': 6 }, { 'counts.b': 7 }],
  ['a part of a free-form field', { 'any.low': 0 }, { 'any.low': 2 }],
])('%s is changed as the validator of the whole allows it', async (_what, right, wrong) => {
  const { document } = await server.post('/api/thing', whole);
  const path = `/api/thing/${String(document['_id'])}`;
  const bulk = (set: object) => ({ updateOne: { filter: { _id: document['_id'] }, update: { $set: set } } });
  expect((await server.send('PUT', path, { body: wrong })).status).toBe(400);
  expect((await server.send('PATCH', path, { body: { $set: wrong } })).status).toBe(400);
  expect((await server.send('POST', '/bulkwrite/thing', { body: [bulk(wrong)] })).status).toBeGreaterThanOrEqual(400);
  expect((await server.get(path)).document).toMatchObject(whole);
  expect((await server.send('PUT', path, { body: right })).status).toBe(200);
});

test('answers show what middleware of init makes of a stored document, and changes load it once', async () => {
  const { document } = await server.post('/api/letter', { text: 'abc', pages: [{ text: 'p' }] });
  const path = `/api/letter/${String(document['_id'])}`;
  expect((await server.get(path)).document).toMatchObject({ text: 'abc', pages: [{ text: 'p' }] });
  expect((await server.get('/api/letter')).rows).toMatchObject([{ text: 'abc' }]);
  expect((await server.get('/api/letter?filter[text]=cba')).rows).toHaveLength(1);
  expect((await server.put(path, { 'pages.0.text': 'q' })).status).toBe(200);
  expect((await server.get(path)).document).toMatchObject({ text: 'abc', pages: [{ text: 'q' }] });
});
