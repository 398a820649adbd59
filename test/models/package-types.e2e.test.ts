/** Schema types of packages cast by themselves, whichever Mongoose the project has installed (docs/models.md). */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { writeModels } from '../support/models.ts';
import { startProcess } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';

const files: Readonly<Record<string, string>> = {
  // another Mongoose beside the server's, as an application of an earlier version has it
  'node_modules/mongoose/package.json': '{ "name": "mongoose", "version": "8.0.0", "main": "index.js" }',
  // what ES modules import by name is found in the text
  'node_modules/mongoose/index.js': `
    if (process.env.LOADS_OTHER === undefined) throw new Error('the Mongoose of the project was loaded');
    class Schema { constructor(paths) { this.paths = paths; this.instanceOfSchema = true; } }
    Schema.Types = {};
    module.exports = { Schema };
    module.exports.Schema = Schema;
    module.exports.SchemaType = class {};
  `,
  'node_modules/mongoose/lib/schema.js': "throw new Error('the schema of the project was loaded');",
  // derived from Number by a function, with its own cast
  'node_modules/own-currency/index.js': `
    const mongoose = require('mongoose');
    function Currency(path, options) { mongoose.SchemaTypes.Number.call(this, path, options); }
    Currency.prototype = Object.create(mongoose.SchemaTypes.Number.prototype, { constructor: { value: Currency } });
    Currency.prototype.cast = function (value) {
      if (typeof value === 'number') return value;
      const text = String(value).replace(/[$,]/g, '');
      if (!/^\\d+(\\.\\d+)?$/.test(text)) throw new mongoose.Error.CastError('Currency', value, this.path);
      return Math.round(Number(text) * 100);
    };
    mongoose.Schema.Types.Currency = Currency;
  `,
  // derived from String, with validators only
  'node_modules/own-email/index.js': `
    const mongoose = require('mongoose');
    class Email extends mongoose.SchemaTypes.String {
      constructor(path, options) { super(path, options); this.validate((text) => /@/.test(text), 'must be an email address'); }
    }
    Email.schemaName = 'Email';
    mongoose.Schema.Types.Email = Email;
  `,
  // a type of its own, that stores another value than it takes
  'node_modules/own-point/index.js': `
    const mongoose = require('mongoose');
    class Point extends mongoose.SchemaType {
      constructor(path, options) { super(path, options, 'Point'); }
      cast(value) {
        if (typeof value === 'string' && /^\\d+\\/\\d+$/.test(value)) return value.replace('/', ':');
        if (typeof value === 'string' && /^\\d+:\\d+$/.test(value)) return value;
        throw new mongoose.Error.CastError('Point', value, this.path);
      }
    }
    mongoose.Schema.Types.Point = Point;
  `,
  // as an ES module, which Node loads by itself
  'node_modules/own-code/package.json': '{ "name": "own-code", "type": "module", "exports": "./index.js" }',
  'node_modules/own-code/index.js': `
    import mongoose, { SchemaType } from 'mongoose';
    import Schema from 'mongoose/lib/schema.js';
    import 'own-deep';
    if (Schema !== mongoose.Schema) throw new Error('two classes of schemas');
    export class Code extends SchemaType {
      cast(value) { return String(value).toUpperCase(); }
    }
    Code.schemaName = 'Code';
    mongoose.Schema.Types.Code = Code;
  `,
  // with a copy of Mongoose of its own
  'node_modules/own-deep/package.json': '{ "name": "own-deep", "type": "module", "exports": "./index.js" }',
  'node_modules/own-deep/node_modules/mongoose/package.json':
    '{ "name": "mongoose", "version": "7.0.0", "main": "index.js" }',
  'node_modules/own-deep/node_modules/mongoose/index.js': "throw new Error('the copy was loaded');",
  'node_modules/own-deep/index.js': `
    import mongoose from 'mongoose';
    mongoose.Schema.Types.Deep = class Deep extends mongoose.SchemaTypes.String {};
  `,
  'models/coded.mjs': `
    import mongoose from 'mongoose';
    import { Code } from 'own-code';
    const { Types } = mongoose.Schema;
    export default new mongoose.Schema({ code: { type: Types.Code }, deep: { type: Types.Deep } }, { perms: { all: 'crud' } });
  `,
  'node_modules/own-early/package.json': '{ "name": "own-early", "type": "module", "exports": "./index.js" }',
  'node_modules/own-early/index.js': `
    import mongoose from 'mongoose';
    mongoose.Schema.Types.Early = class extends mongoose.SchemaType {};
    export default new mongoose.Schema({ name: String });
  `,
  'models/item.js': `
    const mongoose = require('mongoose');
    require('own-currency'); require('own-email'); require('own-point');
    const { Currency, Email, Point } = mongoose.Schema.Types;
    module.exports = new mongoose.Schema(
      { price: { type: Currency }, prices: [Currency], mail: { type: Email }, at: { type: Point } },
      { perms: { all: 'crud' } },
    );
  `,
};

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-types-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  server = await startServer({ models: join(folder, 'models') });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('values are cast when they are created and changed, and refused by name', async () => {
  const made = await server.send('POST', '/api/item', {
    body: { price: '$1,200.55', prices: ['$1', 250], mail: 'a@example.com', at: '1/2' },
  });
  expect(made.body).toMatchObject({ data: { price: 120_055, prices: [100, 250], mail: 'a@example.com', at: '1:2' } });
  const { _id: id } = made.body.data as { readonly _id: string };
  const changed = await server.send('PUT', `/api/item/${id}`, { body: { price: '$2', prices: ['$3'], at: '3/4' } });
  expect(changed.body).toMatchObject({ data: { price: 200, prices: [300], at: '3:4' } });
  for (const [path, value] of Object.entries({ price: 'much', at: 'here', mail: 'none' })) {
    const refused = await server.send('PUT', `/api/item/${id}`, { body: { [path]: value } });
    expect([path, refused.status]).toEqual([path, 400]);
    expect(refused.body).toMatchObject({ err: expect.stringContaining(path) });
  }
});

