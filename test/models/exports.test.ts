/** What files may export, and how they find each other: as Mongoose applications write them (docs/models.md). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { openModels } from '../../src/start/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
async function started(models: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ models });
  servers.push(server);
  return server;
}
afterAll(() => Promise.all(servers.map((server) => server.dossier.close())));

const mongoose = `const mongoose = require('mongoose');\n`;
const perms = `{ perms: { all: 'crud' } }`;
const schema = `new mongoose.Schema({ title: String }, ${perms})`;

/** Files of one folder, and the names of the models that are served. */
const exportForms: Readonly<
  Record<string, readonly [files: Readonly<Record<string, string>>, names: readonly string[]]>
> = {
  'a schema': [{ 'book.js': `${mongoose}module.exports = ${schema};` }, ['book']],
  'a compiled model': [{ 'book.js': `${mongoose}module.exports = mongoose.model('Book', ${schema});` }, ['book']],
  'a model of a destructured function': [
    {
      'book.js': `const { model, Schema } = require('mongoose');\nmodule.exports = model('Book', Schema({ title: String }, ${perms}));`,
    },
    ['book'],
  ],
  'a model that another file may have compiled': [
    { 'book.js': `${mongoose}module.exports = mongoose.models.Book || mongoose.model('Book', ${schema});` },
    ['book'],
  ],
  'a class that has been loaded': [
    {
      'book.js': `${mongoose}const schema = ${schema};
class Book { get shout() { return this.title.toUpperCase(); } static named() { return 'book'; } }
schema.loadClass(Book);
module.exports = mongoose.model(Book.name, schema);`,
    },
    ['book'],
  ],
  'a function of mongoose that returns a schema': [
    {
      'book.js': `module.exports = ({ Schema, ObjectId, Mixed }) => new Schema({ title: String, a: ObjectId, b: Mixed }, ${perms});`,
    },
    ['book'],
  ],
  'a function of mongoose that compiles a model': [
    {
      'book.js': `module.exports = (mongoose) => mongoose.model('book', mongoose.Schema({ title: String, by: mongoose.Schema.Types.ObjectId, at: mongoose.Types.ObjectId }, ${perms}));`,
    },
    ['book'],
  ],
  'a function whose model is also compiled by an index': [
    {
      'book.model.js': `module.exports = (mongoose) => { const schema = mongoose.Schema({ title: String }, ${perms}); return mongoose.model('book', schema); };`,
      'index.js': `${mongoose}mongoose.Promise = global.Promise;\nconst db = {};\ndb.mongoose = mongoose;\ndb.url = 'mongodb://localhost';\ndb.books = require('./book.model.js')(mongoose);\nmodule.exports = db;`,
    },
    ['book'],
  ],
  'an object with a schema': [
    { 'book.js': `${mongoose}module.exports = { schema: ${schema}, part: new mongoose.Schema({}) };` },
    ['book'],
  ],
  'an object with a named schema': [{ 'book.js': `${mongoose}exports.BookSchema = ${schema};` }, ['book']],
  'several schemas': [
    { 'shop.js': `${mongoose}exports.Book = ${schema};\nexports.shelfSchema = ${schema};` },
    ['book', 'shelf'],
  ],
  'a default export': [
    { 'book.js': `${mongoose}module.exports = { default: mongoose.model('Book', ${schema}) };` },
    ['book'],
  ],
  'a default export beside its schema': [
    {
      'book.ts': `import mongoose, { Schema, model, models } from 'mongoose';
interface IBook { title: string }
export const BookSchema = new Schema<IBook>({ title: String }, ${perms} as object);
const Book = models.Book || model<IBook>('Book', BookSchema);
export default Book;`,
    },
    ['book'],
  ],
  'a named export': [
    {
      'book.mjs': `import mongoose from 'mongoose';\nexport const Book = mongoose.model('Book', new mongoose.Schema({ title: String }, ${perms}));`,
    },
    ['book'],
  ],
  'import = and export =': [
    {
      'book.ts': `import mongoose = require('mongoose');\nexport = mongoose.model('Book', new mongoose.Schema({ title: String }, ${perms} as object));`,
    },
    ['book'],
  ],
  'import * as mongoose': [
    {
      'book.ts': `import * as mongoose from 'mongoose';\nexport default mongoose.model('Book', new mongoose.Schema({ title: String }, ${perms} as object));`,
    },
    ['book'],
  ],
  'a model on a connection of its own': [
    {
      'book.js': `${mongoose}const own = mongoose.createConnection('mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=1', {}, () => {});
own.on('error', console.error).once('open', () => own.close());
own.plugin((made) => made.add({ plugged: Boolean })).openUri('mongodb://127.0.0.1:1/x');
module.exports = own.models.Book || own.model('Book', ${schema});`,
    },
    ['book'],
  ],
  'several models': [
    {
      'shop.js': `${mongoose}exports.Book = mongoose.model('Book', ${schema});\nexports.Shelf = mongoose.model('Shelf', ${schema});`,
    },
    ['book', 'shelf'],
  ],
  'nothing, but it compiles a model': [{ 'book.js': `${mongoose}mongoose.model('Book', ${schema});` }, ['book']],
  'nothing, but it compiles two models': [
    { 'shop.js': `${mongoose}mongoose.model('Book', ${schema});\nmongoose.model('Shelf', ${schema});` },
    ['book', 'shelf'],
  ],
  'an index of the others': [
    {
      'book.js': `${mongoose}module.exports = mongoose.model('Book', ${schema});`,
      'index.js': `module.exports = { Book: require('./book'), Shelf: require('./shelf') };`,
      'shelf.js': `${mongoose}module.exports = mongoose.model('Shelf', ${schema});`,
    },
    ['book', 'shelf'],
  ],
  'an index that only requires the others': [
    { 'book.js': `${mongoose}module.exports = mongoose.model('Book', ${schema});`, 'index.js': `require('./book');` },
    ['book'],
  ],
  'an index of TypeScript': [
    {
      'book.ts': `import mongoose from 'mongoose';\nexport default mongoose.model('Book', new mongoose.Schema({ title: String }, ${perms} as object));`,
      'index.ts': `export { default as Book } from './book';\nexport * from './book';`,
    },
    ['book'],
  ],
  'models of an index in other folders': [
    {
      'index.js': `exports.Book = require('./_shop/book');\nexports.Shelf = require('./_shop/shelf');`,
      '_shop/book.js': `${mongoose}module.exports = mongoose.model('Book', ${schema});`,
      '_shop/shelf.js': `${mongoose}module.exports = mongoose.model('Shelf', ${schema});`,
    },
    ['book', 'shelf'],
  ],
  'a model beside one for itself': [
    {
      'book.js': `${mongoose}const Count = mongoose.model('Count', new mongoose.Schema({ _id: String, n: Number }));
const schema = ${schema};
schema.pre('save', async function () { const { n } = await Count.findOneAndUpdate({ _id: 'books' }, { $inc: { n: 1 } }, { upsert: true, new: true }); this.title += n; });
module.exports = mongoose.model('Book', schema);`,
    },
    ['book'],
  ],
};

