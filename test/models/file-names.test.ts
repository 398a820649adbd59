/** The names of models by those of their files, and files without models (docs/models.md). */
import { afterAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
async function started(models: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ models, models_folders: ['*'] });
  servers.push(server);
  return server;
}
afterAll(() => Promise.all(servers.map((server) => server.dossier.close())));

const mongoose = `const mongoose = require('mongoose');\n`;
const schema = `new mongoose.Schema({ title: String }, { perms: { all: 'crud' } })`;
const compiled = (name: string): string => `${mongoose}module.exports = mongoose.model('${name}', ${schema});`;

/** Files of folders, and the names of the models that are served. */
const namedFiles: Readonly<
  Record<string, readonly [files: Readonly<Record<string, string>>, names: readonly string[]]>
> = {
  'a compiled model in a file of another name': [{ 'trip.js': compiled('Tour') }, ['trip']],
  'a compiled model in a file with words between dots': [
    { 'article.server.model.js': compiled('Post'), 'user.models.js': compiled('User'), 'a.b.c.js': compiled('Tag') },
    ['post', 'tag', 'user'],
  ],
  'a compiled model in a file whose name is none': [{ '1. book.js': compiled('Book') }, ['book']],
  'schemas in files with words between dots': [
    { 'article.server.schema.js': `${mongoose}module.exports = ${schema};` },
    ['article'],
  ],
  'ends of names': [
    {
      'adminSchema.js': `${mongoose}module.exports = ${schema};`,
      'xSchema.js': `${mongoose}module.exports = ${schema};`,
      'teamModels.js': compiled('Team'),
      'role_schema.js': `${mongoose}module.exports = ${schema};`,
      'schema.js': `${mongoose}module.exports = ${schema};`,
    },
    ['admin', 'role', 'schema', 'team', 'x'],
  ],
  'two files of one name with two models': [
    { 'a/item.js': compiled('ShopItem'), 'b/item.js': compiled('StockItem'), 'c/other.js': compiled('Else') },
    ['other', 'shopitem', 'stockitem'],
  ],
  'a schema and a model of one name': [
    { 'a/item.js': `${mongoose}module.exports = ${schema};`, 'b/item.js': compiled('StockItem') },
    ['item', 'stockitem'],
  ],
  'a schema that another file compiles': [
    {
      'item.schema.js': `${mongoose}module.exports = ${schema};`,
      'item.model.js': `${mongoose}module.exports = mongoose.model('Item', require('./item.schema'));`,
    },
    ['item'],
  ],
};

describe('the names of models, with', () => {
  test.each(Object.entries(namedFiles))('%s', async (_form, [files, names]) => {
    const server = await started(files);
    const { rows } = await server.get('/model');
    expect(rows.map(({ name }) => name).filter((name) => name !== 'user' || names.includes('user'))).toEqual(names);
    for (const name of names.filter((one) => one !== 'user'))
      expect((await server.post(`/api/${name}`, { title: 't' })).status).toBe(201);
  });
});

test('files without models are left out, in one line', async () => {
  const files = {
    'book.js': compiled('Book'),
    'types.ts': 'export interface IBook { title: string }',
    'roles.ts': `export enum Role { reader = 'reader' }\nexport default Role;`,
    'hash.js': 'module.exports = async (text) => text.toUpperCase();',
    'errors.js': `class SchemaError extends Error {}\nmodule.exports = SchemaError;`,
    'stamps.js': 'module.exports = function stamps(schema, options) { schema.add({ stamped: Date }); };',
    'touched.js': 'module.exports = (schema) => schema.add({ touched: Date });',
    'guard.js': 'module.exports = (req, res, next) => next();',
    // functions that the server must not call
    'seed.js': `const mongoose = require('mongoose');\nmodule.exports = async () => { await mongoose.connection.dropDatabase(); throw new Error('called'); };`,
    'connection.js': `const mongoose = require('mongoose');\nmodule.exports = async () => { await mongoose.connect(''); throw new Error('called'); };`,
    'clear.js': `module.exports = async (models) => { for (const model of Object.values(models)) await model.deleteMany(); throw new Error('called'); };`,
    'texts.js': `module.exports = { title: 'a text' };`,
  };
  const server = await started(files);
  expect((await server.get('/model')).rows.map(({ name }) => name)).toEqual(['book']);
  const lines = server.log.filter((line) => line.includes('no model is in'));
  expect(lines).toHaveLength(1);
  for (const file of Object.keys(files)) expect(lines[0]?.includes(`/${file}`)).toBe(file !== 'book.js');
});
