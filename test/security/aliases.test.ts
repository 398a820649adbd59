/** Passwords that a body names by an alias, at any depth: each is stored as a hash, or refused (docs/threats.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let callers: Callers<'root' | 'ann'>;
let id: string;

const vault = `export default ({ Schema, Mixed }) => {
  const password = { type: String, alias: 'pin' };
  const login = () => new Schema({ site: String, password }, { _id: false, discriminatorKey: 'kind' });
  const vault = new Schema(
    {
      name: String,
      draft: Mixed,
      logins: [login()],
      nested: [[login()]],
      parts: [new Schema({ site: String }, { _id: false, discriminatorKey: 'kind' })],
      groups: [new Schema({ title: String, logins: [login()], one: login() }, { _id: false })],
      one: login(),
      outer: new Schema({ inner: login() }, { _id: false }),
      plain: { password: { type: String, alias: 'plain.pin' } },
      2024: new Schema({ password, years: { 7: login() } }, { _id: false }),
      password: { type: String, alias: '7' },
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
  vault.path('parts').discriminator('more', new Schema({ password }, { _id: false }));
  return vault;
};`;

const given = 'CANARY-PW';

beforeAll(async () => {
  server = await startServer({ models: { 'vault.ts': vault } });
  callers = await makeCallers(server, ['root', 'ann']);
  const site = 's';
  const lists = {
    logins: [{ site }],
    nested: [[{ site }]],
    parts: [{ kind: 'more', site }],
    groups: [{ logins: [{ site }] }],
  };
  const made = await server.post(
    '/api/vault',
    { name: 'a', ...lists, one: { site }, outer: { inner: { site } } },
    callers.ann,
  );
  if (made.status !== 201) throw new Error(made.text);
  id = String(made.document['_id']);
});

const stored = async (): Promise<readonly object[]> =>
  server.dossier.services.connection.collection('vaults').find({}).toArray();
const patch = (body: unknown, type = 'application/json'): Promise<Answer> =>
  server.send('PATCH', `/api/vault/${id}`, { body, headers: { ...callers.ann.headers, 'content-type': type } });
const bulk = (...operations: readonly unknown[]): Promise<Answer> =>
  server.post('/bulkwrite/vault', operations, callers.ann);
const change = (update: unknown): unknown => ({ updateOne: { filter: { _id: id }, update } });

describe('an operator that stores no hash refuses a password by its alias', () => {
  const pin = given;
  const updates: readonly Document[] = [
    { $push: { logins: { pin } } },
    { $push: { logins: { password: pin } } },
    { $push: { logins: { $each: [{ site: 'x' }, { pin }] } } },
    { $addToSet: { logins: { pin } } },
    { $addToSet: { logins: { $each: [{ pin }] } } },
    { $push: { nested: [{ pin }] } },
    { $push: { nested: { $each: [[{ pin }]] } } },
    { $push: { 'nested.0': { pin } } },
    { $push: { parts: { kind: 'more', pin } } },
    { $push: { groups: { logins: [{ pin }] } } },
    { $push: { groups: { one: { pin } } } },
    { $push: { 'groups.0.logins': { pin } } },
    { $push: { logins: { $each: [], $sort: { pin: 1 } } } },
    { $pull: { logins: { pin } } },
    { $pull: { logins: { pin: { $regex: '^C' } } } },
    { $min: { one: { pin } } },
    { $max: { 'one.pin': pin } },
    { $min: { 7: pin } },
    { $unset: { '2024.pin': 1 } },
    { $unset: { nested: 1 } },
    { $unset: { 'nested.0': 1 } },
    { $unset: { logins: 1 } },
    { $unset: { outer: 1 } },
    { $unset: { 'outer.inner': 1 } },
    { $unset: { parts: 1 } },
    { $pop: { nested: 1 } },
    { $pop: { 'groups.0.logins': 1 } },
    { $rename: { name: '7' } },
    { $rename: { name: '2024.pin' } },
    { $rename: { 'one.pin': 'name' } },
    { $rename: { draft: 'outer.inner' } },
    { $rename: { draft: 'one' } },
    { $rename: { outer: 'draft' } },
  ];
  test.each(updates)('%j', async (update) => {
    const before = await stored();
    expect(await patch(update)).toMatchObject({ status: 400 });
    expect(await bulk(change(update))).toMatchObject({ status: 400 });
    const upsert = { updateOne: { filter: { name: 'none' }, update, upsert: true } };
    expect(await bulk(upsert)).toMatchObject({ status: 400 });
    expect(await stored()).toEqual(before);
  });

  test('and accepts members without one', async () => {
    for (const update of [
      { $push: { logins: { site: 'x' } } },
      { $push: { nested: [{ site: 'x' }] } },
      { $push: { 'nested.0': { site: 'x' } } },
      { $push: { parts: { kind: 'more', site: 'x' } } },
      { $push: { groups: { logins: [{ site: 'x' }], title: 'pin' } } },
      { $unset: { 'one.site': 1 } },
    ])
      expect(await patch(update)).toMatchObject({ status: 200 });
  });
});

describe('each body that may have a password stores a hash', () => {
  const pin = given;
  /** Bodies of changes by fields, with the path of the hash. */
  const bodies: readonly (readonly [Document, string])[] = [
    [{ 'logins.0.pin': pin }, 'logins.0.password'],
    [{ 'logins.0': { pin } }, 'logins.0.password'],
    [{ logins: [{ pin }] }, 'logins.0.password'],
    [{ 'nested.0.0.pin': pin }, 'nested.0.0.password'],
    [{ nested: [[{ pin }]] }, 'nested.0.0.password'],
    [{ parts: [{ kind: 'more', pin }] }, 'parts.0.password'],
    [{ groups: [{ logins: [{ pin }] }] }, 'groups.0.logins.0.password'],
    [{ 'groups.0.one.pin': pin }, 'groups.0.one.password'],
    [{ 'outer.inner.pin': pin }, 'outer.inner.password'],
    [{ 'plain.pin': pin }, 'plain.password'],
    [{ plain: { pin } }, 'plain.password'],
    [{ '2024.pin': pin }, '2024.password'],
    [{ 2024: { pin } }, '2024.password'],
    [{ 2024: { years: { 7: { pin } } } }, '2024.years.7.password'],
    [{ 7: pin }, 'password'],
  ];
  const hashAt = async (path: string, filter: object = { name: 'a' }): Promise<unknown> => {
    const row: unknown = await server.dossier.services.connection.collection('vaults').findOne(filter);
    return path.split('.').reduce<unknown>((value, name) => (value as Document | undefined)?.[name], row);
  };
  const ways: readonly (readonly [string, (body: Document) => Promise<Answer>])[] = [
    ['PATCH', (body) => patch(body)],
    ['PATCH with $set', (body) => patch({ $set: body })],
    ['PUT', (body) => server.put(`/api/vault/${id}`, body, callers.ann)],
    ['PUT /update', (body) => server.put(`/update/vault/${id}`, body, callers.ann)],
    ['updateOne', (body) => bulk(change({ $set: body }))],
  ];
  test.each(bodies)('%j', async (body, path) => {
    const seen = new Set<unknown>([await hashAt(path)]);
    for (const [way, send] of ways) {
      const answer = await send(body);
      expect([way, answer.status, answer.text]).toEqual([way, 200, expect.not.stringContaining(given)]);
      const hash = await hashAt(path);
      expect([way, hash]).toEqual([way, expect.stringMatching(/^\$2b\$04\$.{53}$/)]);
      expect(seen).not.toContain(hash);
      seen.add(hash);
    }
    expect(JSON.stringify(await stored())).not.toContain(given);
  });

  const whole = bodies.filter(([body]) => !Object.keys(body).some((name) => name.includes('.')));
  test.each(whole)('a new document of %j', async (body, path) => {
    const ways: readonly ((name: string) => Promise<Answer>)[] = [
      (name) => server.post('/api/vault', { name, ...body }, callers.ann),
      (name) => bulk({ insertOne: { document: { name, ...body } } }),
      (name) => bulk({ replaceOne: { filter: { name }, replacement: { name, ...body }, upsert: true } }),
      (name) => bulk({ updateOne: { filter: { name }, update: { $set: body }, upsert: true } }),
      (name) => bulk({ updateOne: { filter: { name }, update: { $setOnInsert: body }, upsert: true } }),
      (name) => server.post('/setup/data', { vault: [{ name, ...body }] }, callers.root),
    ];
    for (const [at, send] of ways.entries()) {
      const name = `${path} ${at}`;
      expect([at, (await send(name)).status]).toEqual([at, at === 0 ? 201 : 200]);
      expect([at, await hashAt(path, { name })]).toEqual([at, expect.stringMatching(/^\$2b\$04\$.{53}$/)]);
    }
    expect(JSON.stringify(await stored())).not.toContain(given);
  });

  const patches: readonly (readonly [string, unknown])[] = [
    ['json-patch', [{ op: 'add', path: '/logins/0/pin', value: pin }]],
    ['json-patch', [{ op: 'add', path: '/one/pin', value: pin }]],
    ['json-patch', [{ op: 'add', path: '/2024/pin', value: pin }]],
    ['json-patch', [{ op: 'add', path: '/7', value: pin }]],
    [
      'json-patch',
      [
        { op: 'add', path: '/name', value: pin },
        { op: 'move', from: '/name', path: '/one/pin' },
        { op: 'add', path: '/name', value: 'a' },
      ],
    ],
    ['merge-patch', { one: { pin }, 2024: { pin }, 7: pin, plain: { pin }, outer: { inner: { pin } } }],
    ['merge-patch', { nested: [[{ pin }]], groups: [{ one: { pin } }] }],
  ];
  test.each(patches)('a %s of %j', async (type, body) => {
    const answer = await patch(body, `application/${type}+json`);
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining(given)]);
    expect(JSON.stringify(await stored())).not.toContain(given);
    expect(answer.text).not.toMatch(/\$2b\$/);
  });
});

