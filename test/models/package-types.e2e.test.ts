/** Schema types of packages cast by themselves, whichever Mongoose the project has installed (docs/models.md). */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { startServer, type TestServer } from '../support/server.ts';

const files: Readonly<Record<string, string>> = {
  // another Mongoose beside the server's, as an application of an earlier version has it
  'node_modules/mongoose/package.json': '{ "name": "mongoose", "version": "8.0.0", "main": "index.js" }',
  'node_modules/mongoose/index.js': "throw new Error('the Mongoose of the project was loaded');",
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
