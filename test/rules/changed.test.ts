/** `changed`: called once for each document that a write has changed, by whatever way, in the unit of the write. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangedEvent } from '../../src/index.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const noted: ChangedEvent[] = [];
Object.assign(globalThis, { notedChanges: noted });

const models = {
  'order.js': `module.exports = new (require('mongoose').Schema)({
    number: { type: String, unique: true }, state: String, total: Number, tags: [String], address: { city: String, zip: String },
  }, { perms: { admin: 'crud', user: 'cru' }, history: true, advanced_queries: { bulkwrite: true }, changed: (event) => {
    globalThis.notedChanges.push(event);
    const { state } = event.after || {};
    if (state === 'refused') throw Object.assign(new Error('no such state'), { statusCode: 422, expose: true });
    if (state === 'hidden') throw Object.assign(new Error('the text of a program'), { statusCode: 409 });
    if (state === 'broken') throw new Error('the text of a bug');
  } });`,
  // its documents are loaded and saved
  'letter.js': `const schema = new (require('mongoose').Schema)({ number: String, state: String, total: Number }, {
    perms: { admin: 'crud' }, save_on_put: true, advanced_queries: { bulkwrite: true }, changed: [(event) => {
      globalThis.notedChanges.push(event);
      if (event.after && event.after.state === 'refused') throw Object.assign(new Error('no such state'), { statusCode: 422, expose: true });
    }] });
  schema.pre('save', function () { this.total = (this.total || 0) + 100; });
  module.exports = schema;`,
  'line.js': `module.exports = new (require('mongoose').Schema)({
    title: String, number: String, order_id: { type: 'ObjectId', link: 'order' }, order_ids: [{ type: 'ObjectId', link: 'order' }],
  }, { perms: { admin: 'crud' }, trash: '30d', changed: (event) => void globalThis.notedChanges.push(event) });`,
  'quiet.js': `module.exports = new (require('mongoose').Schema)({ title: String, number: String }, { perms: { admin: 'crud' } });`,
};

let server: TestServer;
let rootId = '';
const root = { headers: rootBasic };

beforeAll(async () => {
  server = await startServer({ models });
  const { body } = await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  rootId = String(body.data._id);
});
afterAll(() => server.close());
beforeEach(() => void noted.splice(0));

let next = 0;
const make = async (values: object = {}, model = 'order'): Promise<string> => {
  next += 1;
  const { status, document } = await server.post(`/api/${model}`, { number: `n${next}`, ...values }, root);
  expect(status).toBe(201);
  noted.splice(0);
  return String(document['_id']);
};
const told = (): readonly string[] => noted.map(({ event, model, paths }) => `${event} ${model}: ${paths.join()}`);
const patch = (path: string, type: string, body: object) =>
  server.send('PATCH', path, { body, headers: { ...rootBasic, 'content-type': `application/${type}` } });
const bulk = (...operations: object[]) => server.post('/bulkwrite/order', operations, root);

/** The paths of a new order besides those that it gives. */
const defaults = 'tags,_deleted,_owner_id';

type Way = readonly [string, (id: string) => Promise<{ readonly status: number }>, readonly string[]];
const ways: readonly Way[] = [
  [
    'POST',
    () => server.post('/api/order', { number: 'new', address: { city: 'a' } }, root),
    ['create order: number,tags,address.city,_deleted,_owner_id'],
  ],
  [
    'PUT',
    (id) => server.put(`/api/order/${id}`, { total: 2, address: { city: 'b' } }, root),
    ['change order: total,address.city'],
  ],
  ['PUT of the same values', (id) => server.put(`/api/order/${id}`, { total: 1 }, root), []],
  ['PATCH of fields', (id) => patch(`/api/order/${id}`, 'json', { tags: ['x'] }), ['change order: tags']],
  ['a merge patch', (id) => patch(`/api/order/${id}`, 'merge-patch+json', { total: null }), ['change order: total']],
  [
    'a JSON Patch',
    (id) => patch(`/api/order/${id}`, 'json-patch+json', [{ op: 'add', path: '/tags/-', value: 'y' }]),
    ['change order: tags'],
  ],
  ['PATCH of operators', (id) => patch(`/api/order/${id}`, 'json', { $inc: { total: 1 } }), ['change order: total']],
  [
    'an upsert that creates',
    () => server.put('/api/order?on=number', { number: 'u' }, root),
    [`create order: number,${defaults}`],
  ],
  ['a soft deletion', (id) => server.remove(`/api/order/${id}`, root), ['delete order: _deleted']],
  [
    'a permanent deletion',
    (id) => server.remove(`/api/order/${id}?_permaDelete=1`, root),
    [`remove order: number,total,${defaults}`],
  ],
  [
    'inserts of a bulk write',
    () => bulk({ insertOne: { document: { number: 'b1' } } }, { insertOne: { document: { number: 'b2' } } }),
    [`create order: number,${defaults}`, `create order: number,${defaults}`],
  ],
  ['updateOne', (id) => bulk({ updateOne: { filter: { _id: id }, update: { total: 7 } } }), ['change order: total']],
  [
    'updateOne that creates',
    () => bulk({ updateOne: { filter: { number: 'absent' }, update: { total: 7 }, upsert: true } }),
    [expect.stringMatching(/^create order: /) as unknown as string],
  ],
  [
    'updateMany',
    (id) => bulk({ updateMany: { filter: { _id: { $in: [id] } }, update: { state: 'sent' } } }),
    ['change order: state'],
  ],
  [
    'replaceOne',
    (id) => bulk({ replaceOne: { filter: { _id: id }, replacement: { number: 'other' } } }),
    ['change order: number,total'],
  ],
  ['deleteOne', (id) => bulk({ deleteOne: { filter: { _id: id } } }), ['delete order: _deleted']],
  ['deleteMany', (id) => bulk({ deleteMany: { filter: { _id: id } } }), ['delete order: _deleted']],
];