describe('a file exports', () => {
  test.each(Object.entries(exportForms))('%s', async (_form, [files, names]) => {
    const server = await started(files);
    const { rows } = await server.get('/model');
    expect(rows.map(({ name }) => name)).toEqual(names);
    for (const name of names) {
      const { status, document } = await server.post(`/api/${name}`, { title: 't' });
      expect({ name, status }).toEqual({ name, status: 201 });
      expect(document['title']).toMatch(/^t1?$/);
      expect((await server.get(`/api/${name}`)).rows).toHaveLength(1);
    }
  });
});

test('the connection opens for the listeners of model files, once, when all models are there', async () => {
  const listening = ['open', 'connected'].flatMap((event) =>
    ['once', 'on'].map(
      (way) => `mongoose.connection.${way}('${event}', () => seen.push('${way} ${event} ' + typeof later.findOne));`,
    ),
  );
  const server = await started({
    'book.js': `${mongoose}const seen = [];
let later;
${listening.join('\n')}
const schema = new mongoose.Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { seen: 'r' } });
schema.statics.seen = () => seen;
mongoose.connection.once('open', function () { seen.push(this === mongoose.connection); });
later = require('./writer');
module.exports = schema;`,
    'writer.js': `${mongoose}module.exports = mongoose.model('Writer', new mongoose.Schema({ name: String }, ${perms}));`,
  });
  const { body } = await server.get('/call/book/seen');
  expect([...(body['data'] as unknown[])].sort()).toEqual(
    [true, ...['open', 'connected'].flatMap((event) => ['once', 'on'].map((way) => `${way} ${event} function`))].sort(),
  );
});

