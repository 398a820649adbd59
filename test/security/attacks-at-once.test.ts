/** Twenty of each known attack on the time of the server at once, and on what it shows: each is answered as it should be, and others are served meanwhile. */
import http from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openRoutes, routeFile, type RoutesWorld } from '../routes/world.ts';
import { expectShortBlocks } from '../support/loop-blocks.ts';

/** Hidden values contain this text. */
const mark = 'HIDDEN';

const schema = (fields: string, options: string): string =>
  `const { Schema } = require('mongoose'); module.exports = new Schema({ ${fields} }, { ${options} });`;
const models = {
  'doc.js': schema('title: String, tags: [String], meta: {}', `perms: { admin: 'crud' }, history: true`),
  'row.js': schema('n: Number, title: String', `perms: { admin: 'crud', all: 'r' }`),
  'order.js': schema(
    'title: String, parts: [{ name: String, size: Number }]',
    `perms: { admin: 'crud' }, advanced_queries: { bulkwrite: true }`,
  ),
  'saved.js': `${schema('title: String, parts: [{ name: String, size: Number }]', `perms: { admin: 'crud' }`)}
    module.exports.pre('save', function () { this.title = 'saved'; });`,
  'computed.js': `${schema(`n: Number, row_id: { type: 'ObjectId', link: 'row' }`, `perms: { all: 'r' }`)}
    module.exports.virtual('twice').get(function () { return this.n * 2; });`,
  'shop.js': schema('title: String', `perms: { user: 'crud' }, on_referenced_delete: 'refuse'`),
  'closed.js': schema(`shop_id: { type: 'ObjectId', link: 'shop' }`, `perms: { press: 'crud' }`),
  'vault.js': schema(
    `title: String, phone: { type: String, perms: { admin: 'cru' } }, password: { type: String, alias: 'pin' }`,
    `perms: { all: 'r', admin: 'crud' }`,
  ),
};

const routes = {
  attacked: routeFile(`
    const kind = (name) => ({ type: 'object', required: [name], properties: { [name]: { type: 'number' } } });
    const taking = (name, body) => defineRoute({ method: 'POST', path: '/' + name, access: 'all', body, handler: () => 'taken' });
    const reading = (name, handler) => defineRoute({ method: 'GET', path: '/' + name, access: 'all', handler });
    export default [
      taking('texts', { type: 'array', items: { type: 'string' } }),
      taking('kinds', { type: 'array', items: { anyOf: [...'abcdefgh'].map(kind) } }),
      reading('vaults', ({ api }) => api.as('system').model('vault').list()),
      reading('dots', ({ api }) => api.model('row').one('..')),
    ];
  `),
};

const atOnce = 20;
/** How much longer than the reading of one body others may wait. */
const maxRatio = 20;

interface Answered {
  readonly status: number;
  /** Of a large answer, its beginning. */
  readonly text: string;
}

interface Attack {
  readonly send: (at: number) => Promise<Answered>;
  readonly status: number;
  /** What no answer contains. */
  readonly hides?: string;
  /** What each answer contains. */
  readonly says?: string;
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (at: number) => unknown): object =>
  Object.fromEntries(times(count, (at) => [`k${at}`, make(at)]));

let world: RoutesWorld;
let root: Readonly<Record<string, string>> = {};
let eve: Readonly<Record<string, string>> = {};
/** Documents with 4,999 values, of which one has two revisions; one with 20 revisions of 900 values; a shop that another model links to. */
let [docs, changed, long, shop]: [readonly string[], string, string, string] = [[], '', '', ''];

type Sent = Readonly<Record<string, string>>;