describe('each way of writing', () => {
  test.each(ways)('%s', async (_, write, expected) => {
    const id = await make({ total: 1 });
    const answer = await write(id);
    expect([200, 201]).toContain(answer.status);
    expect(told()).toEqual(expected);
  });

  needs('transactions')('a batch', async () => {
    const id = await make({ total: 1 });
    const operations = [3, 4].map((total) => ({ method: 'PUT', path: `/api/order/${id}`, body: { total } }));
    expect((await server.post('/batch', { operations }, root)).status).toBe(200);
    expect(told()).toEqual(['change order: total', 'change order: total']);
  });

  test('an upsert that changes, a restoration and a revert', async () => {
    const id = await make({ number: 'one', total: 1 });
    await server.put('/api/order?on=number', { number: 'one', total: 2 }, root);
    await server.remove(`/api/order/${id}`, root);
    await server.put(`/api/order/${id}`, { _deleted: false, total: 3 }, root);
    const { status } = await server.post(`/history/order/${id}/revert`, { rev: 1 }, root);
    expect({ status, told: told() }).toEqual({
      status: 200,
      told: ['change order: total', 'delete order: _deleted', 'restore order: total,_deleted', 'change order: total'],
    });
  });

  test('cascades: the documents before what they link to, and what loses a link', async () => {
    const order = await make();
    const line = await make({ title: 'a', order_id: order }, 'line');
    await make({ title: 'b', order_ids: [order] }, 'line');
    await server.remove(`/api/order/${order}?_cascade=1`, root);
    expect(told()).toEqual(['change line: order_ids', 'delete line: _deleted', 'delete order: _deleted']);
    noted.splice(0);
    await server.put(`/api/order/${order}`, { _deleted: false }, root);
    expect([...told()].sort()).toEqual(['change line: order_ids', 'restore line: _deleted', 'restore order: _deleted']);
    expect(noted.map(({ id }) => id)).toContain(line);
  });

  test('documents that are loaded and saved, as their middleware leaves them', async () => {
    const id = await make({ total: 1 }, 'letter');
    await server.put(`/api/letter/${id}`, { state: 'sent' }, root);
    const [change] = noted;
    expect({ told: told(), before: change?.before, after: change?.after }).toMatchObject({
      told: ['change letter: total,state'],
      before: { total: 101 },
      after: { total: 201, state: 'sent' },
    });
  });

  test('nothing is called for other models, for what fails, and for documents that do not match', async () => {
    const id = await make();
    await make({ title: 'a' }, 'quiet');
    await server.put(`/api/order/${id}`, { total: 'no number' }, root);
    await server.put(`/api/order/${'0'.repeat(24)}`, { total: 1 }, root);
    await bulk({ updateMany: { filter: { number: 'none' }, update: { total: 1 } } });
    expect(told()).toEqual([]);
  });

  test('/setup/data only calls it where that is asked for', async () => {
    const data = (number: string) => ({ order: [{ number }], letter: [{ number }] });
    await server.post('/setup/data', data('quiet'), root);
    expect(told()).toEqual([]);
    const { status } = await server.post('/setup/data?changed=true', data('told'), root);
    expect({ status, told: noted.map(({ event, model }) => `${event} ${model}`).sort() }).toEqual({
      status: 200,
      told: ['create letter', 'create order'],
    });
  });
});

