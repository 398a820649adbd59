/** Connections and instances of Mongoose of model files stand for the server's, which they neither open nor close (docs/models.md). */
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { writeModels } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
async function started(models: Readonly<Record<string, string>> | string): Promise<TestServer> {
  const server = await startServer({ models });
  servers.push(server);
  return server;
}
afterAll(() => Promise.all(servers.map((server) => server.close())));

const head = `const mongoose = require('mongoose');\nconst { Schema } = mongoose;\n`;
const schema = (more = ''): string => `new Schema({ title: String${more} }, { perms: { all: 'crud' } })`;
const fileWarnings = (server: TestServer): readonly string[] =>
  server.log
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level, msg }) => level === 'warn' && msg.includes('book.js'))
    .map(({ msg }) => msg);
/** The warnings about calls of files. */
const warningsOf = (server: TestServer): readonly string[] =>
  fileWarnings(server).filter((message) => /has no effect|opens no connection/.test(message));

/** A model has the standard fields, the hook of the file, and is stored on the server's connection. */
async function expectServed(server: TestServer, model = 'book'): Promise<void> {
  const made = await server.post(`/api/${model}`, { title: 'a' });
  expect([made.status, made.document]).toMatchObject([201, { title: 'a', _deleted: false }]);
  expect((await server.get(`/api/${model}?filter[title]=a`)).rows).toHaveLength(1);
}

describe('mongoose.connection', () => {
  const ways: Readonly<Record<string, string>> = {
    'model()': `module.exports = mongoose.connection.model('Book', ${schema()});`,
    'model() and no export': `mongoose.connection.model('Book', ${schema()});`,
    'a destructured connection': `const { connection } = mongoose; module.exports = connection.models.Book || connection.model('Book', ${schema()});`,
    'plugin()': `mongoose.connection.plugin((made) => made.add({ plugged: { type: String, default: 'yes' } })); module.exports = mongoose.connection.model('Book', ${schema()});`,
    'asPromise()': `mongoose.connection.asPromise().then(() => 0); module.exports = mongoose.connection.model('Book', ${schema()}, 'volumes');`,
  };
  test.each(Object.entries(ways))('%s', async (name, code) => {
    const server = await started({ 'book.js': head + code });
    await expectServed(server);
    if (name === 'plugin()') expect((await server.get('/api/book')).rows).toMatchObject([{ plugged: 'yes' }]);
    expect(server.dossier.services.registry.get('book').collection).toBe(name === 'asPromise()' ? 'volumes' : 'books');
    expect(warningsOf(server)).toEqual([]);
  });

  test('files find the models of others on it, and code adds models later', async () => {
    const server = await started({
      'author.js': `${head}module.exports = mongoose.connection.model('Author', ${schema()});`,
      'book.js': `${head}
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { look: 'r' } });
const early = mongoose.connection.model('Author');
made.statics.look = async () => {
  const Late = mongoose.models.Late ?? mongoose.model('Late', new Schema({ title: String }), 'lates');
  await mongoose.connection.model('Author').create({ title: 'x' });
  await Late.create({ title: 'y' });
  const names = mongoose.connection.modelNames();
  return [await early.countDocuments({ title: 'x' }), await Late.countDocuments(), names.includes('Author'), mongoose.connection.models.Author !== undefined];
};
module.exports = mongoose.model('Book', made);`,
    });
    expect((await server.get('/call/book/look')).body['data']).toEqual([1, 1, true, true]);
    expect((await server.get('/api/author')).rows).toMatchObject([{ title: 'x', _deleted: false }]);
  });

  const closing: readonly (readonly [call: string, code: string, calls: number])[] = [
    ['mongoose.connection.close()', 'mongoose.connection.close(false, done).then(done);', 2],
    ['mongoose.connection.destroy()', 'mongoose.connection.destroy().then(done);', 1],
    [
      'mongoose.connection.openUri()',
      `mongoose.connection.openUri('mongodb://127.0.0.1:1/x', {}, done).then(done);`,
      2,
    ],
    ['mongoose.connection.setClient()', 'mongoose.connection.setClient({}); done();', 1],
    ['mongoose.disconnect()', 'mongoose.disconnect(done).then(done);', 2],
    ['mongoose.connect()', `mongoose.connect('mongodb://127.0.0.1:1/x').then((own) => own.connection.close(done));`, 1],
  ];
  test.each(closing)('%s has no effect, and the start names its line', async (call, code, calls) => {
    const server = await started({
      'book.js': `${head}let count = 0;
const done = () => { count += 1; };
${code}
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { count: 'r' } });
made.statics.count = () => count;
module.exports = mongoose.model('Book', made);`,
    });
    await expectServed(server);
    expect((await server.get('/call/book/count')).body['data']).toBe(calls);
    expect(warningsOf(server)).toEqual([expect.stringMatching(`${escaped(call)} in \\S*book\\.js:5.* has no effect`)]);
  });

  test('code that closes it later closes nothing, and is called back', async () => {
    const server = await started({
      'book.js': `${head}
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { end: 'r' } });
made.statics.end = () => new Promise((ended) => mongoose.connection.close(() => mongoose.disconnect(() => ended('ended'))));
module.exports = mongoose.model('Book', made);`,
    });
    expect((await server.get('/call/book/end')).body['data']).toBe('ended');
    await expectServed(server);
  });
});