test.each([
  [false, ['opened']],
  [true, []],
])('listeners may write, so where the database is only read (%s) they are not called', async (readsOnly, expected) => {
  const server = await started({
    'book.js': `${mongoose}const schema = new mongoose.Schema({ title: String }, ${perms});
const seen = [];
schema.statics.seen = () => seen;
mongoose.connection.once('open', () => seen.push('opened'));
module.exports = schema;`,
  });
  const { settings, clock, connection } = server.dossier.services;
  const again = await openModels({ settings, clock, readsOnly }, connection.useDb('another'));
  const { seen } = modelOf(again.get('book')).schema.statics as Readonly<Record<'seen', () => unknown>>;
  expect(seen()).toEqual(expected);
});

/** How the code of `bookModel.js` gets the model that `writerModel.js` compiles as `Author`. */
const lookups: Readonly<Record<string, string>> = {
  'require of its file': `require('./writerModel')`,
  'mongoose.model of the compiled name': `mongoose.model('Author')`,
  'mongoose.models': `mongoose.models.Author`,
  'mongoose.connection.model': `mongoose.connection.model('Author')`,
  'a destructured model()': `require('mongoose').model('Author')`,
  'this.model': `this.model('Author')`,
  'this.db.model of the compiled name': `this.db.model('Author')`,
  'this.db.model of the name of the file': `this.db.model('writer')`,
  'another letter case': `this.db.model('AUTHOR')`,
  'the plural of the compiled name': `mongoose.model('Authors')`,
  'the name of the collection': `this.db.model('authors')`,
  'the plural of the file': `this.db.model('Writers')`,
  'a document of it': `new (require('./writerModel'))({ name: 'x' }).constructor`,
};