describe('what it receives', () => {
  test('the document before and after, frozen, who writes, and a log', async () => {
    const id = await make({ total: 1, address: { city: 'a' } });
    await server.put(`/api/order/${id}`, { total: 2 }, root);
    const [{ before, after, caller, via, ...event }] = noted as [ChangedEvent];
    expect({ ...event, via, before, after, caller }).toMatchObject({
      ...{ event: 'change', model: 'order', id, paths: ['total'], via: undefined },
      before: { total: 1, address: { city: 'a' }, __v: 0 },
      after: { total: 2, address: { city: 'a' }, __v: 1 },
      caller: { user: { id: rootId, email: emailOf('root') }, admin: true, groups: [] },
    });
    expect([before, after, (after as { address: object }).address].map((one) => Object.isFrozen(one))).toEqual([
      true,
      true,
      true,
    ]);
    expect(JSON.stringify(caller)).not.toMatch(/password|api_key/);
    event.log.info('a line of the project');
    expect(server.log.find((line) => line.includes('a line of the project'))).toMatch(/"code":"changed of order"/);
  });

  test('a new document has none before it, a removed one none after it', async () => {
    const id = await make();
    await server.remove(`/api/order/${id}?_permaDelete=1`, root);
    await server.post('/api/order', { number: 'last' }, root);
    expect(noted.map(({ before, after }) => [typeof before, typeof after])).toEqual([
      ['object', 'undefined'],
      ['undefined', 'object'],
    ]);
  });
});

describe('what it throws', () => {
  const refusals: [string, string, number, RegExp][] = [
    ['an exposed error with a status', 'refused', 422, /no such state/],
    ['an error with a status', 'hidden', 409, /the model refuses this/],
    ['any other error', 'broken', 500, /something went wrong/],
  ];
  needs('transactions').each<[string, string, number, RegExp]>(refusals)(
    '%s ends the write',
    async (_, state, status, message) => {
      const id = await make({ total: 1 });
      const answer = await server.put(`/api/order/${id}`, { state, total: 2 }, root);
      expect({ status: answer.status, body: JSON.stringify(answer.body) }).toEqual({
        status,
        body: expect.stringMatching(message),
      });
      expect((await server.get(`/api/order/${id}`, root)).document).toMatchObject({ total: 1, __v: 0 });
      const { body } = await server.get(`/history/order/${id}`, root);
      expect((body.data as unknown[]).length).toBe(1);
      expect((await server.post('/api/order', { number: `none ${state}`, state }, root)).status).toBe(status);
      expect((await server.get(`/api/order?filter[number]=none ${state}`, root)).body.data).toEqual([]);
    },
  );

  needs('transactions')('ends a whole batch', async () => {
    const [one, other] = [await make({ total: 1 }), await make({ total: 1 })];
    const { status } = await server.post(
      '/batch',
      {
        operations: [
          { method: 'PUT', path: `/api/order/${one}`, body: { total: 2 } },
          { method: 'PUT', path: `/api/order/${other}`, body: { state: 'refused' } },
        ],
      },
      root,
    );
    expect(status).toBe(422);
    expect((await server.get(`/api/order/${one}`, root)).document).toMatchObject({ total: 1 });
  });

  needs('transactions').each([
    ['order', 'commands'],
    ['letter', 'documents that are saved'],
  ])('ends a bulk write of %s at the operation, after %s before it', async (model) => {
    const inserts = ['sent', 'sent', 'sent', 'refused', 'sent'].map((state, at) => ({
      insertOne: { document: { number: `${model} ${at}`, state } },
    }));
    const { status, body } = await server.post(`/bulkwrite/${model}`, inserts, root);
    const stored = await server.get(
      `/api/${model}?filter[number]=$in:${model} 0,${model} 1,${model} 2,${model} 3,${model} 4`,
      root,
    );
    expect({ status, body, stored: (stored.body.data as unknown[]).length }).toMatchObject({
      status: 422,
      body: { err: 'operation 3: no such state', index: 3, data: { nInserted: 3 } },
      stored: 3,
    });
  });
});

describe('without transactions', () => {
  test('the write is undone, and what it has published is not sent', async () => {
    const { inTransaction, isReplicaSet } = server.dossier.services;
    Object.assign(server.dossier.services, {
      inTransaction: (work: (session: undefined) => unknown) => work(undefined),
    });
    try {
      const id = await make({ total: 1 });
      expect((await server.put(`/api/order/${id}`, { state: 'refused', total: 2 }, root)).status).toBe(422);
      expect((await server.get(`/api/order/${id}`, root)).document).toMatchObject({ total: 1, __v: 0 });
      expect((await server.post('/api/order', { number: 'undone', state: 'refused' }, root)).status).toBe(422);
      expect((await server.get('/api/order?filter[number]=undone', root)).body.data).toEqual([]);
    } finally {
      Object.assign(server.dossier.services, { inTransaction, isReplicaSet });
    }
  });
});
