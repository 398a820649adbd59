/**
 * What model files of Mongoose applications have without effect, as they have it in Mongoose: the start warns, and serves the models. In files
 * that are written with `defineModel` it is a fault (docs/models.md).
 */
import { afterAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
async function started(models: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ models });
  servers.push(server);
  return server;
}
afterAll(() => Promise.all(servers.map((server) => server.dossier.close())));

const head = `const mongoose = require('mongoose');\nconst { Schema } = mongoose;\n`;
const model = (fields: string, code = ''): string =>
  `${head}const schema = new Schema({ title: String, ${fields} }, { perms: { all: 'crud' } });\n${code}\nmodule.exports = mongoose.model('Book', schema);`;
const defined = (fields: string): string =>
  `const { defineModel } = require('dossier');\nmodule.exports = defineModel({ title: String, ${fields} }, { perms: { all: 'crud' } });`;
/** A plug-in in a package, beside the models. */
const plugin = (code: string) => ({
  'node_modules/old-plugin/index.js': `module.exports = (schema) => { ${code} };`,
  'node_modules/old-plugin/package.json': '{ "name": "old-plugin", "main": "index.js" }',
});
const applied = `schema.plugin(require('old-plugin'));`;
const realm = (fields: string): string => `${head}module.exports = mongoose.model('Realm', new Schema({ ${fields} }));`;

type Files = Readonly<Record<string, string>>;
const tolerated: Readonly<Record<string, readonly [files: Files, warning: string, document?: object]>> = {
  'a misspelt option of a path': [
    { 'book.js': model('a: { type: String, lowecase: true }') },
    'book: a has an option that Mongoose ignores, "lowecase"; did you mean "lowercase"?',
  ],
  'a misspelt option of a nested path': [
    { 'book.js': model('parts: [{ a: { type: String, require: true } }]') },
    'book: parts.a has an option that Mongoose ignores, "require"; did you mean "required"?',
  ],
  'a misspelt option of the schema': [
    { 'book.js': model('', `schema.set('timestampz', true);`) },
    'book: the schema has an option that Mongoose ignores, "timestampz"; did you mean "timestamps"?',
  ],
  'a default that its enum refuses': [
    { 'book.js': model(`size: { type: String, enum: ['S', 'M'], default: 'XL' }`) },
    'book: size has the default "XL", which its enum ("S", "M") refuses',
    { size: 'S' },
  ],
  'a ref to no model': [
    {
      'book.js': model(`offer: { type: Schema.Types.ObjectId, ref: 'Ofer' }`),
      'offer.js': model('').replace('Book', 'Offer'),
    },
    'book: populate does not show offer: it names the model Ofer, and no model has this name; did you mean "Offer"?',
  ],
  'a virtual that refers to no model': [
    {
      'book.js': model('', `schema.virtual('lent', { ref: 'Loan', localField: '_id', foreignField: 'book' });`),
    },
    'book: populate does not show lent: it names the model Loan, and no model has this name',
  ],
  'a ref of another type than the ids': [
    { 'book.js': model(`realm: { type: Number, ref: 'Realm' }`), 'realm.js': realm('name: String') },
    'book: populate does not show realm: realm links to Realm, whose _id is of type ObjectId; declare the path with that type',
  ],
  'a ref to ids that are texts': [
    { 'book.js': model(`realm: [{ type: Schema.Types.ObjectId, ref: 'Realm' }]`), 'realm.js': realm('_id: String') },
    'book: populate does not show realm: realm links to Realm, whose _id is of type String; declare the path with that type',
  ],
  'middleware of a package for a function of earlier versions': [
    { 'book.js': model('', applied), ...plugin(`schema.pre('remove', function (next) { next(); });`) },
    "book: pre('remove') of the package old-plugin never runs: Mongoose has no middleware of remove",
  ],
  'such middleware after the function, with options and in a list': [
    {
      'book.js': model('', applied),
      ...plugin(`schema.post(['findByIdAndUpdate'], { query: true, document: false }, () => 0);`),
    },
    "book: post('findByIdAndUpdate') of the package old-plugin never runs: Mongoose has no middleware of findByIdAndUpdate",
  ],
  'a connection of its own': [
    {
      'book.js': model('').replace("require('mongoose')", "require('./db')"),
      'db.js': `${head}mongoose.set('useCreateIndex', true);
mongoose.connect('mongodb://localhost/books', { useNewUrlParser: true }, (error) => { if (error) throw error; }).then(() => 0);
module.exports = mongoose;`,
    },
    'db.js:4 has no effect: the server opens and closes the connection itself, and MONGODB_URL names the database',
  ],
};