describe('files find each other', () => {
  const writer = `${mongoose}
const schema = new mongoose.Schema({ name: String }, { perms: { all: 'crud' } });
schema.statics.greet = function () { return 'hello from ' + this.modelName; };
schema.virtual('books', { ref: 'Book', localField: '_id', foreignField: 'author' });
const Author = mongoose.model('Author', schema);
Author.note = 'set by the file';
module.exports = Author;
Author.discriminator('Poet', new mongoose.Schema({ verses: Number }));`;
  const statics = Object.entries(lookups).map(
    ([, code], at) => `schema.statics.look${at} = async function () {
  const Found = ${code};
  const made = await Found.create({ name: 'a${at}' });
  return { n: await Found.countDocuments({ name: 'a${at}' }), greeting: Found.greet(), note: Found.note, is: made instanceof require('./writerModel'), deleted: made.toObject()._deleted };
};`,
  );
  const names = statics.map((_, at) => `look${at}`);
  const book = `${mongoose}
const Early = require('./writerModel');
const schema = new mongoose.Schema(
  { title: String, author: { type: mongoose.Schema.Types.ObjectId, ref: 'Author' }, second: { type: mongoose.ObjectId, ref: Early }, third: { type: mongoose.ObjectId, ref: () => 'authors' } },
  { perms: { all: 'crud' }, callable_statics: Object.fromEntries([...${JSON.stringify(names)}, 'full', 'kind', 'back'].map((name) => [name, 'r'])) },
);
${statics.join('\n')}
schema.statics.full = async function () {
  const all = await this.find().populate('author second').populate({ path: 'third', model: Early, select: 'name' }).lean();
  return all.map(({ author, second, third }) => [author.name, second.name, third.name]);
};
schema.statics.kind = async () => {
  const poet = await mongoose.model('Poet').create({ name: 'p', verses: 3 });
  return { kind: poet.get('__t'), n: await Early.countDocuments({ verses: 3 }), is: poet instanceof Early };
};
schema.statics.back = async () => (await Early.findOne({ name: 'Ann' }).populate('books')).books.map(({ title }) => title);
module.exports = mongoose.model('Book', schema);`;
  /** Loaded before the files that it needs. */
  const article = `${mongoose}
const Book = mongoose.model('Book');
const schema = new mongoose.Schema({ book: { type: mongoose.ObjectId, ref: 'Book' } }, { perms: { all: 'crud' }, callable_statics: { count: 'r' } });
schema.statics.count = () => Book.countDocuments();
module.exports = mongoose.model('Article', schema);`;
  /** Loaded before the file that is itself loaded again. */
  const abstract = `${mongoose}
const Article = mongoose.model('Article');
const schema = new mongoose.Schema({ article: { type: mongoose.ObjectId, ref: 'Article' } }, { perms: { all: 'crud' }, callable_statics: { count: 'r' } });
schema.statics.count = () => Article.countDocuments();
module.exports = mongoose.model('Abstract', schema);`;
  /** A kind in a file of its own. */
  const novelist = `${mongoose}module.exports = require('./writerModel').discriminator('Novelist', new mongoose.Schema({ novels: Number }));`;

  let server: TestServer;
  let ann: string;
  beforeAll(async () => {
    server = await started({
      'bookModel.js': book,
      'writerModel.js': writer,
      'article.js': article,
      'abstract.js': abstract,
      'novelist.js': novelist,
    });
    ann = String((await server.post('/api/writer', { name: 'Ann' })).document['_id']);
    await server.post('/api/book', { title: 'B', author: ann, second: ann, third: ann });
  });

  test.each(Object.keys(lookups).map((name, at) => [name, at] as const))('by %s', async (_name, at) => {
    const { body } = await server.post(`/call/book/look${at}`, {});
    expect(body).toEqual({
      data: { n: 1, greeting: 'hello from Author', note: 'set by the file', is: true, deleted: false },
    });
  });

  test.each([
    ['Mongoose’s own populate', '/call/book/full', [['Ann', 'Ann', 'Ann']]],
    ['the name of a discriminator', '/call/book/kind', { kind: 'Poet', n: 1, is: true }],
    ['a virtual of Mongoose', '/call/book/back', ['B']],
    ['a file that is loaded later', '/call/article/count', 1],
    ['a file that is loaded after a later one', '/call/abstract/count', 0],
  ])('by %s', async (_name, path, expected) => {
    expect((await server.post(path, {})).body).toEqual({ data: expected });
  });

  test.each(['author', 'second', 'third'])('by the link %s', async (name) => {
    const { rows } = await server.get(`/api/book?populate=${name}`);
    expect(rows).toMatchObject([{ [name]: { name: 'Ann' } }]);
  });

  test.each(['writer', 'Writer', 'author', 'Author'])('the service answers at /api/%s', async (name) => {
    // the OpenAPI document has the first one only
    const answer = await fetch(`${server.url}/api/${name}?filter[name]=Ann`);
    expect(await answer.json()).toMatchObject({ data: [{ _id: ann }] });
  });

  test('a kind of another file is served with its model', async () => {
    expect((await server.get('/model')).rows.map(({ name }) => name)).toEqual([
      'abstract',
      'article',
      'book',
      'writer',
    ]);
    const { status, document } = await server.post('/api/writer', { __t: 'Novelist', name: 'N', novels: '4' });
    expect({ status, document }).toMatchObject({ status: 201, document: { novels: 4 } });
  });
});