test('filters cast, too', async () => {
  await server.send('POST', '/api/item', { body: { price: '$7.50', at: '7/5' } });
  for (const filter of ['filter[price]=7.50', 'filter[at]=7/5', 'filter[price]=$gt:7.40&filter[at]=7:5'])
    expect((await server.send('GET', `/api/item?${filter}`)).rows).toMatchObject([{ price: 750, at: '7:5' }]);
  expect((await server.send('GET', '/api/item?filter[at]=here')).status).toBe(400);
});

test('so do rows of CSV', async () => {
  await writeFile(join(folder, 'item.csv'), 'price,at,mail\n"$9,000.10",9/9,a@example.com\nmuch,9/9,\n');
  const imported = await runHere(folder, ['import', 'item.csv']);
  expect(imported).toMatchObject({ code: 1, messages: expect.stringContaining('1 record was refused') });
  const exported = await runHere(folder, ['export', 'item', '--out', 'exported']);
  expect(exported).toMatchObject({ code: 0 });
  const lines = (await readFile(join(folder, 'exported', 'item.ndjson'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { at: '9:9', price: { $numberInt: '900010' } },
  ]);
});

test('types of packages that are ES modules are those of the server, too', async () => {
  const made = await server.send('POST', '/api/coded', { body: { code: 'abc', deep: 'd' } });
  expect(made).toMatchObject({ status: 201, body: { data: { code: 'ABC', deep: 'd' } } });
  // code that requires the project's Mongoose later gets it
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.filter((file) => file.startsWith(folder) && file.includes('mongoose'))).toEqual([]);
});

test.each([
  ['a schema of it', 'export { default } from "own-early";', "its schema is not one of the server's Mongoose"],
  [
    'a type that only it has',
    'import "own-early"; import { Schema } from "mongoose"; export default new Schema({ a: { type: Schema.Types.Early } });',
    'Invalid value for schema path',
  ],
])('another Mongoose that the process had loaded before is named with its version: %s', async (_what, code, reason) => {
  const { folder: models, remove } = await writeModels({ 'early.mjs': code });
  await symlink(join(folder, 'node_modules'), join(models, 'node_modules'));
  const other = join(folder, 'node_modules/mongoose/index.js');
  const { ended, printed } = await startProcess({ MODELS_DIR: models, LOADS_OTHER: '1' }, ['--require', other]);
  expect(await ended).not.toBe(0);
  await remove();
  expect(printed()).toContain(reason);
  expect(printed()).toContain(`${relative('.', dirname(other))} (8.0.0)`);
});
