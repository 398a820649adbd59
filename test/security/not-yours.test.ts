/** Changing a document that the caller may read but not change is a 403; one that they may not read is a 404, as if it did not exist. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Sent } from '../support/client.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  open: ({ Schema }: any) =>
    new Schema(
      { title: String },
      {
        perms: { all: 'r', owner: 'crud' },
        callable_statics: { rename: 'u', show: 'r' },
        statics: { rename: () => 'renamed', show: () => 'shown' },
      },
    ),
  closed: ({ Schema }: any) => new Schema({ title: String }, { perms: { owner: 'crud' } }),
  blind: ({ Schema }: any) => new Schema({ title: String }, { perms: { user: 'ud', owner: 'c' } }),
  parcel: ({ Schema }: any) => new Schema({ title: { type: String, unique: true } }, { perms: { user: 'd' } }),
  order: ({ Schema }: any) =>
    new Schema({ price: { type: Number, perms: { admin: 'cru' } } }, { perms: { user: 'cru' } }),
};

let server: TestServer;
let eve: Sent;
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startServer({
    models,
    pre_hooks: {
      put: (req: any, _res: unknown, next: () => void) => {
        if (req.headers['x-narrow'] !== undefined) req.dossier.filter = { title: 'another' };
        next();
      },
    },
  });
  const root = await makeRoot(server);
  const signedUp = async (name: string): Promise<Sent> => {
    const user = { email: `${name}@x.test`, password: `pw-${name}-1` };
    await server.post('/api/user', user, root);
    return { headers: { authorization: `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}` } };
  };
  const ann = await signedUp('ann');
  eve = await signedUp('eve');
  const make = async (name: string, model: string, as: Sent): Promise<void> => {
    const { status, body } = await server.post(`/api/${model}`, { title: name }, as);
    expect(status).toBe(201);
    ids[name] = (body.data as { _id: string })._id;
  };
  for (const model of ['open', 'closed']) {
    await make(`${model}OfAnn`, model, ann);
    await make(`${model}OfEve`, model, eve);
  }
  await make('gone', 'open', ann);
  await server.remove(`/api/open/${ids['gone']}`, ann);
});

const none = '0123456789abcdef01234567';
const writes: readonly [string, string, unknown][] = [
  ['PUT', '/api', { title: 'x' }],
  ['PUT', '/update', { title: 'x' }],
  ['POST', '/update', { title: 'x' }],
  ['PUT', '/api', { _deleted: true }],
  ['PUT', '/api', { _deleted: false }],
  ['DELETE', '/api', undefined],
];

describe.each(writes)('%s %s %j', (method, group, body) => {
  const statusOf = async (model: string, id: string | undefined, sent: Sent = eve, query = ''): Promise<number> =>
    (await server.send(method, `${group}/${model}/${id}${query}`, { ...sent, ...(body === undefined ? {} : { body }) }))
      .status;

  test('of a document that the caller may read but not change is a 403', async () => {
    expect(await statusOf('open', ids['openOfAnn'])).toBe(403);
    const stale = { headers: { ...eve.headers, 'if-match': '"0-1"' } };
    expect(await statusOf('open', ids['openOfAnn'], stale)).toBe(403);
    const { body: read } = await server.get(`/api/open/${ids['openOfAnn']}`);
    expect(read.data).toMatchObject({ title: 'openOfAnn', _deleted: false });
  });

  test('of a document that the caller may not read is a 404', async () => {
    expect(await statusOf('closed', ids['closedOfAnn'])).toBe(404);
    expect(await statusOf('closed', none)).toBe(404);
    expect(await statusOf('open', none)).toBe(404);
    expect(await statusOf('open', ids['gone'])).toBe(404);
    expect(await statusOf('blind', none)).toBe(404);
  });

  test('without signing in is a 401, whether the document exists or not', async () => {
    expect(await statusOf('open', ids['openOfAnn'], {})).toBe(401);
    expect(await statusOf('open', none, {})).toBe(401);
  });
});

test('a cascade and a permanent deletion are a 403, too', async () => {
  const answers = [
    await server.remove(`/api/open/${ids['openOfAnn']}?_cascade=1`, eve),
    await server.remove(`/api/open/${ids['openOfAnn']}?_permaDelete=1`, eve),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  expect(answers[0]?.body).toMatchObject({
    message: 'Forbidden',
    err: 'this open is not yours to delete',
    errors: [{ path: '_id', kind: 'd', message: 'this open is not yours to delete' }],
  });
});

test.each<[what: string, send: (id: string) => Promise<Answer>, err: string, errors: object | undefined]>([
  [
    'a change',
    (id) => server.put(`/api/open/${id}`, { title: 'x' }, eve),
    'this open is not yours to change',
    { kind: 'u' },
  ],
  ['a list', () => server.get('/api/parcel', eve), 'you may not read parcels', undefined],
  ['a creation', () => server.post('/api/parcel', { title: 'x' }, eve), 'you may not create parcels', undefined],
  [
    'an upsert',
    () => server.put('/api/parcel?on=title', { title: 'x' }, eve),
    'you may not create or change parcels',
    undefined,
  ],
  [
    'a path',
    (id) => server.put(`/api/order/${id}`, { price: 1 }, eve),
    'you may not write price of orders',
    { path: 'price', message: 'price may not be written by you' },
  ],
])('the refusal of %s is in words, without letters', async (_what, refused, err, errors) => {
  const { status, body } = await refused(ids['openOfAnn'] ?? '');
  expect([status, body['err']]).toEqual([403, err]);
  if (errors !== undefined) expect(body['errors']).toMatchObject([errors]);
});

test('a document that a pre-hook hides is a 404', async () => {
  const narrowed = { headers: { ...eve.headers, 'x-narrow': '1' } };
  expect((await server.put(`/api/open/${ids['openOfAnn']}`, { title: 'x' }, narrowed)).status).toBe(404);
});

test('a function that writes is a 403, one that reads runs', async () => {
  const call = async (name: string, id = 'openOfAnn'): Promise<number> =>
    (await server.post(`/call/open/${ids[id]}/${name}`, {}, eve)).status;
  expect([await call('rename'), await call('show'), await call('rename', 'openOfEve')]).toEqual([403, 200, 200]);
});

test('own documents are changed and deleted', async () => {
  expect((await server.put(`/api/open/${ids['openOfEve']}`, { title: 'mine' }, eve)).status).toBe(200);
  expect((await server.remove(`/api/closed/${ids['closedOfEve']}`, eve)).status).toBe(200);
});