describe('a compiled name that another model has', () => {
  test('is that of the built-in users', async () => {
    const server = await started({
      'users.js': `${mongoose}module.exports = mongoose.model('user', ${schema}, 'members');`,
      'note.js': `${mongoose}module.exports = new mongoose.Schema({ users: { type: mongoose.ObjectId, ref: 'users' } }, ${perms});`,
    });
    expect((await server.post('/api/users', { title: 't' })).status).toBe(201);
    expect((await server.get('/model')).rows.map(({ name }) => name)).toEqual(['note', 'users']);
    const { registry } = server.dossier.services;
    expect(registry.internal('user').file).toBeUndefined();
    const linked = Object.fromEntries(registry.get('note').links.map(({ path, model }) => [path, model]));
    expect(linked).toEqual({ users: 'users', _owner_id: 'user', _updated_by_id: 'user' });
  });

  test('stops the start where that model is not served', async () => {
    const models = {
      'book.js': `${mongoose}mongoose.model('user', ${schema});\nmodule.exports = mongoose.model('Book', ${schema});`,
    };
    await expect(startServer({ models })).rejects.toThrow(/book\.js: Cannot overwrite `user` model/);
  });
});

describe('mongoose.plugin()', () => {
  test.each([
    ['schemas', (code: string) => `module.exports = ${code};`],
    ['compiled models', (code: string) => `module.exports = mongoose.model('Note', ${code});`],
  ])('concerns the %s of the folder, and runs once', async (_what, exported) => {
    const server = await started({
      'a_plugin.js': `${mongoose}
mongoose.plugin((schema) => { schema.pre('save', function () { if (this.title === 'bad') throw Object.assign(new Error('ran for ' + this.constructor.modelName), { expose: true, statusCode: 422 }); this.ran += 1; }); });
${exported(`new mongoose.Schema({ title: String, ran: { type: Number, default: 0 }, parts: [new mongoose.Schema({ ran: { type: Number, default: 0 } })] }, ${perms})`)}`,
    });
    const made = await server.post('/api/a_plugin', { title: 't', parts: [{}] });
    expect(made).toMatchObject({ status: 201, document: { ran: 1, parts: [{ ran: 1 }] } });
    // the server's own models have neither the middleware nor the field
    const user = server.dossier.services.registry.internal('user').schema.declared.get('ran');
    expect(user).toBeUndefined();
    expect((await server.post('/api/a_plugin', { title: 'bad' })).status).toBe(422);
  });
});

describe('folders within the models folder', () => {
  const files = {
    'book.js': `${mongoose}module.exports = ${schema};`,
    'shop/order.js': `${mongoose}module.exports = ${schema};`,
    'shop/deep/item.js': `${mongoose}require('../order');\nmodule.exports = ${schema};`,
    '_lib/plugin.js': `throw new Error('read');`,
    'node_modules/pack/index.js': `throw new Error('read');`,
  };
  test.each([
    [[], ['book']],
    [['shop'], ['book', 'order']],
    [
      ['shop/deep', 'shop'],
      ['book', 'item', 'order'],
    ],
    [['*'], ['book', 'item', 'order']],
  ])('%j', async (models_folders, names) => {
    const server = await startServer({ models: files, models_folders });
    servers.push(server);
    expect((await server.get('/model')).rows.map(({ name }) => name)).toEqual(names);
  });

  test('one that does not exist stops the start', async () => {
    const start = startServer({ models: files, models_folders: ['blog'] });
    await expect(start).rejects.toThrow(/blog: the folder \(MODELS_FOLDERS\) cannot be read/);
  });

  test.each(['../other', '/etc', 'a//b', 'a b'])('%s is no such folder', async (name) => {
    await expect(startServer({ models: files, models_folders: [name] })).rejects.toThrow(
      /must be \* or names of folders/,
    );
  });
});

