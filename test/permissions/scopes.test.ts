/** Keys with scopes: every operation of the table does what the scopes say, neither more nor less. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Failure } from '../../src/errors/errors.ts';
import { authorisePlain } from '../../src/operations/authorise.ts';
import {
  isClosedToScopes,
  isOfModel,
  isWrite,
  type ModelOperation,
  openAccess,
  type PlainOperation,
} from '../../src/operations/operation.ts';
import { anonymousPrincipal } from '../../src/policy/principal.ts';
import { operationGroups } from '../../src/start/operations.ts';
import type { Sent } from '../support/client.ts';
import { connect } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { type MadeKey, makeKey } from '../support/fixtures/keys.ts';
import { type Caller, openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const model = (perms = `{ user: 'crud' }`): string => `import { Schema } from 'mongoose';
const one = new Schema(
  {
    title: String,
    code: { type: String, unique: true, sparse: true },
    other_id: { type: Schema.Types.ObjectId, link: 'film' },
    secret: { type: String, perms: { admin: 'cru' } },
  },
  { perms: ${perms}, callable_statics: ['run'], advanced_queries: { bulkwrite: true } },
);
one.statics.run = () => 'ran';
export default one;`;

const letters = ['', 'c', 'r', 'u', 'd', 'cr', 'crud'] as const;
/** Ways to say the same of `book`. */
const ways: Readonly<Record<string, (of: string) => object>> = {
  'by its name': (of) => ({ book: of }),
  'by the star': (of) => ({ '*': of }),
  'by its name over the star': (of) => ({ '*': of === '' ? 'crud' : '', book: of }),
};

let server: PeopledServer<'root' | 'eve' | 'ann'>;
/** Eve's keys by way and letters. */
const keys = new Map<string, MadeKey>();
/** Keys for all of what a user may do with models. */
let whole: readonly (readonly [Caller, MadeKey])[];
beforeAll(async () => {
  server = await openPeople(['root', 'eve', 'ann'], {
    models: { book: model(), film: model(), own: model(`{ owner: 'crud', user: 'c' }`) },
    cache: { enabled: true },
  });
  const { eve, root } = server.callers;
  for (const [way, scopes] of Object.entries(ways))
    for (const given of letters) keys.set(`${way} ${given}`, await makeKey(server, eve, { scopes: scopes(given) }));
  const scopes = { '*': 'crud' };
  whole = [
    [eve, await makeKey(server, eve, { scopes })],
    [root, await makeKey(server, root, { scopes })],
  ];
});

const operations = operationGroups.flatMap((group) => group.operations);
const name = ({ http }: { readonly http: { readonly method: string; readonly path: string } }): string =>
  `${http.method} ${http.path}`;
const collection = (of: string) => server.dossier.services.connection.collection(of);

async function newDocument(of = 'books', more: object = {}): Promise<string> {
  const made = await collection(of).insertOne({ title: 'made', _deleted: false, __v: 0, ...more });
  return made.insertedId.toHexString();
}

const pathOf = ({ http: { method, path } }: ModelOperation, of: string, id: string): string =>
  path
    .replace(/:model|:modelname/, of)
    .replace(':method', 'run')
    .replace(':id', id)
    .replace(':path', 'title') + (method === 'PUT' && path === '/api/:model' ? '?on=code' : '');

let codes = 0;

function bodyOf({ http: { method, path } }: ModelOperation): unknown {
  if (method === 'PUT' && path === '/api/:model') return { title: 'x', code: `code ${codes++}` };
  if (path.startsWith('/aggregate')) return [];
  if (path.startsWith('/figure')) return { figure: { of: 'count' } };
  if (path.startsWith('/bulkwrite')) return [{ insertOne: { document: { title: 'x' } } }];
  return path.startsWith('/query') ? { query: {} } : { title: 'x' };
}

/** The letters that an operation needs as it is asked for here. */
function needed({ access, http: { path } }: ModelOperation): string {
  if (access.kind === 'letter') return access.letter;
  return path.startsWith('/call') && path.includes(':id') ? 'cr' : 'c';
}