describe('the start stops for an alias', () => {
  const model = (fields: string): string => `export default ({ Schema }) => {
  const inner = new Schema({ password: { type: String, alias: 'pin' } });
  return new Schema({ ${fields} });
};`;
  test.each([
    [
      'in a union',
      model(`u: { type: 'Union', of: [Number, inner] }`),
      /u\.password is in a union, where a field has no alias/,
    ],
    ['in a list in a union', model(`u: { type: 'Union', of: [Number, [inner]] }`), /u\.password is in a union/],
    [
      'of digits in a list',
      model(`l: [new Schema({ password: { type: String, alias: '7' } })]`),
      /l\.7, an alias of l\.password: digits in a list are a position/,
    ],
    [
      'below a name of digits in a list',
      model('l: [new Schema({ 7: inner })]'),
      /l\.7\.pin, an alias of l\.7\.password/,
    ],
  ])('%s', async (_, file, reason) => {
    await expect(startServer({ models: { 'vault.ts': file } })).rejects.toThrow(reason);
  });
});

test.each(['fields', 'filter'])(
  'an alias of a password in %s is a 400, as a name that no one knows',
  async (parameter) => {
    const at = (name: string): Promise<Answer> =>
      server.get(`/api/vault?${parameter === 'fields' ? `fields=name,${name}` : `filter[${name}]=x`}`, callers.ann);
    for (const name of ['7', 'logins.pin', 'one.pin', 'plain.pin', 'nosuch']) expect((await at(name)).status).toBe(400);
    expect((await server.get('/api/vault?fields=-7', callers.ann)).status).toBe(400);
  },
);
