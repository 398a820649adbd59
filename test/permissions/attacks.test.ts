/**
 * Attacks on row rules: what a caller's own document may hold, what else may change what they see, and answers of
 * before (docs/permissions.md).
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { connect } from '../support/connection.ts';
import { type Callers, makeCallers, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Person = 'root' | 'ann' | 'bob';
let server: TestServer;
let callers: Callers<Person>;

const rules = {
  eq: `{ team: '$user.any' }`,
  ne: `{ team: { $ne: '$user.any' } }`,
  in: `{ team: { $in: '$user.any' } }`,
  nin: `{ team: { $nin: '$user.any' } }`,
  not: `{ team: { $not: { $eq: '$user.any' } } }`,
  nor: `{ $nor: [{ team: '$user.any' }, { title: 'x' }] }`,
  or: `{ $or: [{ team: '$user.any' }, { title: 'free' }] }`,
} as const;

beforeAll(async () => {
  const model = (where: string): string =>
    `export default ({ Schema }) => new Schema({ title: String, team: String },
      { perms: { user: { r: { where: ${where} } } } });`;
  server = await startServer({
    cache: { enabled: true, ttl: 300 },
    models: {
      ...Object.fromEntries(Object.entries(rules).map(([name, where]) => [`${name}.ts`, model(where)])),
      // what is read and what is changed are different rows
      'apart.ts': `const mine = { where: { team: '$user.any' } };
        export default ({ Schema }) => new Schema({ title: String, team: String },
          { perms: { user: { r: mine, u: { where: { title: 'free' } }, d: { where: { title: 'free' } } } } });`,
      'reserved.ts': `export default ({ Schema }) => new Schema({ title: String }, { perms: { admin: 'crud' } });`,
      'named.ts': `export default ({ Schema }) => new Schema({ _id: String, team: String },
          { perms: { user: { r: { where: { team: '$user.team' } } } } });`,
      'user.ts': `export default ({ Schema, Mixed }) => new Schema({
        name: String, any: { type: Mixed, perms: { admin: 'cru', owner: 'r' } },
        team: { type: String, perms: { admin: 'cru', owner: 'r' } } },
        { perms: { admin: 'crud', owner: 'ru' } });`,
      'doc.ts': `const mine = { where: { team: '$user.team' } };
        export default ({ Schema, ObjectId }) => {
          const schema = new Schema({ title: String, team: String, doc_id: { type: ObjectId, link: 'doc' } },
            { perms: { user: { c: mine, r: mine, u: mine, d: mine } }, check_links: true,
              callable_statics: { touch: 'u' }, advanced_queries: { bulkwrite: true } });
          schema.statics.touch = (document) => document.title;
          return schema;
        };`,
    },
  });
  callers = await makeCallers(server, ['root', 'ann', 'bob']);
  for (const name of Object.keys(rules))
    for (const [title, team] of [
      ['a', 'a'],
      ['b', 'b'],
      ['free', null],
    ])
      expect((await server.post(`/api/${name}`, { title, team }, callers.root)).status).toBe(201);
});

const become = async (who: Person, body: Document): Promise<void> => {
  const done = await server.put(`/api/user/${callers[who].user_id}`, body, callers.root);
  if (done.status !== 200) throw new Error(done.text);
};
const titles = async (model: string, query = ''): Promise<string> =>
  (await server.get(`/api/${model}?sort=title${query}`, callers.ann)).rows.map(({ title }) => title).join();

describe("a path of the caller's document that holds", () => {
  const held: readonly (readonly [string, unknown, Record<keyof typeof rules, string>])[] = [
    ['a text', 'a', { eq: 'a', ne: 'b,free', in: 'a', nin: 'b,free', not: 'b,free', nor: 'b,free', or: 'a,free' }],
    ['a list', ['a', 'b'], { eq: '', ne: '', in: 'a,b', nin: 'free', not: '', nor: '', or: 'free' }],
    ['an empty list', [], { eq: '', ne: '', in: '', nin: 'a,b,free', not: '', nor: '', or: 'free' }],
    ['null', null, { eq: '', ne: '', in: '', nin: '', not: '', nor: '', or: 'free' }],
    ['an operator', { $ne: 'x' }, { eq: '', ne: '', in: '', nin: '', not: '', nor: '', or: 'free' }],
    ['a list with null', ['a', null], { eq: '', ne: '', in: 'a', nin: '', not: '', nor: '', or: 'free' }],
    ['a list with an operator', [{ $exists: true }], { eq: '', ne: '', in: '', nin: '', not: '', nor: '', or: 'free' }],
  ];
  test.each(held)('%s is a value', async (_, value, seen) => {
    const { connection, auth } = server.dossier.services;
    // operators cannot be stored through the API
    await connection.collection('users').updateOne({ name: 'ann' }, { $set: { any: value } });
    await auth.principalOfUser(callers.ann.user_id);
    await become('ann', { name: 'ann' });
    for (const [model, expected] of Object.entries(seen))
      expect([model, await titles(model)]).toEqual([model, expected]);
  });

  test('nothing matches nothing', async () => {
    const { connection } = server.dossier.services;
    await connection.collection('users').updateOne({ name: 'ann' }, { $unset: { any: 1 } });
    await become('ann', { name: 'ann' });
    for (const model of Object.keys(rules))
      expect([model, await titles(model)]).toEqual([model, model === 'or' ? 'free' : '']);
    const { document } = await server.post('/api/apart', { title: 'free', team: 'a' }, callers.root);
    const path = `/api/apart/${String(document['_id'])}`;
    expect((await server.put(path, { team: 'b' }, callers.ann)).status).toBe(404);
    expect((await server.send('DELETE', path, callers.ann)).status).toBe(404);
  });
});

test('a group that the database has under the name of a role gives nothing', async () => {
  const { connection } = server.dossier.services;
  const groups = ['admin', 'owner', 'all', 'user'];
  await connection.collection('users').updateOne({ name: 'ann' }, { $set: { groups } });
  await become('ann', { name: 'ann' });
  expect((await server.get('/api/reserved', callers.ann)).status).toBe(403);
  await connection.collection('users').updateOne({ name: 'ann' }, { $set: { groups: [] } });
  await become('ann', { name: 'ann' });
});

describe('what decides the rows', () => {
  let first: string;
  beforeAll(async () => {
    await become('ann', { team: 'red' });
    await become('bob', { team: 'blue' });
    for (const [title, team] of [
      ['R', 'red'],
      ['B', 'blue'],
    ]) {
      const made = await server.post('/api/doc', { title, team }, callers.root);
      if (title === 'R') first = String(made.document['_id']);
    }
    for (const [_id, team] of [
      ['in', 'red'],
      ['out', 'blue'],
    ])
      expect((await server.post('/api/named', { _id, team }, callers.root)).status).toBe(201);
  });

  test('cannot be changed by its owner', async () => {
    const own = `/api/user/${callers.ann.user_id}`;
    for (const body of [{ team: 'blue' }, { any: ['blue'] }, { 'any.0': 'blue' }])
      expect((await server.put(own, body, callers.ann)).status).toBe(403);
    expect(await titles('doc')).toBe('R');
  });

  test('leaves a row with an id of text missing', async () => {
    expect((await server.get('/api/named/out', callers.ann)).status).toBe(404);
    expect((await server.get('/api/named/in', callers.ann)).status).toBe(200);
  });

  test('holds at once in cached answers, counts, ETags and functions', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await titles('doc')).toBe('R');
      const before = await server.get('/api/doc?sort=title', callers.ann);
      expect((await server.post(`/call/doc/${first}/touch`, {}, callers.ann)).status).toBe(200);
      await become('ann', { team: 'blue' });
      expect(await titles('doc')).toBe('B');
      const conditional = { headers: { ...callers.ann.headers, 'if-none-match': before.headers.get('etag') ?? '' } };
      expect((await server.get('/api/doc?sort=title', conditional)).status).toBe(200);
      expect((await server.get('/count/doc', callers.ann)).body).toEqual({ count: 1 });
      expect((await server.post(`/call/doc/${first}/touch`, {}, callers.ann)).status).toBe(404);
      await become('ann', { team: 'red' });
    }
  });

  test('cannot be reached by links, cascades, bulk writes and upserts', async () => {
    const linked = await server.post('/api/doc', { title: 'L', team: 'blue', doc_id: first }, callers.root);
    const others = String(linked.document['_id']);
    expect((await server.post('/api/doc', { title: 'x', team: 'red', doc_id: others }, callers.ann)).status).toBe(400);
    expect((await server.post('/api/doc', { title: 'x', team: 'blue', doc_id: others }, callers.bob)).status).toBe(201);
    expect((await server.get('/api/doc?populate=doc', callers.bob)).text).not.toContain('"title":"R"');
    expect((await server.remove(`/api/doc/${first}?_cascade=1`, callers.ann)).status).toBe(403);
    const write = (operation: Document) => server.post('/bulkwrite/doc', [operation], callers.ann);
    const by = { filter: { title: 'L' } };
    expect((await write({ updateOne: { ...by, update: { $set: { team: 'red' } } } })).body).toMatchObject({
      data: { nMatched: 0 },
    });
    expect((await write({ deleteOne: by })).body).toMatchObject({ data: { nRemoved: 0 } });
    const mine = { filter: { title: 'R' } };
    for (const operation of [
      { updateOne: { ...mine, update: { $set: { team: 'blue' } } } },
      { updateOne: { ...mine, update: { $unset: { team: 1 } } } },
      { replaceOne: { ...mine, replacement: { title: 'R', team: 'blue' } } },
      { insertOne: { document: { title: 'x', team: 'blue' } } },
      { updateOne: { filter: { title: 'new', team: 'blue' }, update: { $set: { title: 'new' } }, upsert: true } },
    ])
      expect([operation, (await write(operation)).status]).toEqual([operation, 403]);
    const kept = { replaceOne: { ...mine, replacement: { title: 'R', team: 'red' } } };
    expect((await write(kept)).body).toMatchObject({ data: { nModified: 1 } });
    const upsert = {
      updateOne: { filter: { title: 'new', team: 'red' }, update: { $set: { title: 'new' } }, upsert: true },
    };
    expect((await write(upsert)).body).toMatchObject({ data: { nUpserted: 1 } });
    expect((await write(upsert)).body).toMatchObject({ data: { nUpserted: 0, nMatched: 1 } });
    expect(await titles('doc')).toBe('R,new');
  });

  test('sends subscribers the rows that enter and leave their rule, and nothing else', async () => {
    const ann = await connect(server.url, callers.ann.headers);
    expect(await ann.ask('subscribe', { model: 'doc' })).toMatchObject({ status: 'okay' });
    const other = await server.post('/api/doc', { title: 'E', team: 'blue' }, callers.root);
    const path = `/api/doc/${String(other.document['_id'])}`;
    await server.put(path, { team: 'red' }, callers.root);
    await server.put(path, { title: 'E2' }, callers.root);
    await server.put(path, { team: 'blue' }, callers.root);
    await server.put(path, { title: 'unseen' }, callers.root);
    // rights are those of the moment of delivery
    await ann.until(3);
    // a subscription does not outlive its ground
    await become('ann', { team: 'green' });
    await server.put(`/api/doc/${first}`, { title: 'R2' }, callers.root);
    await become('ann', { team: 'red' });
    await server.put(`/api/doc/${first}`, { title: 'R' }, callers.root);
    await ann.when(() => ann.events().some(([, title]) => title === 'R'));
    expect(ann.events()).toEqual([
      ['post', 'E'],
      ['put', 'E2'],
      ['del', other.document['_id']],
      ['put', 'R'],
    ]);
    ann.socket.close();
  });

  test('stands against 20 changes at once: one that leaves the rule is never written', async () => {
    const made = await server.post('/api/doc', { title: 'C', team: 'red' }, callers.ann);
    const path = `/api/doc/${String(made.document['_id'])}`;
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        server.put(path, n % 2 === 0 ? { title: `C${n}` } : { team: 'blue' }, callers.ann),
      ),
    );
    expect(all.map(({ status }) => status === 403)).toEqual(all.map((_, n) => n % 2 === 1));
    expect(all.every(({ status }) => [200, 403, 409].includes(status))).toBe(true);
    expect((await server.get(path, callers.root)).document).toMatchObject({ team: 'red' });
  });
});

test('a rule with the current time is evaluated for each request, also with the cache on', async () => {
  let now = new Date('2030-01-01T00:00:00Z');
  const timed = await startServer({
    clock: () => now,
    cache: { enabled: true, ttl: 300 },
    models: {
      'news.ts': `export default ({ Schema }) => new Schema({ title: String, from: Date },
        { perms: { all: { r: { where: { from: { $lte: '$now' } } } } } });`,
    },
  });
  const root = await makeRoot(timed);
  // no request would find it again
  expect((await timed.get('/api/news')).headers.get('x-cache')).toBeNull();
  expect((await timed.post('/api/news', { title: 'N', from: '2030-01-02T00:00:00Z' }, root)).status).toBe(201);
  const seen = async (): Promise<number[]> => [
    (await timed.get('/api/news')).rows.length,
    (await timed.post('/aggregate/news', [{ $match: {} }])).rows.length,
  ];
  expect([await seen(), await seen()]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  now = new Date('2030-01-02T00:00:00Z');
  expect(await seen()).toEqual([1, 1]);
});

describe('a model file with a rule that means nothing stops the start', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    [`perms: { user: { r: { where: { nosuch: 1 } } } }`, /bad\.ts: perms\.user\.r: where: nosuch is not in the schema/],
    [`perms: { user: { u: { where: { title: { $where: '1' } } } } }`, /bad\.ts: perms\.user\.u: \$where/],
    [
      `perms: { user: { r: { where: { title: '$user.nosuch' } } } }`,
      /perms\.user\.r: \$user\.nosuch is not a path of the user/,
    ],
    [`perms: { user: { r: { where: { title: '$user.password' } } } }`, /\$user\.password is not a path/],
    [`perms: { user: { r: { where: { title: { $regex: '$user.name' } } } } }`, /\$regex takes no \$user\.name/],
    [`perms: { user: { r: { where: { n: 'x' } } } }`, /perms\.user\.r: n/],
    [`perms: { user: { x: true } }`, /perms\.user\.x is not a letter/],
    [`perms: { user: { r: { filter: {} } } }`, /perms\.user\.r must be true or \{ where: <filter> \}/],
    [`perms: { user: 5 }`, /perms\.user must be letters of "crud", or an object of them/],
  ];
  test.each(wrong)('%s', async (options, message) => {
    const text = `export default ({ Schema }) => new Schema({ title: String, n: Number }, { ${options} });`;
    await expect(startServer({ models: { 'bad.ts': text } })).rejects.toThrow(message);
  });

  const paths: readonly (readonly [string, RegExp])[] = [
    [`{ editors: 'r' }`, /bad\.ts: perms of title name the role editors, which perms of the model do not have/],
    [`{ user: 'rd' }`, /perms of title for user must be letters of "cru"/],
    [`'r'`, /perms of title must be an object/],
  ];
  test.each(paths)('perms: %s', async (perms, message) => {
    const text = `export default ({ Schema }) => new Schema({ title: { type: String, perms: ${perms} } }, { perms: {} });`;
    await expect(startServer({ models: { 'bad.ts': text } })).rejects.toThrow(message);
  });
});