/** A request whose answer is not parsed, which would hold up the server in this process. */
function ask(method: string, path: string, headers: Sent = root, body?: string): Promise<Answered> {
  return new Promise((done, failed) => {
    const length = String(Buffer.byteLength(body ?? ''));
    const ofBody = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': length };
    const request = http.request(world.url + path, { method, headers: { ...ofBody, ...headers } }, (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => {
        if (text.length < 10_000) text += piece.toString();
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', failed);
    request.end(body);
  });
}

/** A request whose body is written once, for all that send it. */
function sending(method: string, path: (at: number) => string, body: unknown, headers?: Sent): Attack['send'] {
  let text: string | undefined;
  return (at) => ask(method, path(at), { ...root, ...headers }, (text ??= JSON.stringify(body)));
}

const post = (path: string, body: unknown, headers?: Sent): Attack['send'] =>
  sending('POST', () => path, body, headers);
const get =
  (path: () => string, headers?: Sent): Attack['send'] =>
  () =>
    ask('GET', path(), headers);
const toDoc = (at: number): string => `/api/doc/${docs[at] ?? ''}`;
const calling = (name: string, given: object): unknown => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: given },
});

beforeAll(async () => {
  world = await openRoutes(routes, {
    models,
    mcp: 'write',
    trust_proxy: 1,
    query_limits: { max_time_ms: 120_000, max: 20_000 },
    throttle: { enabled: true, max: 10_000_000, login_max: 10 },
  });
  [root, eve] = [world.basic('root'), world.basic('eve')];
  const system = world.dossier.api.as('system');
  const made = async (model: string, values: object): Promise<string> =>
    String((await system.model(model).create(values as never))['_id']);
  const meta = (count: number, by: number): object => ({ meta: { a: named(count, (at) => at + by) } });
  docs = await Promise.all(times(atOnce, () => made('doc', meta(4999, 0))));
  changed = await made('doc', meta(4999, 0));
  await system.model('doc').set(changed, meta(4999, 1) as never);
  long = await made('doc', meta(900, 0));
  for (let rev = 1; rev < 20; rev++) await system.model('doc').set(long, meta(900, rev) as never);
  shop = await made('shop', { title: 'a' });
  await made('closed', { shop_id: shop });
  await made('vault', { title: 'shown', phone: mark, password: 'a long enough passphrase' });
  const rows = times(12_000, (n) => ({ n, title: `row ${n}`, _deleted: false }));
  const { connection } = world.dossier.services;
  const { insertedIds } = await connection.collection('rows').insertMany(rows);
  const linking = times(3000, (n) => ({ n, row_id: insertedIds[n], _deleted: false }));
  await connection.collection('computeds').insertMany(linking);
}, 120_000);

const empty = times(60_000, () => ({}));
const members = times(4900, (at) => ({ name: `n${at}`, size: at }));
const ofOther = { from: 'another host', host: 'evil.example', origin: 'http://evil.example' };