describe.each(operations.filter(isOfModel).map((row) => [name(row), row] as const))('%s', (_, row) => {
  test.each(Object.keys(ways))('does what the scopes say %s', async (way) => {
    for (const given of letters) {
      const sent: Sent = row.http.method === 'GET' ? {} : { body: bodyOf(row) };
      const key = keys.get(`${way} ${given}`);
      // each row makes the lists of later requests longer
      const id = row.http.path.includes(':id') ? await newDocument() : '';
      const answer = await server.send(row.http.method, pathOf(row, 'book', id), { ...key, ...sent });
      const may = [...needed(row)].every((letter) => given.includes(letter));
      const status = answer.status < 300 ? 'done' : answer.status;
      // the models have no histories, which is found after the rights
      const done = row.hasModel?.(server.dossier.services.registry.get('book')) === false ? 404 : 'done';
      expect({ given, status }).toEqual({ given, status: may ? done : 403 });
      if (way !== 'by its name') continue;
      const elsewhere = await server.send(row.http.method, pathOf(row, 'film', '0'.repeat(24)), { ...key, ...sent });
      expect(elsewhere.status).toBe(403);
    }
  });
});

const plain = operations.filter((row) => !isOfModel(row) && row.isOn === undefined);

describe.each(plain.map((row) => [name(row), row] as const))('%s', (_, row) => {
  test('is closed to a key with scopes, or as open as to its user', async () => {
    if (isOfModel(row)) throw new Error('no operation of models is expected here');
    for (const [caller, key] of whole) {
      const path = row.http.path.replace(':user_id', caller.user_id).replace(/:\w+/g, 'book');
      const sent: Sent = row.http.method === 'GET' ? {} : { body: {} };
      const answer = await server.send(row.http.method, path, { ...key, ...sent });
      if (isClosedToScopes(row)) expect(answer.status).toBe(403);
      else expect(answer.status).toBe((await server.send(row.http.method, path, { ...caller, ...sent })).status);
    }
  });
});

