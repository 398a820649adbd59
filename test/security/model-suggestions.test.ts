/** A name that no model has is answered with the nearest model that the caller may see, and never with another one. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operationGroups } from '../../src/start/operations.ts';
import { connect } from '../support/connection.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (perms: string): string => `module.exports = ({ Schema }) => new Schema(
  { title: String }, { perms: ${perms}, advanced_queries: { query: true, aggregate: true, bulkwrite: true } });`;
const models = {
  ticket: model(`{ all: 'crud' }`),
  category: model(`{ all: 'crud' }`),
  city: model(`{ all: 'r' }`),
  person: model(`{ all: 'r' }`),
  order_item: model(`{ all: 'r' }`),
  tocket: model(`{ admin: 'crud' }`),
  payroll: model(`{ admin: 'crud' }`),
  memo: model(`{ user: 'r' }`),
};

let server: TestServer;
let callers: Callers<'root' | 'ann'>;
beforeAll(async () => {
  server = await startServer({ models });
  callers = await makeCallers(server, ['root', 'ann']);
});

const unknown = (name: string, meant?: string): object => ({
  status: 404,
  body: {
    message: 'Unknown model',
    err: `no model is named "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
  },
});

describe('the nearest model', () => {
  test.each([
    ['tickets', 'ticket'],
    ['Tickets', 'ticket'],
    ['tikcet', 'ticket'],
    ['tickts', 'ticket'],
    ['categories', 'category'],
    ['cities', 'city'],
    ['people', 'person'],
    ['persons', 'person'],
    ['order-items', 'order_item'],
    ['OrderItem', 'order_item'],
    ['users', 'user'],
    ['zzzzzz', undefined],
    ['x'.repeat(60), undefined],
  ])('of %s is %s', async (name, meant) => {
    expect(await server.get(`/api/${name}`, { headers: callers.ann.headers })).toMatchObject(unknown(name, meant));
  });

  test('a name in other letters is the model itself', async () => {
    expect((await server.get('/api/Ticket')).status).toBe(200);
  });
});

const operations = operationGroups
  .flatMap(({ operations }) => operations)
  .map(({ http }) => http)
  .filter(({ path }) => path.includes(':model') || path.includes('model/:name'));

describe('every operation of a model', () => {
  test.each(operations.map(({ method, path }) => `${method} ${path}`))('%s', async (request) => {
    const [method = '', path = ''] = request.split(' ');
    const at = (name: string): string =>
      path
        .replace(/:(model|name)/, name)
        .replace(':id', '0'.repeat(24))
        .replace(/:\w+/g, 'title');
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    expect(await server.send(method, at('tickets'), body)).toMatchObject(unknown('tickets', 'ticket'));
    // names a model that only admins see
    expect(await server.send(method, at('payrolls'), body)).toMatchObject(unknown('payrolls'));
    expect(await server.send(method, at('payrolls'), { ...body, headers: callers.ann.headers })).toMatchObject(
      unknown('payrolls'),
    );
    expect(await server.send(method, at('payrolls'), { ...body, headers: callers.root.headers })).toMatchObject(
      unknown('payrolls', 'payroll'),
    );
  });

  test('in a batch, in a subscription, in a join and in the first data', async () => {
    const batch = { operations: [{ method: 'POST', path: '/api/tickets', body: {} }], atomic: false };
    const { body } = await server.post('/batch', batch, { headers: callers.ann.headers });
    expect(JSON.stringify(body)).toContain('did you mean \\"ticket\\"?');

    const socket = await connect(server.url, callers.ann.headers);
    const answer = await socket.ask('subscribe', { model: 'memos' });
    socket.socket.terminate();
    expect(answer).toMatchObject({ status: 'error', message: expect.stringContaining('did you mean "memo"?') });

    const join = (from: string): object[] => [{ $lookup: { from, pipeline: [], as: 'x' } }];
    const joined = async (from: string) => (await server.post('/aggregate/ticket', join(from))).body['err'];
    expect(await joined('citty')).toBe('there is no model "citty" to join; did you mean "city"?');
    expect(await joined('payrol')).toBe('there is no model "payrol" to join');

    const data = { tickts: [{}] };
    expect((await server.post('/setup/data', data, { headers: callers.root.headers })).body['err']).toBe(
      '"tickts" is not a model; did you mean "ticket"?',
    );
  });
});

test('a model that the caller may not see is answered as a name that no model has', async () => {
  for (const path of ['', '/rights'].map((end) => (name: string) => `/model/${name}${end}`)) {
    for (const name of ['tocket', 'tacket']) {
      expect(await server.get(path(name))).toMatchObject(unknown(name, 'ticket'));
      expect(await server.get(path(name), { headers: callers.ann.headers })).toMatchObject(unknown(name, 'ticket'));
    }
    for (const name of ['payroll', 'parrot']) expect(await server.get(path(name))).toMatchObject(unknown(name));
  }
  // leads to the console, which asks with the rights of the user there
  for (const name of ['ticket', 'payroll', 'parrot'])
    expect((await server.get(`/docs/models/${name}`)).status).toBe(302);
  // a right that the caller gets by signing in
  expect(await server.get('/api/memos')).toMatchObject(unknown('memos'));
  expect(await server.get('/api/memos', { headers: callers.ann.headers })).toMatchObject(unknown('memos', 'memo'));
});
