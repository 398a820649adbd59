/** Habits of applications that are loaded again while they run, such as those of Next.js: a file frees the name of its model first (docs/models.md). */
import { afterAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function started(models: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ models });
  servers.push(server);
  return server;
}

const schema = (field = 'title'): string => `new Schema({ ${field}: String }, { perms: { all: 'crud' } })`;
const head = `const mongoose = require('mongoose');\nconst { Schema } = mongoose;\n`;

/** The model has one field. */
async function expectField(server: TestServer, field = 'title', model = 'book'): Promise<void> {
  expect((await server.post(`/api/${model}`, { [field]: 'a' })).document).toMatchObject({ [field]: 'a' });
  expect((await server.get(`/api/${model}?filter[${field}]=a`)).rows).toHaveLength(1);
  const { status } = await server.get(`/api/${model}?filter[${field === 'title' ? 'heading' : 'title'}]=a`);
  expect(status).toBe(400);
}

const compiled = `mongoose.model('Book', ${schema()})`;
/** What a file does before it compiles its model, or how it does. */
const habits: readonly string[] = [
  `module.exports = mongoose.models.Book || ${compiled};`,
  `module.exports = mongoose.models?.Book ?? ${compiled};`,
  `const { models } = mongoose; module.exports = 'Book' in models ? models.Book : ${compiled};`,
  `module.exports = mongoose.connection.models['Book'] || ${compiled};`,
  `module.exports = mongoose.modelNames().includes('Book') ? mongoose.model('Book') : ${compiled};`,
  `try { module.exports = mongoose.model('Book'); } catch { module.exports = ${compiled}; }`,
  `delete mongoose.models.Book; module.exports = ${compiled};`,
  `if (mongoose.models.Book) delete mongoose.models.Book; module.exports = ${compiled};`,
  `delete mongoose.connection.models['Book']; module.exports = ${compiled};`,
  `if (mongoose.connection.models['Book']) mongoose.connection.deleteModel('Book'); module.exports = ${compiled};`,
  `if (mongoose.models.Book) mongoose.deleteModel('Book'); module.exports = ${compiled};`,
  `try { mongoose.deleteModel('Book'); } catch { } module.exports = ${compiled};`,
  `mongoose.deleteModel(/^Book$/); module.exports = ${compiled};`,
  `mongoose.connection.deleteModel(/.*/); module.exports = ${compiled};`,
  `mongoose.models = {}; module.exports = ${compiled};`,
  `mongoose.models = {}; mongoose.modelSchemas = {}; ${compiled};`,
  `mongoose.set('overwriteModels', true); module.exports = ${compiled};`,
  `module.exports = mongoose.model('Book', ${schema()}, undefined, { overwriteModels: true });`,
];

describe('a file that is loaded once', () => {
  test.each(habits)('%s', async (code) => {
    await expectField(await started({ 'book.js': head + code }));
  });
});

describe('of two models of one name the newest is served, by all that have either', () => {
  const first = `const first = mongoose.model('Book', ${schema('heading')});`;
  const ways: readonly string[] = [
    'delete mongoose.models.Book;',
    'delete mongoose.connection.models.Book;',
    'mongoose.models = {};',
    `mongoose.deleteModel('Book');`,
    `mongoose.connection.deleteModel('Book');`,
    'mongoose.deleteModel(/oo/);',
    `mongoose.set('overwriteModels', true);`,
    'mongoose.set({ overwriteModels: true, useCreateIndex: true });',
  ];
  const ends: Readonly<Record<string, string>> = {
    'that is exported': `module.exports = second;`,
    'without an export': '',
  };
  test.each(Object.entries(ends).flatMap(([end, code]) => ways.map((way) => [way, end, code])))(
    '%s %s',
    async (way, _end, code) => {
      const server = await started({
        'book.js': `${head}${first}
${way}
const made = ${schema()};
made.options.callable_statics = { both: 'r' };
made.statics.both = async () => Promise.all([first, second].map((one) => one.countDocuments({ title: 'a' })));
const second = mongoose.model('Book', made);
${code}`,
      });
      await expectField(server);
      expect((await server.get('/call/book/both')).body['data']).toEqual([1, 1]);
    },
  );

  test.each([
    `mongoose.model('Book', ${schema()}, undefined, { overwriteModels: true })`,
    `mongoose.connection.model('Book', ${schema()}, undefined, { overwriteModels: true })`,
  ])('%s', async (second) => {
    await expectField(await started({ 'book.js': `${head}${first}\nmodule.exports = ${second};` }));
  });

  test('without a habit the start stops, as Mongoose does', async () => {
    await expect(started({ 'book.js': `${head}${first}\nmodule.exports = ${compiled};` })).rejects.toThrow(
      /Cannot overwrite `Book` model/,
    );
  });
});

test('a file that frees all names leaves the models of other files', async () => {
  const server = await started({
    'author.js': `${head}module.exports = mongoose.model('Author', ${schema('heading')});`,
    'book.js': `${head}mongoose.models = {}; module.exports = ${compiled};`,
    'shelf.js': `${head}mongoose.deleteModel(/./); module.exports = mongoose.model('Shelf', ${schema()});`,
  });
  await expectField(server);
  await expectField(server, 'heading', 'author');
  await expectField(server, 'title', 'shelf');
});

test('a model that is deleted and not exported is none of the server, and works for the code that has it', async () => {
  const server = await started({
    'book.js': `${head}const aside = mongoose.model('Aside', ${schema()});
mongoose.deleteModel('Aside');
const made = ${schema()};
made.options.callable_statics = { put: 'r' };
made.statics.put = async () => (await aside.create({ title: 'x' })).title;
mongoose.model('Book', made);`,
  });
  expect((await server.get('/call/book/put')).body['data']).toBe('x');
  expect((await server.get('/model')).rows.map(({ name }) => name)).toEqual(['book']);
});

test('code that runs later compiles a model once, and frees its name, but not those of served models', async () => {
  const server = await started({
    'book.js': `${head}const made = ${schema()};
made.options.callable_statics = { put: 'r', free: 'r' };
made.statics.put = async () => {
  const Late = mongoose.models.Late ?? mongoose.model('Late', ${schema()});
  return (await Late.create({ title: 'x' })).title;
};
made.statics.free = async function () {
  for (const name of ['Late', 'Book']) { delete mongoose.models[name]; mongoose.deleteModel(new RegExp(name)); }
  mongoose.models = {};
  const Late = mongoose.model('Late', ${schema('heading')});
  return [(await Late.create({ heading: 'y' })).heading, await mongoose.model('Book').countDocuments()];
};
module.exports = mongoose.model('Book', made);`,
  });
  for (let at = 0; at < 2; at++) expect((await server.get('/call/book/put')).body['data']).toBe('x');
  expect((await server.get('/call/book/free')).body['data']).toEqual(['y', 0]);
  await expectField(server);
});