describe('the rows', () => {
  const open = operationGroups.flatMap(({ secret, operations: rows }) =>
    rows.flatMap((row) => (isOfModel(row) || isClosedToScopes(row) ? [] : [{ secret, row }])),
  );

  test('open nothing that gives credentials, takes one of its own, or needs more than to be signed in', () => {
    for (const { secret, row } of open) {
      const { access, ownCredential } = row;
      const guard = access.kind === 'open' ? access.guard : undefined;
      expect([name(row), access.kind, secret, ownCredential, guard]).toEqual([
        name(row),
        expect.stringMatching(/^(open|signedIn)$/),
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  test('open only reads, and writes that consist of operations with letters', () => {
    const writes = open.filter(({ row }) => isWrite(row));
    expect(writes.flatMap(({ row }) => row.parts ?? [row]).filter((part) => !isOfModel(part))).toEqual([]);
    expect(open.some(({ row }) => row.http.path === '/me')).toBe(true);
  });

  test('are closed where they are silent', () => {
    const scopes = new Map([['*', new Set(['c', 'r', 'u', 'd'] as const)]]);
    const key = { ...anonymousPrincipal, scopes };
    const row: PlainOperation = {
      name: 'new.operation',
      http: { method: 'GET', path: '/new' },
      summary: 'Is new',
      access: openAccess('it is new'),
      answers: {},
      run: () => ({ kind: 'redirect', url: '/' }),
    };
    expect(() => authorisePlain(row, key, {})).toThrow(Failure);
    expect(() => authorisePlain({ ...row, openToScopes: true }, key, {})).not.toThrow();
    expect(() => authorisePlain(row, anonymousPrincipal, {})).not.toThrow();
  });
});

describe('scopes hold', () => {
  const keyOf = (scopes: object, of: 'eve' | 'root' = 'eve'): Promise<MadeKey> =>
    makeKey(server, server.callers[of], { scopes });

  test('in links, joins and descriptions', async () => {
    const other_id = (await collection('films').insertOne({ title: 'linked', _deleted: false })).insertedId;
    const id = await newDocument('books', { other_id });
    const [narrow, wide] = [await keyOf({ book: 'r' }), await keyOf({ book: 'r', film: 'r' })];
    const status = async (path: string, key: MadeKey) => (await server.get(path, key)).status;
    expect(await status(`/api/book/${id}?populate=other`, narrow)).toBe(403);
    expect(await status(`/api/book/${id}?populate=other`, wide)).toBe(200);
    for (const [key, linked] of [
      [wide, 'linked'],
      [narrow, undefined],
      [wide, 'linked'],
    ] as const) {
      const { document } = await server.get(`/api/book/${id}?autopopulate=1`, key);
      expect((document['other'] as { title?: string } | undefined)?.title).toBe(linked);
    }
    const join = [{ $lookup: { from: 'film', localField: 'other_id', foreignField: '_id', as: 'films' } }];
    expect((await server.post('/aggregate/book', join, narrow)).status).toBe(403);
    expect((await server.post('/aggregate/book', join, wide)).status).toBe(200);
    const names = async (key: MadeKey) => (await server.get('/model', key)).rows.map((one) => one['name']);
    expect(await names(narrow)).toEqual(['book']);
    expect((await names(wide)).sort()).toEqual(['book', 'film']);
    const { document } = await server.get('/model/book/rights', narrow);
    expect(document['rows']).toEqual({ c: 'none', r: 'all', u: 'none', d: 'none' });
    const paths = Object.keys((await server.get('/openapi.json', narrow)).body['paths'] as object);
    expect(paths).toContain('/api/book/{id}');
    expect(paths.filter((path) => /film|login|groups|cache|setup/.test(path))).toEqual([]);
  });

  test('with row rights and field letters, which stay', async () => {
    const key = await keyOf({ '*': 'crud' });
    const mine = await server.post('/api/own', { title: 'mine' }, key);
    await server.post('/api/own', { title: 'not mine' }, server.callers.ann);
    expect((await server.get('/api/own', key)).rows.map(({ title }) => title)).toEqual(['mine']);
    expect(mine.document['_owner_id']).toBe(server.callers.eve.user_id);
    expect((await server.post('/api/book', { title: 'x', secret: 'y' }, key)).status).toBe(403);
    expect((await server.get('/api/book?filter[secret]=y', key)).status).toBe(400);
    const readOnly = await keyOf({ own: 'r' });
    expect((await server.get('/api/own', readOnly)).rows.map(({ title }) => title)).toEqual(['mine']);
    expect((await server.put(`/api/own/${String(mine.document['_id'])}`, { title: 'x' }, readOnly)).status).toBe(403);
  });

  test('for admins, whose power they narrow', async () => {
    const key = await keyOf({ book: 'r' }, 'root');
    expect((await server.get('/api/book', key)).status).toBe(200);
    expect((await server.get('/api/user', key)).status).toBe(403);
    for (const stage of [{ $out: 'book' }, { $out: 'film' }, { $out: 'elsewhere' }, { $merge: { into: 'film' } }])
      expect((await server.post('/aggregate/book', [stage], key)).status).toBe(403);
    const many = [{ deleteMany: { filter: {} } }];
    expect((await server.post('/bulkwrite/book', many, key)).status).toBe(403);
    const all = await keyOf({ '*': 'crud' }, 'root');
    const updating = [{ updateMany: { filter: { title: 'many' }, update: { title: 'more' } } }];
    expect((await server.post('/bulkwrite/book', updating, all)).status).toBe(200);
    // the database has a collection for it, but no model
    expect((await server.post('/aggregate/book', [{ $out: 'elsewhere' }], all)).status).toBe(403);
    // rights of users are no letters on models
    const { ann } = server.callers;
    await server.put(`/api/user/${ann.user_id}`, { admin: true, groups: ['g'], name: 'annie' }, all);
    const user = (await server.get(`/api/user/${ann.user_id}`, all)).document;
    expect(user).toMatchObject({ name: 'annie', admin: false, groups: [] });
  });

  test('in cached answers', async () => {
    const id = await newDocument('books', { other_id: (await collection('films').findOne({}))?._id });
    const path = `/api/book/${id}?autopopulate=1`;
    const [narrow, wide] = [await keyOf({ book: 'r' }), await keyOf({ '*': 'r' })];
    for (let time = 0; time < 2; time++) {
      expect((await server.get(path, server.callers.eve)).document['other']).toBeDefined();
      expect((await server.get(path, wide)).document['other']).toBeDefined();
      expect((await server.get(path, narrow)).document['other']).toBeUndefined();
    }
  });

  test('over other credentials of the request', async () => {
    const [book, film] = [await keyOf({ book: 'r' }), await keyOf({ film: 'r' })];
    const { eve } = server.callers;
    const both = { headers: { ...eve.headers, ...book.headers } };
    expect((await server.get('/api/book', both)).status).toBe(200);
    expect((await server.get('/api/film', both)).status).toBe(403);
    expect((await server.post('/login/keys', { name: 'x' }, both)).status).toBe(403);
    expect((await server.get(`/api/book?apikey=${film.key}`, book)).status).toBe(401);
    expect((await server.get(`/api/film?apikey=${eve.apikey}`, book)).status).toBe(403);
    const login = { email: eve.email, password: eve.password };
    expect((await server.post('/login', login, book)).status).toBe(403);
  });

  test.each([
    ['the key, then a token', ['key', 'token']],
    ['a token, then the key', ['token', 'key']],
    ['the key between tokens', ['token', 'key', 'token']],
    ['the key, then email and password', ['key', 'password']],
    ['the key, then the permanent key', ['key', 'apikey']],
    ['the key twice', ['key', 'key', 'token']],
    ['the key with many', ['key', 'token', 'apikey', 'password', 'token']],
    ['a ticket, then the key', ['ticket', 'key', 'token']],
  ] as const)('on a socket that has signed in by %s', async (_, order) => {
    const { eve, ann } = server.callers;
    const [{ key }, other] = [await keyOf({ book: 'r' }), await keyOf({ film: 'r' })];
    const ways = {
      key: { apikey: key },
      token: { token: eve.token },
      apikey: { apikey: eve.apikey },
      password: { email: eve.email, password: eve.password },
    };
    const { ticket } = (await server.post('/login/ticket', {}, eve)).body as { ticket: string };
    const socket = await connect(server.url, {}, order[0] === 'ticket' ? `?ticket=${ticket}` : '');
    for (const way of order)
      if (way !== 'ticket')
        expect(await socket.ask('auth', ways[way])).toMatchObject({ status: 'okay', result: { user_id: eve.user_id } });
    expect(await socket.ask('subscribe', { model: 'film' })).toMatchObject({ status: 'error' });
    expect(await socket.ask('subscribe', { model: 'book' })).toMatchObject({ status: 'okay' });
    for (const refused of [{ token: ann.token }, { apikey: other.key }, { apikey: other.key, token: eve.token }])
      expect(await socket.ask('auth', refused)).toMatchObject({ status: 'error' });
    expect(await socket.ask('subscribe', { model: 'film' })).toMatchObject({ status: 'error' });
    socket.socket.terminate();
  });

  test('on a socket whose upgrade is signed in by the key, which ends with the key', async () => {
    const made = await keyOf({ book: 'r' });
    const socket = await connect(server.url, made.headers);
    expect(await socket.ask('auth', { token: server.callers.eve.token })).toMatchObject({ status: 'okay' });
    expect(await socket.ask('subscribe', { model: 'film' })).toMatchObject({ status: 'error' });
    await server.remove(`/login/keys/${made.id}`, server.callers.eve);
    expect(await socket.closed()).toBe(1008);
  });

  test('over what a socket has subscribed to before', async () => {
    const socket = await connect(server.url, { authorization: `Bearer ${server.callers.eve.token}` });
    for (const model of ['film', 'book']) await socket.ask('subscribe', { model });
    expect(await socket.ask('auth', { apikey: (await keyOf({ book: 'r' })).key })).toMatchObject({ status: 'okay' });
    await server.post('/api/film', { title: 'out of scope' }, server.callers.eve);
    await server.post('/api/book', { title: 'in scope' }, server.callers.eve);
    await socket.until(1);
    expect(socket.events()).toEqual([['post', 'in scope']]);
    socket.socket.terminate();
  });

  test('in event streams and sockets', async () => {
    const [book, writes] = [await keyOf({ book: 'r' }), await keyOf({ film: 'cud' })];
    expect((await listen(`${server.url}/events/film`, book.headers)).status).toBe(403);
    expect((await listen(`${server.url}/events/film`, writes.headers)).status).toBe(403);
    const stream = await listen(`${server.url}/events/book`, book.headers);
    const socket = await connect(server.url);
    expect(await socket.ask('auth', { apikey: book.key })).toMatchObject({ status: 'okay' });
    expect(await socket.ask('subscribe', { model: 'film' })).toMatchObject({ status: 'error' });
    expect(await socket.ask('subscribe', { model: 'book' })).toMatchObject({ status: 'okay' });
    await server.post('/api/film', { title: 'unheard' }, server.callers.eve);
    await server.post('/api/book', { title: 'received' }, server.callers.eve);
    await Promise.all([socket.until(1), stream.until(1)]);
    expect([socket.events(), stream.events()]).toEqual([[['post', 'received']], [['post', 'received']]]);
    await server.remove(`/login/keys/${book.id}`, server.callers.eve);
    expect([await socket.closed(), await stream.ended()]).toEqual([1008, 'closed']);
  });
});
