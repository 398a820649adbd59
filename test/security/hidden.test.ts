/** Password-named fields: no request can read or guess them (docs/threats.md, "Rights on fields"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Person } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { check, type Scenario, scenarios } from '../support/scenario.ts';
import { startServer } from '../support/server.ts';

const vault = (more = ''): string => `import { Schema } from 'mongoose';
const vault = new Schema(
  { title: String, Password: String, account: { PASSWORD: String, name: String }, code: { password: { type: String, alias: 'code.pin' } },
    sub: new Schema({ password: { type: String, alias: 'pin' } }, { _id: false }),
    subs: [[new Schema({ password: { type: String, alias: 'pin' } }, { _id: false })]] },
  { perms: { user: 'crud' } },
);
${more}
export default vault;`;

let world: World;
beforeAll(async () => {
  world = await openWorld({
    more: { vault: vault(), computed: vault(`vault.virtual('loud').get(function () { return this.title + '!'; });`) },
  });
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const asked = (as: Person, requests: readonly string[], status: Scenario['status'] = 400): readonly Scenario[] =>
  requests.map((request) => ({ as, request, status }));
const queried = (as: Person, model: string, query: unknown): Scenario => ({
  as,
  request: `POST /query/${model}`,
  body: { query },
  status: 400,
});

describe('Filter as an oracle', () => {
  for (const person of ['ann', 'root'] as const)
    rows(
      asked(
        person,
        ['api', 'count', 'csv'].flatMap((endpoint) =>
          [
            'filter[email]=root@x.test&filter[password]=$regex:/^.2b/',
            'filter[password]=x',
            'filter[password][$exists]=true',
            'filter[password][$ne]=x',
            'filter[password][$gt]=x',
            'filter[password][$in]=x,y',
          ].map((query) => `GET /${endpoint}/user?${query}`),
        ),
      ),
    );
});

describe('Nested and in arrays', () => {
  rows(
    asked('ann', [
      'GET /api/note?filter[login.password][$gt]=a',
      'GET /api/note?filter[login][password]=x',
      'GET /api/note?filter[logins][$elemMatch][password][$regex]=^',
      'GET /api/note?filter[logins.0.password]=x',
      'GET /api/note?filter[meta.password]=x',
    ]),
  );
});

describe('In /query, deep', () => {
  const secret = { 'login.password': { $regex: '^\\$2b' } };
  rows([
    queried('ann', 'note', { $or: [secret] }),
    queried('ann', 'note', { $and: [{ $nor: [{ title: { $not: { $eq: 1 } } }, secret] }] }),
    queried('ann', 'note', { login: { password: 'x' } }),
    queried('ann', 'note', { login: { $eq: { password: 'x' } } }),
    queried('ann', 'note', { logins: { $elemMatch: { password: 'x' } } }),
    queried('ann', 'note', { 'meta.deep.0.Password': 'x' }),
    queried('root', 'user', { password: { $exists: true } }),
  ]);
});

describe('Search as an oracle', () => {
  rows(
    asked('ann', [
      'GET /api/note?search[login.password]=2b',
      'GET /api/user?search[password]=2b',
      'GET /api/user?search[Password]=2b',
    ]),
  );
});

describe('Sort as an oracle', () => {
  rows([
    ...asked('ann', [
      'GET /api/user?sort=password',
      'GET /api/note?sort=-login.password',
      'GET /api/note?sort[password]=1',
      'GET /api/note?sort=title,password',
      'GET /api/note?sort=login',
    ]),
    { as: 'ann', request: 'POST /query/note?sort=-login.password', body: { query: {} }, status: 400 },
  ]);
});

const withoutSecrets = { status: [200, 400], absent: ['password":', 'Password', 'PASSWORD'] } as const;

describe('Asking for the field', () => {
  for (const person of ['ann', 'root'] as const)
    for (const fields of ['login.password', 'login', '-title', '%2Bpassword', 'password', 'logins,meta'])
      rows([
        { as: person, request: `GET /api/note?fields=${fields}`, ...withoutSecrets },
        { as: person, request: `GET /api/note/{annNote}?fields=${fields}`, ...withoutSecrets },
        { as: person, request: `POST /query/note?fields=${fields}`, body: { query: {} }, ...withoutSecrets },
        { as: person, request: `GET /csv/note?fields=${fields}`, status: [200, 400], absent: ['$2b$', 'CANARY-PW'] },
      ]);
});

describe('Populating the field', () => {
  rows(
    ['populate[author]=name,password', 'populate[author]=%2Bpassword', 'populate[author]=-name', 'populate=author'].map(
      (query) => ({ as: 'ann' as const, request: `GET /api/book?${query}`, ...withoutSecrets }),
    ),
  );
});

const noted = {
  title: 't',
  login: { site: 's', password: 'p' },
  logins: [{ site: 's', password: 'p' }],
  meta: { password: 'p', deep: [{ password: 'p' }] },
};

describe('The answer to a write', () => {
  for (const as of ['ann', 'root'] as const)
    test(`as ${as}`, async () => {
      const { absent } = withoutSecrets;
      const made = await check(world, { as, request: 'POST /api/note', body: noted, status: 201, absent });
      const id = String(made.document['_id']);
      for (const request of [`PUT /api/note/${id}`, `PUT /update/note/${id}`, `POST /update/note/${id}`])
        await check(world, { as, request, body: noted, status: 200, absent, has: { data: { login: { site: 's' } } } });
      await check(world, { as, request: `DELETE /api/note/${id}`, status: 200, absent });
    });

  rows([
    {
      as: 'root',
      request: 'POST /api/user',
      body: { email: 'new@x.test', password: 'p' },
      status: 201,
      absent: ['password'],
    },
  ]);
});

describe('Reading it back', () => {
  for (const as of ['ann', 'root'] as const)
    rows([
      ...['GET /api/note/{annNote}', 'GET /api/note', 'GET /api/wiki?populate=note', 'GET /api/user'].map(
        (request) => ({
          as,
          request,
          ...withoutSecrets,
          status: 200,
        }),
      ),
      { as, request: 'POST /query/note', body: { query: {} }, ...withoutSecrets, status: 200 },
      { as, request: 'POST /aggregate/note', body: [{ $match: {} }], ...withoutSecrets, status: 200 },
      { as, request: 'GET /csv/note', status: 200, absent: ['password', 'CANARY-PW', '$2b$'] },
      { as, request: 'GET /csv/user', status: 200, absent: ['password', '$2b$'] },
    ]);
});

describe('Any spelling', () => {
  test('is hashed when written and never shown', async () => {
    const body = { title: 'v', Password: 'CANARY-PW', account: { PASSWORD: 'CANARY-PW', name: 'n' } };
    const { absent } = withoutSecrets;
    const made = await check(world, { request: 'POST /api/vault', body, status: 201, absent });
    const id = String(made.document['_id']);
    await check(world, {
      request: `PUT /api/vault/${id}`,
      body: { 'account.PASSWORD': 'CANARY-PW' },
      status: 200,
      absent,
    });
    await check(world, {
      request: `GET /api/vault/${id}`,
      status: 200,
      absent,
      has: { data: { account: { name: 'n' } } },
    });
    const vaults = world.dossier.services.connection.collection('vaults');
    const row = await vaults.findOne({ title: 'v' });
    expect(row?.['Password']).toMatch(/^\$2b\$04\$/);
    expect((row?.['account'] as { PASSWORD: string }).PASSWORD).toMatch(/^\$2b\$04\$/);
  });

  test('an alias of a password is a password: hashed by every endpoint', async () => {
    const pin = 'CANARY-PW';
    const aliased = { title: 'a', code: { pin }, sub: { pin }, subs: [[{ pin }]] };
    const made = await check(world, { request: 'POST /api/vault', body: aliased, status: 201 });
    const id = String(made.document['_id']);
    const hashes = new Set<string>();
    const body = { 'code.pin': pin, 'sub.pin': pin, 'subs.0.0.pin': pin };
    for (const endpoint of ['GET /api', 'PUT /api', 'PUT /update', 'POST /update']) {
      await check(world, {
        request: `${endpoint}/vault/${id}`,
        status: 200,
        ...(endpoint === 'GET /api' ? {} : { body }),
      });
      const row = await world.dossier.services.connection.collection('vaults').findOne({ title: 'a' });
      const { code, sub, subs } = row as unknown as Record<'code' | 'sub', { password: string }> & {
        subs: readonly [readonly [{ password: string }]];
      };
      for (const { password } of [code, sub, subs[0][0]]) {
        expect(password).toMatch(/^\$2b\$04\$.{53}$/);
        hashes.add(password);
      }
    }
    expect(hashes.size).toBe(12);
  });

  test('no answer of a model with virtuals shows an alias of a password', async () => {
    const body = { title: 'a', code: { pin: 'CANARY-PW' }, sub: { pin: 'CANARY-PW' } };
    const absent = ['pin'];
    const made = await check(world, { request: 'POST /api/computed', body, status: 201, absent });
    const id = String(made.document['_id']);
    for (const request of [`PUT /api/computed/${id}`, `PUT /update/computed/${id}`])
      await check(world, { request, body: { title: 'b' }, status: 200, absent, has: { data: { loud: 'b!' } } });
    for (const path of [`/api/computed/${id}`, '/api/computed', '/api/computed?fields=code,sub', '/csv/computed'])
      await check(world, { request: `GET ${path}`, status: 200, absent });
    await check(world, { request: 'POST /query/computed', body: { query: {} }, status: 200, absent });
  });

  rows(
    asked('eve', [
      'GET /api/vault?filter[Password]=x',
      'GET /api/vault?filter[account.PASSWORD][$gt]=a',
      'GET /api/vault?search[Password]=x',
      'GET /api/vault?sort=account.PASSWORD',
      'GET /api/vault?filter[code.pin]=x',
      'GET /api/vault?search[code.pin]=x',
      'GET /api/vault?sort=-code.pin',
      'GET /api/vault?filter[sub.pin]=x',
      'GET /api/vault?filter[sub][pin][$regex]=^',
      'GET /api/vault?filter[pAsSwOrD]=x',
    ]),
  );
});

describe('Error messages', () => {
  rows([
    {
      request: 'POST /api/note',
      body: { title: 't', login: { password: { a: 'CANARY-PW' } } },
      status: 400,
    },
    {
      as: 'anonymous',
      request: 'POST /login',
      body: { email: 'ann@x.test', password: 'CANARY-PW' },
      status: 401,
      then: (_answer, { log }) => expect(log.join('')).not.toContain('CANARY-PW'),
    },
  ]);
});

describe('The internal collections', () => {
  const names = [
    'apikey',
    'token',
    'refreshtoken',
    'session',
    'usergroups',
    '_session',
    '_account',
    '_dossier_sessions',
  ];
  for (const as of ['root', 'eve', 'anonymous'] as const)
    rows(
      names
        .flatMap((name) => [name, `${name}s`])
        .flatMap((name) => [`GET /api/${name}`, `GET /model/${name}`, `GET /csv/${name}`, `GET /count/${name}`])
        .map((request) => ({ as, request, status: 404, has: { message: 'Unknown model' } })),
    );
});

describe('Counting as an oracle', () => {
  rows(asked('ann', ['GET /count/user?filter[_id]={ann}&filter[password]=$gt:$2b$10$m']));
});

test('an alias named password of another path stops the start', async () => {
  const model = `import { Schema } from 'mongoose';
export default new Schema({ pin: { type: String, alias: 'password' } });`;
  await expect(startServer({ models: { model } })).rejects.toThrow(/alias password of pin/);
});

describe('Text search as an oracle', () => {
  test.each([
    ['a wildcard index beside a password', `book.index({ '$**': 'text' })`],
    ['an index over the password', `book.index({ title: 'text', password: 'text' })`],
    ['an index over a nested password', `book.index({ 'login.Password': 'text' })`],
  ])('%s stops the start', async (_name, index) => {
    const book = `import { Schema } from 'mongoose';
const book = new Schema({ title: String, password: String, login: { Password: String } });
${index};
export default book;`;
    await expect(startServer({ models: { book } })).rejects.toThrow(/book\.ts: the text index over .* passwords/);
  });
});
