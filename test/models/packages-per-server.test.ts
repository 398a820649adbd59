/** Packages that depend on Mongoose are loaded for each server, so that servers of one process share no models (docs/models.md). */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type ModelFiles, writeModels } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
const removals: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(removals.map((remove) => remove()));
});

/** A project with two folders of models and packages that both use. @returns starts a server with the models of one */
async function project(files: ModelFiles, typegoose = '@typegoose/typegoose') {
  const { folder, remove } = await writeModels({ ...keeping, ...files });
  removals.push(remove);
  await mkdir(join(folder, 'node_modules', '@typegoose'), { recursive: true });
  await symlink(resolve('node_modules', typegoose), join(folder, 'node_modules', '@typegoose', 'typegoose'));
  await symlink(resolve('node_modules', 'reflect-metadata'), join(folder, 'node_modules', 'reflect-metadata'));
  const start = async (models: string): Promise<TestServer> => {
    const server = await startServer({ models: join(folder, models) });
    servers.push(server);
    return server;
  };
  return { folder, start };
}

/** Packages that keep models by their names in a file of their own, in both module systems; one of them loads the file late. */
const keeping: ModelFiles = {
  'node_modules/keeping/package.json':
    '{ "name": "keeping", "main": "lib/index.js", "peerDependencies": { "mongoose": "*" } }',
  // the word export, for which Babel would make sloppy code strict
  'node_modules/keeping/lib/index.js': `exports.modelOf = function (name, fields) {
  sloppy = name;
  return require('./kept.js').modelOf(name, fields);
};`,
  'node_modules/keeping/lib/kept.js': `const mongoose = require('mongoose');
const kept = new Map();
exports.modelOf = (name, fields) => {
  if (!kept.has(name)) kept.set(name, mongoose.model(name, new mongoose.Schema(fields, { perms: { all: 'crud' } })));
  return kept.get(name);
};`,
  'node_modules/keeping-esm/package.json':
    '{ "name": "keeping-esm", "type": "module", "exports": { "import": "./index.js" }, "dependencies": { "mongoose": "*" } }',
  'node_modules/keeping-esm/index.js': `export { modelOf } from './kept.js';`,
  'node_modules/keeping-esm/kept.js': `import mongoose, { Schema } from 'mongoose';
const kept = new Map();
export const modelOf = (name, fields) => {
  if (!kept.has(name)) kept.set(name, mongoose.model(name, new Schema(fields, { perms: { all: 'crud' } })));
  return kept.get(name);
};`,
  'node_modules/shared/package.json': '{ "name": "shared", "main": "index.js" }',
  'node_modules/shared/index.js': `let count = 0;
exports.next = () => (count += 1);`,
};

/** A class of typegoose with one field, without decorators. */
const undecorated = (field: string): string => `
class Book {}
prop({ type: String, required: true })(Book.prototype, '${field}');
modelOptions({ schemaOptions: { perms: { all: 'crud' } } })(Book);
`;

type FileOf = (field: string) => string;
const files: Readonly<Record<string, readonly [name: string, FileOf]>> = {
  'TypeScript with decorators': [
    'book.ts',
    (field) => `import 'reflect-metadata';
import { getModelForClass, modelOptions, prop } from '@typegoose/typegoose';
@modelOptions({ schemaOptions: { perms: { all: 'crud' } } as any })
class Book {
  @prop({ required: true })
  public ${field}!: string;
}
export const BookModel = getModelForClass(Book);`,
  ],
  'an ES module': [
    'book.mjs',
    (field) => `import { getModelForClass, modelOptions, prop } from '@typegoose/typegoose';
${undecorated(field)}
export default getModelForClass(Book);`,
  ],
  CommonJS: [
    'book.cjs',
    (field) => `const { getModelForClass, modelOptions, prop } = require('@typegoose/typegoose');
${undecorated(field)}
module.exports = getModelForClass(Book);`,
  ],
};
const packaged: Readonly<Record<string, readonly [name: string, FileOf]>> = {
  'a CommonJS package in TypeScript': [
    'book.ts',
    (field) => `import { modelOf } from 'keeping';
export default modelOf('Book', { ${field}: { type: String, required: true } });`,
  ],
  'a CommonJS package in CommonJS': [
    'book.js',
    (field) => `module.exports = require('keeping').modelOf('Book', { ${field}: { type: String, required: true } });`,
  ],
  'an ES package in an ES module': [
    'book.mjs',
    (field) => `import { modelOf } from 'keeping-esm';
export default modelOf('Book', { ${field}: { type: String, required: true } });`,
  ],
  'packages that are imported late': [
    'book.mjs',
    (field) => `const [one, other] = await Promise.all([import('keeping'), import('keeping-esm')]);
if (one.default.modelOf === other.modelOf) throw new Error('one package');
export default other.modelOf('Book', { ${field}: { type: String, required: true } });`,
  ],
};

let count = 0;
/** Each server has the field of its own file alone. */
async function expectApart(fields: readonly (readonly [TestServer, string])[]): Promise<void> {
  for (const [server, field] of fields) {
    const value = `value ${(count += 1)}`;
    expect((await server.post('/api/book', { [field]: value })).document).toMatchObject({ [field]: value });
    expect((await server.post('/api/book', { [`${field}s`]: 'a' })).body).toMatchObject({
      err: expect.stringContaining(field),
    });
    expect((await server.get(`/api/book?filter[${field}]=${value}`)).rows).toHaveLength(1);
  }
}

describe.each([
  ...Object.entries(files).flatMap(([name, [file, code]]) =>
    ['typegoose-12', '@typegoose/typegoose'].map((version) => ({ name: `${version} in ${name}`, file, code, version })),
  ),
  ...Object.entries(packaged).map(([name, [file, code]]) => ({ name, file, code, version: undefined })),
])('$name', ({ file, code, version }) => {
  test('two servers at once have classes of one name, and a later one has the changed class', async () => {
    const { folder, start } = await project(
      { [`one/${file}`]: code('title'), [`two/${file}`]: code('heading') },
      version,
    );
    const [one, two] = await Promise.all([start('one'), start('two')]);
    await expectApart([
      [one, 'title'],
      [two, 'heading'],
    ]);
    await two.close();
    await writeFile(join(folder, 'two', file), code('caption'));
    await expectApart([
      [await start('two'), 'caption'],
      [one, 'title'],
    ]);
  });
});

test('a package that does not depend on Mongoose is loaded once for the process', async () => {
  const book = `const { Schema } = require('mongoose');
const n = require('shared').next();
module.exports = new Schema({ n: { type: Number, default: n } }, { perms: { all: 'crud' } });`;
  const { start } = await project({ 'one/book.js': book, 'two/book.js': book });
  const counts = [];
  for (const folder of ['one', 'two']) counts.push((await (await start(folder)).post('/api/book', {})).document?.['n']);
  expect(counts).toEqual([1, 2]);
});
