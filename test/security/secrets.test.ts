/**
 * A marked password is stored in every path that can hold one, then every endpoint is called: neither the mark nor the hash is in
 * any answer or log line.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { operationGroups } from '../../src/start/operations.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { checkContent } from '../support/scenario.ts';

const safe = `import { Schema } from 'mongoose';
const safe = new Schema(
  {
    title: String,
    password: String,
    login: { Password: String },
    logins: [{ PASSWORD: String, site: String }],
    meta: Schema.Types.Mixed,
    map: { type: Map, of: new Schema({ password: String, keep: String }, { _id: false }) },
    self_id: { type: Schema.Types.ObjectId, link: 'safe' },
    user_id: { type: Schema.Types.ObjectId, link: 'user' },
  },
  { perms: { all: 'crud' }, callable_statics: { rows: 'r' }, advanced_queries: { bulkwrite: true } },
);
safe.statics.rows = function () { return this.find({}); };
safe.virtual('shout').get(function () { return String(this.title).toUpperCase(); });
export default safe;`;

const mark = 'CANARY-PW';
const body = (self?: string): object => ({
  title: 'safe',
  password: mark,
  login: { Password: mark },
  logins: [{ PASSWORD: mark, site: 's' }],
  meta: { password: mark, list: [{ pAssword: mark }], deep: { er: [[{ password: mark }]] } },
  map: { a: { password: mark, keep: 'kept' } },
  ...(self === undefined ? {} : { self_id: self }),
});

let world: World;
let id: string;
beforeAll(async () => {
  world = await openWorld({ more: { safe, lean: safe.replace(/safe\.virtual.*\n/, '') } });
  for (const model of ['safe', 'lean']) {
    const first = await world.as('root', 'POST', `/api/${model}`, { body: body() });
    const second = await world.as('root', 'POST', `/api/${model}`, { body: body(String(first.document['_id'])) });
    expect(second.status).toBe(201);
    id = String(second.document['_id']);
    for (const answer of [first, second]) checkContent(answer, [mark]);
  }
});

const queries = [
  '',
  '?populate=self',
  '?autopopulate=1',
  '?fields=login,logins,meta,map,password',
  '?fields=-title',
  '?showDeleted=1&sort=-title',
  '?populate[self]=password,login,map',
];

/** The endpoints whose answers end; event streams are tested with the events. */
const ending = operationGroups
  .flatMap(({ operations }) => operations.map(({ http }) => http))
  .filter(({ path }) => !path.startsWith('/events'));

test.each(ending.map((row) => [row.method, row.path] as const))(
  '%s %s',
  async (method, path) => {
    // paths without a model are the same for each
    const called = new Set<string>();
    for (const [nth, model] of ['safe', 'lean', 'user'].entries())
      for (const [at, query] of queries.entries()) {
        // what is written is answered alike whatever the query says: each is tried with one of the models
        if (method !== 'GET' && /^\/(api|update|bulkwrite)\//.test(path) && at > 0 && at % 3 !== nth) continue;
        const target = path
          .replace(/:model|:modelname/, model)
          .replace(':method', 'rows')
          .replace(':user_id', world.ids['bob'] ?? '')
          .replace(':id', model === 'user' ? (world.ids['bob'] ?? '') : id)
          .replace(/:\w+/g, 'x');
        if (/^\/(login|logout|setup|groups|openapi|docs)/.test(target) && query !== '') continue;
        if (called.has(target + query)) continue;
        called.add(target + query);
        const sent = method === 'GET' ? {} : { body: bodyFor(path) };
        const { status, headers, text } = await world.as('root', method, `${target}${query}`, sent);
        // this server has no page that verifies emails
        if (target !== '/login/verify/send') expect(status).not.toBe(500);
        expect(text).not.toMatch(/\$2[aby]\$\d\d\$/);
        expect([...headers].join()).not.toMatch(/\$2[aby]\$\d\d\$/);
        expect(text).not.toContain(mark);
      }
  },
  180_000,
);

function bodyFor(path: string): unknown {
  if (path.startsWith('/aggregate'))
    return [{ $project: { all: '$$ROOT', one: '$password', two: '$login.Password', meta: 1, map: 1 } }];
  if (path.startsWith('/bulkwrite')) return [{ updateOne: { filter: { title: 'safe' }, update: { $set: body() } } }];
  if (path.startsWith('/query')) return { query: {} };
  if (path === '/setup/data') return { safe: [body()] };
  return body();
}

test('no log line contains the mark or a hash', () => {
  expect(world.log.length).toBeGreaterThan(50);
  const lines = world.log.join('');
  expect(lines).not.toContain(mark);
  expect(lines).not.toMatch(/\$2[aby]\$\d\d\$/);
});

test('the database stores only hashes', async () => {
  for (const name of ['safes', 'leans'])
    for (const row of await world.dossier.services.connection.collection(name).find({}).toArray())
      expect(JSON.stringify(row)).not.toContain(mark);
});
