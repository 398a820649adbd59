/** The start names code that writes past `changed`: by Mongoose itself. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineRoute } from '../../src/define/index.ts';
import { findNamedWrite } from '../../src/models/options/mongoose-writes.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (statics: string, options = '') => `const mongoose = require('mongoose');
  const schema = new mongoose.Schema({ name: String, state: String }, { perms: { admin: 'crud' } ${options} });
  ${statics}
  module.exports = schema;`;

const models = {
  'order.js': model(
    `schema.statics.close = async function () { await this.updateMany({}, { state: 'closed' }); };
     schema.statics.count = async function () { return this.countDocuments(); };
     schema.statics.open = async ({ id }, { api }) => api.model('order').set(id, { state: 'open' });
     schema.methods.copy = function () { return this.constructor.create({ name: this.name }); };
     schema.post('save', async function () { await mongoose.model('order').deleteMany({ name: 'old' }); });`,
    ', changed: () => {}',
  ),
  'customer.js': model(`schema.statics.forget = async () => { await mongoose.model('Order').deleteMany({}); };
     schema.statics.rename = async function () { await this.updateMany({}, { name: 'x' }); };`),
};

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-past-'));
  await writeFile(
    join(folder, 'orders.js'),
    `const { defineRoute } = require('dossier'); const mongoose = require('mongoose');
     module.exports = defineRoute({ method: 'POST', path: '/close', access: 'admin', summary: 'Closes all',
       handler: async () => { await mongoose.model('order').updateMany({}, { state: 'closed' }); } });`,
  );
  const handler = async (): Promise<void> => {
    await Promise.resolve("mongoose.model('order').deleteMany({})");
  };
  const plugin = { name: 'shop', routes: [defineRoute({ method: 'DELETE', path: '/all', access: 'admin', handler })] };
  server = await startServer({ models, routes_dir: folder, plugins: [plugin] });
});
afterAll(() => rm(folder, { recursive: true }));

test('of models with `changed`: statics, methods, middleware and routes', () => {
  const found = server.log.flatMap(
    (line) => /"msg":"(.*) writes by Mongoose itself \((.*)\), which calls/.exec(line)?.slice(1) ?? [],
  );
  expect(found).toEqual([
    ...['order: the static forget of customer', "model('Order').deleteMany"],
    ...['order: the static close', 'this.updateMany'],
    ...['order: the method copy', 'this.constructor.create'],
    ...["order: post('save')", "model('order').deleteMany"],
    ...[`order: ${join(folder, 'orders.js')}`, "model('order').updateMany"],
    ...['order: DELETE /all of the plug-in shop', "model('order').deleteMany"],
  ]);
});

test.each([
  ["mongoose.model('order').updateOne({})", "model('order').updateOne"],
  ["connection.model( 'Order' )\n  .create({})", "model('Order').create"],
  ['await Order.insertMany([])', 'Order.insertMany'],
  ["api.model('order').create({})", undefined],
  ["api.as('system').model('order').create({})", undefined],
  ["mongoose.model('order').find({})", undefined],
  ["mongoose.model('orders').updateOne({})", undefined],
  ['PreOrder.updateOne({})', undefined],
])('%s writes orders: %s', (text, call) => {
  expect(findNamedWrite(text, { name: 'order', compiledAs: undefined })).toBe(call);
});