test('a schema that a file requires is nested', async () => {
  const server = await started({
    '_history.js': `${mongoose}module.exports = new mongoose.Schema({ at: Date, what: { type: String, uppercase: true } }, { _id: false });`,
    'order.js': `${mongoose}const history = require('./_history');
module.exports = new mongoose.Schema({ log: [history], last: history, byDay: { type: Map, of: history } }, ${perms});`,
  });
  const log = { at: '2026-01-05', what: 'made' };
  const stored = { at: '2026-01-05T00:00:00.000Z', what: 'MADE' };
  const made = await server.post('/api/order', { log: [log], last: log, byDay: { mon: log } });
  expect(made).toMatchObject({ status: 201, document: { log: [stored], last: stored, byDay: { mon: stored } } });
});

test('two servers of one process have models of the same names', async () => {
  const models = (field: string) => ({
    'book.js': `${mongoose}module.exports = mongoose.model('Book', new mongoose.Schema({ ${field}: String }, ${perms}));`,
  });
  const [one, other] = await Promise.all([started(models('a')), started(models('b'))]);
  expect((await one.post('/api/book', { a: 'x' })).status).toBe(201);
  expect((await other.post('/api/book', { a: 'x' })).status).toBe(400);
});

describe('the start is stopped, with the file, by', () => {
  test.each([
    [
      'two models of one name',
      {
        'a.js': `${mongoose}exports.A = mongoose.model('B', ${schema});`,
        'b.js': `${mongoose}module.exports = mongoose.model('B', ${schema});`,
      },
      /b\.js: Cannot overwrite `B` model once compiled/,
    ],
    [
      'two schemas of one name',
      {
        'a.js': `${mongoose}exports.b = ${schema};\nexports.c = ${schema};`,
        'b.js': `${mongoose}module.exports = ${schema};`,
      },
      /b\.js: .*a\.js already defines the model b/,
    ],
    [
      'a collection of two databases',
      {
        'a.js': `${mongoose}const own = mongoose.createConnection('mongodb://me:secret@127.0.0.1:1/x?ssl=true');
module.exports = own.model('A', ${schema}, 'things');`,
        'b.js': `${mongoose}const own = mongoose.createConnection('mongodb://127.0.0.1:1/x', { dbName: 'y' });
module.exports = own.model('B', ${schema}, 'things');`,
      },
      /b\.js: A of 127\.0\.0\.1:1\/x \(.*a\.js:3\) and B of 127\.0\.0\.1:1\/y are in two databases/,
    ],
    [
      'a model of two databases',
      {
        'a.js': `${mongoose}const made = ${schema}; const own = mongoose.createConnection('mongodb://127.0.0.1:1/x');
exports.one = own.model('A', made); exports.two = own.useDb('y').model('A', made);`,
      },
      /a\.js: A of 127\.0\.0\.1:1\/x .* and A of 127\.0\.0\.1:1\/y are in two databases/,
    ],
    [
      'a name that no model has',
      { 'a.js': `${mongoose}const B = mongoose.model('B');\nmodule.exports = ${schema};` },
      /a\.js: Schema hasn't been registered for model "B"/,
    ],
    [
      'a name that is no name',
      {
        'a.js': `${mongoose}exports.A = mongoose.model('A b', ${schema});\nexports.C = mongoose.model('C', ${schema});`,
      },
      /a\.js: the name of a model must start with a letter/,
    ],
  ])('%s', async (_what, models, reason) => {
    await expect(startServer({ models })).rejects.toThrow(reason);
  });
});