describe('the start warns of', () => {
  test.each(Object.entries(tolerated))('%s', async (_name, [files, warning, document]) => {
    const server = await started(files);
    const lines = server.log.map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining(warning),
    );
    expect((await server.post('/api/book', { title: 'a', ...document })).status).toBe(201);
  });
});

test('a ref to no model is a plain id', async () => {
  const server = await started({ 'book.js': model(`offer: { type: Schema.Types.ObjectId, ref: 'Offer' }`) });
  const offer = '64b7f0000000000000000001';
  expect((await server.post('/api/book', { title: 'a', offer })).document).toMatchObject({ offer });
  expect((await server.get(`/api/book?filter[offer]=${offer}`)).rows).toMatchObject([{ offer }]);
  expect((await server.get('/api/book?populate=offer')).status).toBe(400);
});

test('a function of an application that has the mongoose of Feathers makes a model', async () => {
  const server = await started({
    'book.model.js': `module.exports = function (app) {
      const modelName = 'book';
      const mongooseClient = app.get('mongooseClient');
      const schema = new mongooseClient.Schema({ title: { type: String, required: true } }, { perms: { all: 'crud' } });
      if (mongooseClient.modelNames().includes(modelName)) mongooseClient.deleteModel(modelName);
      return mongooseClient.model(modelName, schema);
    };`,
  });
  expect((await server.post('/api/book', { title: 'a' })).status).toBe(201);
});

const refused: Readonly<Record<string, readonly [files: Files, reason: RegExp]>> = {
  'a misspelt option in a defined model': [
    { 'book.js': defined('a: { type: String, lowecase: true }') },
    /book\.js: a has the unknown option "lowecase"; did you mean "lowercase"\?/,
  ],
  'a default that its limit refuses in a defined model': [
    { 'book.js': defined('pages: { type: Number, min: 1, default: 0 }') },
    /book\.js: pages has the default 0, which its min \(1\) refuses/,
  ],
  'a misspelt option of what is served': [
    { 'book.js': model(`a: { type: String, prems: { all: 'r' } }`) },
    /book\.js: a has the unknown option "prems"; did you mean "perms"\?/,
  ],
  'a ref to no model in a defined model': [
    { 'book.js': defined(`offer: { type: require('dossier').ObjectId, ref: 'Offer' }`) },
    /book\.js: offer links to Offer, but no model has this name/,
  ],
  'a link to no model': [
    { 'book.js': model(`offer: { type: Schema.Types.ObjectId, link: 'offer' }`) },
    /book\.js: offer links to offer, but no model has this name/,
  ],
  'middleware of the project for a function of earlier versions': [
    { 'book.js': model('', `schema.pre('remove', function (next) { next(); });`) },
    /book\.js: pre\('remove'\) never runs/,
  ],
  'the same in a plug-in of the project': [
    {
      'book.js': model('', `schema.plugin(require('./_plugin'));`),
      '_plugin.js': `module.exports = (schema) => schema.pre('remove', (next) => next());`,
    },
    /book\.js: pre\('remove'\) never runs/,
  ],
  'an option of mongoose that no version has': [
    { 'book.js': model('', `mongoose.set('strictQuerry', true);`) },
    /book\.js: .*strictQuerry/,
  ],
};

describe('the start is stopped by', () => {
  test.each(Object.entries(refused))('%s', async (_name, [files, reason]) => {
    await expect(startServer({ models: files })).rejects.toThrow(reason);
  });
});