const attacks: Readonly<Record<string, Attack>> = {
  'new documents of 4,999 values': {
    send: post('/api/doc', { meta: { a: named(4999, (at) => at) } }),
    status: 201,
  },
  'changes of all their values': {
    send: sending('PUT', toDoc, { meta: { a: named(4999, (at) => -at) } }),
    status: 200,
  },
  'their second revision': { send: get(() => `/history/doc/${changed}/2`), status: 200 },
  'twenty revisions of 900 values': { send: get(() => `/history/doc/${long}?limit=100`), status: 200 },
  'patches of 900 values': {
    send: sending(
      'PATCH',
      toDoc,
      times(900, (at) => ({ op: 'replace', path: `/meta/a/k${at}`, value: -at })),
      { 'content-type': 'application/json-patch+json' },
    ),
    status: 200,
  },
  'merge patches of 900 values': {
    send: sending(
      'PATCH',
      toDoc,
      { meta: { a: named(900, (at) => at + 2) } },
      { 'content-type': 'application/merge-patch+json' },
    ),
    status: 200,
  },
  'empty objects': { send: post('/api/doc', { meta: empty }), status: 400 },
  'empty branches of a filter': { send: post('/bulkwrite/order', empty), status: 400 },
  'unknown names': {
    send: post(
      '/api/order',
      named(24_000, (at) => at),
    ),
    status: 400,
  },
  'documents in a list': { send: post('/api/order', { parts: members }), status: 201 },
  'documents in a list of a model with middleware': { send: post('/api/saved', { parts: members }), status: 201 },
  'bulk writes of documents in lists': {
    send: post(
      '/bulkwrite/order',
      times(4, () => ({ insertOne: { document: { parts: members } } })),
    ),
    status: 200,
  },
  'lists of computed rows': { send: get(() => '/api/computed?limit=3000&populate=row'), status: 200 },
  'descriptions of the operations': { send: get(() => '/openapi.json'), status: 200 },
  'snapshots of 12,000 rows': { send: get(() => '/changes/row?limit=20000'), status: 200 },
  'bodies with 200,000 faults': {
    send: post(
      '/texts',
      times(200_000, () => 0),
    ),
    status: 400,
    says: 'Validation failed',
  },
  'alternatives of 60,000 objects': {
    send: post(
      '/kinds',
      times(60_000, () => ({ x: 1 })),
    ),
    status: 400,
    says: 'Validation failed',
  },
  'documents that an agent creates': {
    send: post('/mcp', calling('create', { model: 'doc', document: { meta: { a: named(20_000, (at) => at) } } })),
    status: 200,
    says: 'larger than',
  },
  'an agent of another host': { send: post('/mcp', calling('list_models', {}), ofOther), status: 403 },
  'an id of dots from an agent': {
    send: post('/mcp', calling('get', { model: 'row', id: '..' })),
    status: 200,
    says: '"isError":true',
  },
  'an id of dots in a route': { send: get(() => '/dots'), status: 400 },
  'an alias of a password': { send: get(() => '/api/vault?fields=pin'), status: 400 },
  'what a route reads as the system': { send: get(() => '/vaults', {}), status: 200, hides: mark, says: 'shown' },
  'refused cascades': {
    send: () => ask('DELETE', `/api/shop/${shop}?_cascade=1`, eve),
    status: 403,
    hides: 'closed',
  },
  'refused deletions': { send: () => ask('DELETE', `/api/shop/${shop}`, eve), status: 409, hides: 'shop_id' },
};

/** Makes an attack while `/health` is asked for, one time after the other. @param count how many requests it sends at once */
async function answersOf({ send }: Pick<Attack, 'send'>, count = atOnce): Promise<readonly Answered[]> {
  let isDone = false;
  const attack = Promise.all(times(count, send)).finally(() => (isDone = true));
  // its failure is reported at the end
  attack.catch(() => undefined);
  const health = [await ask('GET', '/health', {})];
  while (!isDone) health.push(await ask('GET', '/health', {}));
  expect(new Set(health.map(({ status }) => status))).toEqual(new Set([200]));
  return attack;
}

describe('others are served during twenty at once of', () => {
  test.each(Object.entries(attacks))(
    '%s',
    (_, attack) =>
      expectShortBlocks(maxRatio, async () => {
        const answers = await answersOf(attack);
        const asExpected = times(atOnce, () => attack.status);
        expect(answers.map(({ status, text }) => (status === attack.status ? status : text))).toEqual(asExpected);
        for (const { text } of answers) {
          if (attack.says !== undefined) expect(text).toContain(attack.says);
          if (attack.hides !== undefined) expect(text).not.toContain(attack.hides);
        }
      }),
    120_000,
  );
});

test('others are served while a hundred batches of a megabyte arrive at once', async () => {
  const body = (at: number): object => ({ title: 'x'.repeat(9000), parts: [{ name: String(at) }] });
  const operations = times(100, (at) => ({ method: 'POST', path: '/api/order', body: body(at) }));
  const send = post('/batch', { operations });
  // a hundred bodies are read at nearly the same time, so that the longest block is close to thirty readings on slow and loaded machines
  await expectShortBlocks(2 * maxRatio, async () => {
    const statuses = new Set((await answersOf({ send }, 100)).map(({ status }) => status));
    expect(statuses).toContain(200);
    // the places of heavy requests are taken
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });
}, 120_000);

test('the ports that a proxy appends make no addresses: guesses are counted together', async () => {
  const guess = (at: number): Promise<Answered> =>
    ask('GET', '/api/doc', {
      ...{ authorization: `Basic ${Buffer.from(`guessed@example.com:guess${at}`).toString('base64')}` },
      'x-forwarded-for': `192.0.2.99:${10_001 + at}`,
    });
  await Promise.all(times(atOnce, guess));
  expect((await guess(atOnce)).status).toBe(429);
});
