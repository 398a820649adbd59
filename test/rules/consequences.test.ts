/** What `changed` writes and asks for: in the unit of the write that causes it, as its caller or the system. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChangedHandler, definePlugin } from '../../src/index.ts';
import { basic, emailOf, makeUsers, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const names: string[] = [];
const called =
  (name: string): ChangedHandler =>
  ({ model, event }) =>
    void names.push(`${name}: ${event} ${model}`);

const models = {
  // selling takes from the stock, as the system
  'sale.js': `module.exports = new (require('mongoose').Schema)({ item_id: { type: 'ObjectId', link: 'item' }, count: Number }, {
    perms: { admin: 'crud', user: 'cru' }, advanced_queries: { bulkwrite: true },
    changed: async ({ event, before, after, api }) => {
      const taken = ((after || {}).count || 0) - ((before || {}).count || 0);
      const { item_id } = after || before;
      if (taken !== 0) await api.as('system').model('item').patch(String(item_id), { $inc: { stock: -taken } });
    } });`,
  'item.js': `module.exports = new (require('mongoose').Schema)({ name: String, stock: { type: Number, min: 0 } }, {
    perms: { admin: 'crud', all: 'r' }, history: true });`,
  // its consequences are written as the caller
  'request.js': `module.exports = new (require('mongoose').Schema)({ item_id: { type: 'ObjectId', link: 'item' }, name: String }, {
    perms: { admin: 'crud', user: 'cr' },
    changed: async ({ after, api }) => { await api.model('item').set(String(after.item_id), { name: after.name }); } });`,
  // each changes itself once more, without end
  'endless.js': `module.exports = new (require('mongoose').Schema)({ count: Number }, {
    perms: { admin: 'crud' },
    changed: async ({ id, api }) => { await api.model('endless').patch(id, { $inc: { count: 1 } }); } });`,
  // ten of them, each of which creates the next one
  'step.js': `module.exports = new (require('mongoose').Schema)({ number: Number }, {
    perms: { admin: 'crud' }, changed: async ({ after, api }) => {
      if (after.number < 10) await api.model('step').create({ number: after.number + 1 });
    } });`,
  'task.js': `const schema = new (require('mongoose').Schema)({ name: String }, {
    perms: { admin: 'crud', all: 'r' }, callable_statics: { note: 'c', touch: 'u' },
    changed: async ({ after, api }) => {
      await api.later('task.note', { text: after.name });
      if (after.name === 'refused') throw Object.assign(new Error('no'), { statusCode: 409 });
    } });
  schema.statics.note = ({ text }) => void globalThis.notedTexts.push(text);
  schema.statics.touch = async ({ id }, { api }) => { await api.model('task').set(id, { name: 'touched' }); };
  module.exports = schema;`,
};
const texts: string[] = [];
Object.assign(globalThis, { notedTexts: texts });

let server: TestServer;
const root = { headers: rootBasic };
const ann = { headers: basic(emailOf('ann'), passwordOf('ann')) };

beforeAll(async () => {
  server = await startServer({
    models,
    changed: { item: [called('config'), called('second')], '*': called('all') },
    plugins: [definePlugin({ name: 'ledger', changed: { item: called('plug-in') } })],
  });
  await makeUsers(server, ['root', 'ann']);
});
afterAll(() => server.close());

const make = async (model: string, values: object): Promise<string> =>
  String((await server.post(`/api/${model}`, values, root)).document['_id']);
const documentOf = async (model: string, id: string): Promise<Readonly<Record<string, unknown>>> =>
  (await server.get(`/api/${model}/${id}`, root)).document;

describe('a consequence', () => {
  test('is written by whatever way the document changes', async () => {
    const item = await make('item', { name: 'cup', stock: 10 });
    const sale = await make('sale', { item_id: item, count: 2 });
    await server.put(`/api/sale/${sale}`, { count: 3 }, ann);
    await server.post('/bulkwrite/sale', [{ insertOne: { document: { item_id: item, count: 1 } } }], root);
    await server.remove(`/api/sale/${sale}?_permaDelete=1`, root);
    expect(await documentOf('item', item)).toMatchObject({ stock: 9 });
  });

  needs('transactions')('that fails ends the write: nothing is stored', async () => {
    const item = await make('item', { name: 'cup', stock: 1 });
    const { status, body } = await server.post('/api/sale', { item_id: item, count: 2 }, root);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'stock', kind: 'min' }] } });
    expect((await server.get(`/api/sale?filter[item_id]=${item}`, root)).body.data).toEqual([]);
    expect(await documentOf('item', item)).toMatchObject({ stock: 1, __v: 0 });
  });

  needs('transactions')('of many at once is exact', async () => {
    const item = await make('item', { name: 'cup', stock: 10 });
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => server.post('/api/sale', { item_id: item, count: 1 }, root)),
    );
    const sold = answers.filter(({ status }) => status === 201).length;
    const { body } = await server.get(`/count/sale?filter[item_id]=${item}`, root);
    expect({ sold, stored: body.count as unknown, ...(await documentOf('item', item)) }).toMatchObject({
      ...{ sold: 10, stored: 10, stock: 0 },
    });
  });

  needs('transactions')('has the rights of the caller unless it acts as the system', async () => {
    const item = await make('item', { name: 'cup', stock: 1 });
    const ask = { item_id: item, name: 'mug' };
    const refused = await server.post('/api/request', ask, ann);
    expect(refused.status).toBe(403);
    expect((await server.get(`/api/request?filter[item_id]=${item}`, root)).body.data).toEqual([]);
    expect((await server.post('/api/request', ask, root)).status).toBe(201);
    expect(await documentOf('item', item)).toMatchObject({ name: 'mug' });
  });

  test('is seen by the `changed` of what it writes: of the model, of plug-ins, of the config, of all', async () => {
    const item = await make('item', { name: 'cup', stock: 10 });
    names.splice(0);
    await make('sale', { item_id: item, count: 2 });
    expect(names).toEqual([
      'plug-in: change item',
      'config: change item',
      'second: change item',
      'all: change item',
      'all: create sale',
    ]);
  });

  needs('transactions')(
    'may be ten deep; deeper ends the write with a 500 whose log line names the chain',
    async () => {
      await make('step', { number: 1 });
      expect((await server.get('/count/step', root)).body).toMatchObject({ count: 10 });
      const { status, body } = await server.post('/api/endless', { count: 1 }, root);
      expect({ status, body: JSON.stringify(body) }).toEqual({
        status: 500,
        body: expect.not.stringContaining('endless') as unknown,
      });
      expect(server.log.filter((line) => /endless create \w+ → endless change/.test(line))).not.toEqual([]);
      expect((await server.get('/count/endless', root)).body).toMatchObject({ count: 0 });
    },
  );

  needs('transactions')('that never ends is a 500 at the time limit, and nothing is written', async () => {
    const limited = await startServer({
      models: {
        'asleep.js': `module.exports = new (require('mongoose').Schema)({ name: String }, {
          perms: { all: 'cr' }, changed: () => new Promise(() => {}) });`,
      },
      query_limits: { max_time_ms: 1000 },
    });
    expect((await limited.post('/api/asleep', { name: 'a' })).status).toBe(500);
    expect(limited.log.some((line) => line.includes('changed of asleep did not end within 1000 ms'))).toBe(true);
    await until(async () => (await limited.get('/count/asleep')).body['count'] === 0);
  });

  needs('transactions')(
    'a job that it asks for runs after the write is stored, and not for one that is refused',
    async () => {
      const id = await make('task', { name: 'first' });
      await until(() => texts.includes('first'));
      expect((await server.put(`/api/task/${id}`, { name: 'refused' }, root)).status).toBe(409);
      expect((await server.post('/call/task/touch', { id }, root)).status).toBe(200);
      await until(() => texts.includes('touched'));
      await server.put(`/api/task/${id}`, { name: 'last' }, root);
      await until(() => texts.includes('last'));
      expect(texts).not.toContain('refused');
    },
  );
});

describe('a config', () => {
  test.each([
    [{ changed: { itme: () => undefined } }, /changed\.itme: there is no model itme.*item/],
    [{ changed: { item: 'x' } }, /changed\.item must be a function or a list of functions/],
    [{ changed: [] }, /changed must be an object/],
    [{ plugins: [{ name: 'a', changed: { item: 1 } }] }, /plug-in a: changed\.item must be a function/],
  ])('%j stops the start', async (config, message) => {
    await expect(startServer({ models, ...(config as object) })).rejects.toThrow(message);
  });

  test('a model file with something else stops the start', async () => {
    const file = "module.exports = new (require('mongoose').Schema)({ a: String }, { changed: 'x' });";
    await expect(startServer({ models: { 'wrong.js': file } })).rejects.toThrow(
      /changed must be a function or a list of functions/,
    );
  });
});