describe('what files reach by a connection', () => {
  const ways: Readonly<Record<string, string>> = {
    'getClient()': 'mongoose.connection.getClient().close()',
    'getClient() of a connection of their own': `mongoose.createConnection('mongodb://127.0.0.1:1/x').getClient().close()`,
    client: 'mongoose.connection.client.close(true)',
    'client of db': 'mongoose.connection.db.client.close()',
    'client of a collection': `mongoose.connection.collection('books').conn.getClient().close()`,
    'client of a session':
      'mongoose.startSession().then((session) => session.endSession().then(() => session.client.close()))',
    'db of a model': 'this.db.close()',
    'destroy() of db of a model': 'this.db.destroy()',
    'another database': `mongoose.connection.useDb('other').close()`,
    'another database of a model': `this.db.useDb('other').destroy()`,
    'the end of a scope': 'mongoose.connection.getClient()[Symbol.asyncDispose]()',
    'a callback': 'new Promise((closed) => mongoose.connection.getClient().close(false, closed))',
  };
  test.each(Object.entries(ways))('%s closes nothing', async (_name, call) => {
    const server = await started({
      'book.js': `${head}
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { end: 'r' } });
made.statics.end = async function () { await ${call}; return 'ended'; };
module.exports = mongoose.model('Book', made);`,
    });
    expect((await server.get('/call/book/end')).body['data']).toBe('ended');
    await expectServed(server);
  });

  test('the start names a file that closes the client while it is loaded', async () => {
    const server = await started({
      'book.js': `${head}mongoose.connection.getClient().close();\nmodule.exports = mongoose.model('Book', ${schema()});`,
    });
    await expectServed(server);
    expect(warningsOf(server)).toEqual([
      expect.stringMatching(/^MongoClient\.close\(\) in \S*book\.js:3 has no effect/),
    ]);
  });

  test('the server itself closes its client', async () => {
    const server = await started({ 'book.js': `${head}module.exports = mongoose.model('Book', ${schema()});` });
    const { connection } = server.dossier.services;
    const closed = new Promise((resolve) => connection.getClient().once('topologyClosed', resolve));
    await server.close();
    await closed;
    expect(connection.readyState).toBe(0);
  });
});

describe('useDb()', () => {
  test('of mongoose.connection is the other database, and the start names its line', async () => {
    const server = await started({
      'book.js': `${head}const Aside = mongoose.connection.useDb('beside').model('Aside', new Schema({ title: String }));
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { put: 'r' } });
made.statics.put = async () => (await Aside.create({ title: 'x' })).db.name;
module.exports = mongoose.model('Book', made);`,
    });
    await expectServed(server);
    expect((await server.get('/call/book/put')).body['data']).toBe('beside');
    expect((await server.get('/api/aside')).status).toBe(404);
    expect(fileWarnings(server)).toEqual([
      expect.stringMatching(
        /^mongoose\.connection\.useDb\(\) in \S*book\.js:3 is another database.*mongoose\.model\(\)/,
      ),
    ]);
  });

  test.each(['mongoose.connection', `mongoose.createConnection('mongodb://127.0.0.1:1/x')`])(
    'of %s in code that runs later is the database of each tenant',
    async (on) => {
      const server = await started({
        'book.js': `${head}const own = ${on};
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { put: 'r' } });
made.statics.put = async () => {
  const names = ['one', 'two'];
  for (const name of names) {
    const Order = own.useDb(name, { useCache: true }).model('Order', new Schema({ title: String }));
    await Order.deleteMany();
    await Order.create({ title: name });
  }
  return Promise.all(names.map((name) => own.useDb(name, { useCache: true }).model('Order').distinct('title')));
};
module.exports = mongoose.model('Book', made);`,
      });
      expect((await server.get('/call/book/put')).body['data']).toEqual([['one'], ['two']]);
    },
  );
});

describe('new mongoose.Mongoose()', () => {
  test('its models are those of the folder, with its own plug-ins', async () => {
    const server = await started({
      'book.js': `const mongoose = require('mongoose');
const own = new mongoose.Mongoose();
if (!(own instanceof mongoose.Mongoose)) throw new Error('of another class');
own.plugin((made) => made.add({ plugged: { type: String, default: 'yes' } }));
own.connect('mongodb://127.0.0.1:1/x').then((it) => { if (it !== own) throw new Error('another one'); });
const { Schema } = own;
module.exports = own.models.Book ?? own.model('Book', ${schema()});`,
      'shelf.js': `${head}mongoose.model('Shelf', ${schema()});`,
    });
    await expectServed(server);
    await expectServed(server, 'shelf');
    expect((await server.get('/api/book')).rows).toMatchObject([{ plugged: 'yes' }]);
    expect((await server.get('/api/shelf')).rows[0]).not.toHaveProperty('plugged');
    expect(warningsOf(server)).toEqual([
      expect.stringMatching(/mongoose\.connect\(\) in \S*book\.js:5 has no effect/),
      expect.stringMatching(/new mongoose\.Mongoose\(\) in \S*book\.js:2 opens no connection/),
    ]);
  });
});

describe('a package that compiles models on what files give it', () => {
  const counter = {
    'node_modules/counting/package.json': '{ "name": "counting", "main": "index.js" }',
    'node_modules/counting/index.js': `
      exports.start = (on, Schema) => {
        exports.Counter = on.models.Counter ?? on.model('Counter', new Schema({ n: Number }));
        // it is used while the files are loaded
        exports.ready = exports.Counter.create({ n: 1 });
      };`,
  };
  test.each(['mongoose.connection', 'mongoose', 'mongoose.createConnection()'])('%s', async (on) => {
    const server = await started({
      ...counter,
      'book.js': `${head}const counting = require('counting');
counting.start(${on}, Schema);
const made = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { count: 'r' } });
made.statics.count = async () => (await counting.ready, counting.Counter.countDocuments());
mongoose.model('Book', made);`,
    });
    await expectServed(server);
    expect((await server.get('/call/book/count')).body['data']).toBe(1);
    expect((await server.get('/model')).rows.map(({ name }) => name)).toEqual(['book']);
  });
});

describe.each(['typegoose-12', '@typegoose/typegoose'])('%s', (version) => {
  test.each([
    ['existingConnection', 'mongoose.connection'],
    ['existingConnection', `mongoose.createConnection('mongodb://127.0.0.1:1/x')`],
    ['existingMongoose', 'mongoose'],
    ['existingMongoose', 'new mongoose.Mongoose()'],
  ])('%s: %s', async (option, on) => {
    const { folder, remove } = await writeModels({
      book: `import 'reflect-metadata';
import mongoose from 'mongoose';
import { getModelForClass, modelOptions, pre, prop } from '@typegoose/typegoose';

@pre<Existing>('save', function () { this.slug = this.title.toLowerCase(); })
@modelOptions({ schemaOptions: { perms: { all: 'crud' } } as any })
class Existing {
  @prop({ required: true })
  public title!: string;

  @prop()
  public slug?: string;
}
export const Book = getModelForClass(Existing, { ${option}: ${on} } as any);
`,
    });
    await mkdir(join(folder, 'node_modules', '@typegoose'), { recursive: true });
    await symlink(resolve('node_modules', 'reflect-metadata'), join(folder, 'node_modules', 'reflect-metadata'));
    await symlink(resolve('node_modules', version), join(folder, 'node_modules', '@typegoose', 'typegoose'));
    const server = await startServer({ models: folder }).finally(remove);
    servers.push(server);
    await expectServed(server);
    expect((await server.get('/api/book')).rows).toMatchObject([{ slug: 'a' }]);
  });
});

const escaped = (text: string): string => text.replaceAll(/[.()]/g, '\\$&');
