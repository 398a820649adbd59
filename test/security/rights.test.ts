/** Who may read and change which documents (docs/threats.md, "Rights on documents"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operationGroups } from '../../src/start/operations.ts';
import { basic, emailOf, passwordOf } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { type Scenario, scenarios } from '../support/scenario.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const each = (requests: readonly string[], row: Omit<Scenario, 'request'>): readonly Scenario[] =>
  requests.map((request) => ({ ...row, request }));
const anns = ['CANARY-ann', 'Note of ann'];

describe("Another's document by id", () => {
  test('looks like one that does not exist', async () => {
    const nobody = '0123456789abcdef01234567';
    const hers = await world.as('eve', 'GET', '/api/note/{annNote}');
    const none = await world.as('eve', 'GET', `/api/note/${nobody}`);
    expect([hers.status, none.status]).toEqual([404, 404]);
    expect(hers.text.replace(world.ids['annNote'] ?? '', nobody)).toBe(none.text);
  });
});

describe('Own rows only, by every endpoint', () => {
  rows([
    {
      request: 'GET /api/note?count=true',
      status: 200,
      has: { count: 1, data: [{ title: 'Note of eve' }] },
      absent: anns,
    },
    { request: 'GET /count/note', status: 200, has: { count: 1 } },
    { request: 'GET /csv/note', status: 200, absent: anns },
    {
      request: 'POST /query/note',
      body: { query: {} },
      status: 200,
      has: { data: [{ title: 'Note of eve' }] },
      absent: anns,
    },
    { request: 'POST /aggregate/note', body: [{ $count: 'n' }], status: 200, has: { data: [{ n: 1 }] } },
    {
      request: 'GET /api/wiki?populate=note&sort=title',
      status: 200,
      has: { data: [{ note: null }, { note: null }, { note: { title: 'Note of eve' } }] },
      absent: anns,
    },
  ]);
});

describe('Widening the row filter', () => {
  rows([
    ...each(
      [
        'GET /api/note?count=true&filter[_owner_id]={ann}',
        'GET /api/note?count=true&filter[_owner_id][$ne]={eve}',
        'GET /api/note?count=true&filter[$or][0][_owner_id]={ann}',
        'GET /api/note?count=true&filter[$nor][0][_owner_id]={eve}',
      ],
      { status: 200, has: { data: [], count: 0 }, absent: anns },
    ),
    {
      request: 'POST /query/note?count=true',
      body: { query: { $or: [{}, { _owner_id: { $oid: '{ann}' } }] } },
      status: [200, 400],
      absent: anns,
    },
  ]);
});

describe("Writing another's document", () => {
  rows([
    ...each(['PUT /api/note/{annNote}', 'PUT /update/note/{annNote}', 'POST /update/note/{annNote}'], {
      body: { title: 'x' },
      status: 404,
    }),
    ...each(['DELETE /api/note/{annNote}', 'DELETE /api/note/{annNote}?_permaDelete=1'], { status: 404 }),
  ]);
});

describe('A model for admins', () => {
  const requests: readonly Scenario[] = [
    ...each(
      [
        'GET /api/ledger',
        'GET /api/ledger/{ledger}',
        'GET /api/ledger/0123456789abcdef01234567',
        'GET /csv/ledger',
        'GET /count/ledger',
        'DELETE /api/ledger/{ledger}',
        'DELETE /api/ledger/0123456789abcdef01234567',
      ],
      { status: 403 },
    ),
    { request: 'POST /query/ledger', body: { query: {} }, status: 403 },
    { request: 'POST /aggregate/ledger', body: [], status: 403 },
    { request: 'POST /bulkwrite/ledger', body: [{ insertOne: { document: { amount: 1 } } }], status: 403 },
    { request: 'POST /call/ledger/x', body: {}, status: [403, 404] },
    { request: 'POST /api/ledger', body: { amount: 1 }, status: 403 },
    { request: 'PUT /api/ledger/{ledger}', body: { amount: 1 }, status: 403 },
    { request: 'PUT /update/ledger/{ledger}', body: { amount: 1 }, status: 403 },
    { request: 'GET /model/ledger', status: 404 },
  ];
  rows(requests);
  rows(
    requests.map((row) => ({
      ...row,
      as: 'anonymous',
      status: row.status === 404 ? 404 : row.status === 403 ? 401 : [401, 404],
    })),
  );
});

describe('Reading is not writing', () => {
  rows([
    { as: 'anonymous', request: 'POST /api/book', body: { title: 'x' }, status: 401 },
    { request: 'PUT /api/book/{annBook}', body: { title: 'x' }, status: [403, 404] },
    { request: 'DELETE /api/wiki/{eveWiki}', status: 403 },
  ]);
});

describe('Deleting by an update', () => {
  rows([
    ...each(['PUT /api/wiki/{annWiki}', 'PUT /update/wiki/{annWiki}', 'POST /update/wiki/{annWiki}'], {
      body: { _deleted: true },
      status: 403,
    }),
    ...each(['PUT /api/wiki/{annWiki}', 'PUT /update/wiki/{annWiki}'], {
      form: '_deleted=true',
      status: 403,
    }),
    {
      request: 'POST /bulkwrite/wiki',
      body: [{ updateOne: { filter: { _id: { $oid: '{annWiki}' } }, update: { $set: { _deleted: true } } } }],
      status: 403,
    },
  ]);
});

describe('Taking over by an update', () => {
  const owner = async (): Promise<void> => {
    const { document } = await world.as('root', 'GET', '/api/wiki/{annWiki}');
    expect(document['_owner_id']).toBe(world.ids['ann']);
  };
  const filter = { _id: { $oid: '{annWiki}' } };
  rows([
    ...each(['PUT /api/wiki/{annWiki}', 'PUT /update/wiki/{annWiki}', 'POST /update/wiki/{annWiki}'], {
      body: { _owner_id: '{eve}', title: 't' },
      status: 200,
      then: owner,
    }),
    ...[{ $set: { _owner_id: '{eve}' } }, { $unset: { _owner_id: 1 } }, { $rename: { _owner_id: 'code' } }].map(
      (update): Scenario => ({
        request: 'POST /bulkwrite/wiki',
        body: [{ updateOne: { filter, update } }],
        status: [200, 400],
        then: owner,
      }),
    ),
  ]);
});

describe('Populating what the caller may not read', () => {
  for (const path of ['GET /api/book', 'GET /api/book/{annBook}', 'POST /query/book']) {
    const row = { as: 'anonymous', ...(path.startsWith('POST') ? { body: { query: {} } } : {}) } as const;
    rows([
      ...each([`${path}?populate=author`, `${path}?populate[]=author`, `${path}?populate[author]=name`], {
        ...row,
        status: [401, 403],
        absent: ['Ada'],
      }),
      { ...row, request: `${path}?populate=author.x`, status: [400, 401, 403], absent: ['Ada'] },
      { ...row, request: `${path}?autopopulate=1`, status: 200, absent: ['Ada', '"author":'] },
    ]);
  }
  rows([
    {
      request: 'GET /api/wiki/{annWiki}?populate=note.book',
      status: [200, 403],
      absent: [...anns, 'Book of ann'],
      then: ({ status, document }) => {
        if (status === 200) expect(document['note']).toBeNull();
      },
    },
  ]);
});

describe("The owner's data", () => {
  rows(
    each(
      [
        'GET /api/book?populate=_owner,_updated_by',
        'GET /api/book?populate[_owner]=email,admin,groups,password',
        'GET /api/book?autopopulate=1',
        'GET /api/book/{annBook}?populate=_owner',
      ],
      { as: 'anonymous', status: 200, absent: ['@x.test', '"admin"', '"groups"', '"password"'] },
    ),
  );
});

describe('The list of users', () => {
  const others = ['root@x.test', 'ann@x.test'];
  rows([
    {
      request: 'GET /api/user?count=1',
      status: 200,
      has: { count: 1, data: [{ email: 'eve@x.test' }] },
      absent: others,
    },
    { request: 'GET /csv/user', status: 200, absent: others },
    { request: 'GET /count/user', status: 200, has: { count: 1 } },
    { request: 'GET /api/user/{root}', status: 404 },
    { request: 'POST /query/user', body: { query: { admin: true } }, status: 200, has: { data: [] }, absent: others },
  ]);
});

describe('Making oneself admin', () => {
  const body = { admin: true, groups: ['editors'], email_verified: true, name: 'E' };
  const stillPlain = async (): Promise<void> => {
    const { document } = await world.as('root', 'GET', '/api/user/{eve}');
    expect(document).toMatchObject({ admin: false, groups: [], email_verified: false });
    expect((await world.as('eve', 'GET', '/cache/stats')).status).toBe(403);
    const old = basic(emailOf('eve'), passwordOf('eve'));
    expect((await world.get('/api/note', { headers: old })).status).toBe(200);
  };
  rows([
    ...each(['PUT /api/user/{eve}', 'PUT /update/user/{eve}', 'POST /update/user/{eve}'], {
      body,
      status: 200,
      then: stillPlain,
      has: { data: { name: 'E' } },
    }),
    ...each(['PUT /api/user/{eve}', 'PUT /update/user/{eve}', 'POST /update/user/{eve}'], {
      body: { ...body, password: 'x' },
      status: 400,
      then: stillPlain,
      has: { errors: [{ path: 'password', kind: 'own' }] },
    }),
    ...each(['PUT /api/user/{eve}', 'PUT /update/user/{eve}'], {
      form: 'admin=true&groups[]=editors&name=E',
      status: [200, 400],
      then: stillPlain,
    }),
    ...[{ Admin: true }, { 'admin.x': true }, { 'groups.0': 'editors' }, { groups: { 0: 'editors' } }].map(
      (odd): Scenario => ({ request: 'PUT /api/user/{eve}', body: odd, status: [200, 400], then: stillPlain }),
    ),
  ]);
});

describe('Admin endpoints', () => {
  const body = { group: ['editors'] };
  const endpoints: readonly Scenario[] = [
    ...each(['GET /cache/stats', 'GET /cache/clear', 'GET /groups/{ann}', 'DELETE /groups/{eve}?group=editors'], {
      status: 403,
    }),
    ...each(['PUT /groups/{eve}', 'POST /groups/{eve}'], { body, status: 403 }),
    { request: 'POST /setup/data', body: {}, status: [403, 409] },
  ];
  rows(endpoints);
  rows(endpoints.map((row) => ({ ...row, as: 'anonymous', status: row.request.includes('setup') ? [401, 409] : 401 })));
});

describe('password_override', () => {
  const hash = `$2b$10$${'a'.repeat(53)}`;
  const body = { title: 't', login: { password: hash } };
  rows([
    ...each(['POST /api/note?password_override=1', 'POST /api/note?password_override=true'], { body, status: 403 }),
    { request: 'PUT /api/user/{eve}?password_override=1', body: { password: hash }, status: 403 },
    ...each(['POST /api/note?password_override[]=1', 'POST /api/note?password_override=yes'], { body, status: 400 }),
    {
      request: 'POST /api/note',
      body: { ...body, password_override: 1 },
      status: 400,
      then: async () => expect(await world.stored()).not.toContain(hash),
    },
  ]);
});

describe('Group names that are roles', () => {
  rows([
    ...['admin', 'all', 'user', 'owner', 'constructor', '__proto__', 'toString'].map((group): Scenario => ({
      as: 'root',
      request: 'PUT /groups/{eve}',
      body: { group: [group] },
      status: 400,
    })),
    {
      as: 'root',
      request: 'POST /api/user',
      body: { email: 'g@x.test', password: 'p', groups: ['admin'] },
      status: 400,
    },
    { as: 'root', request: 'PUT /api/user/{eve}', body: { groups: ['admin'] }, status: 400 },
    { as: 'root', request: 'PUT /update/user/{eve}', body: { 'groups.0': 'admin' }, status: 400 },
    ...each(['GET /cache/stats', 'GET /api/ledger'], { status: 403 }),
  ]);
});

describe('HEAD instead of GET', () => {
  test.each([
    ['eve', '/api/note/{annNote}', 404],
    ['eve', '/api/ledger', 403],
    ['anonymous', '/csv/ledger', 401],
    ['eve', '/api/note/{eveNote}', 200],
  ] as const)('%s HEAD %s', async (person, path, status) => {
    const [head, get] = [await world.as(person, 'HEAD', path), await world.as(person, 'GET', path)];
    expect([head.status, get.status]).toEqual([status, status]);
    expect(head.text).toBe('');
    if (status !== 200) expect(head.headers.get('etag')).toBeNull();
  });
});

describe('HEAD of a GET that changes something', () => {
  const changing = operationGroups
    .flatMap(({ operations }) => operations)
    .filter(({ http, effect }) => http.method === 'GET' && effect === 'write')
    .map(({ http }) => http);

  test('the known ones are found', () => {
    expect(changing.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/logout', '/login/logout', '/cache/clear']),
    );
  });

  test.each(changing.map(({ path }) => [path]))('%s is a 405', async (path) => {
    const target = path.replace(':model', 'book').replace(':provider', 'none').replace(/:\w+/g, '0'.repeat(24));
    const { status, headers, text } = await world.as('root', 'HEAD', target);
    expect([status, headers.get('allow')?.includes('HEAD'), text]).toEqual([405, false, '']);
  });
});

test('HEAD /logout keeps the session', async () => {
  expect((await world.as('eve', 'HEAD', '/logout')).status).toBe(405);
  expect((await world.as('eve', 'GET', '/model')).status).toBe(200);
});

describe('Method overrides', () => {
  rows([
    { request: 'POST /api/wiki/{eveWiki}', headers: { 'x-http-method-override': 'DELETE' }, status: 405 },
    { request: 'POST /api/wiki/{eveWiki}', headers: { 'x-method-override': 'DELETE' }, status: 405 },
    { request: 'POST /api/wiki/{eveWiki}?_method=DELETE', status: 405 },
    { request: 'POST /api/wiki/{eveWiki}', form: '_method=DELETE', status: 405 },
  ]);
});

describe('Another spelling of the path', () => {
  rows(
    each(
      [
        'GET /API/ledger',
        'GET /api/Ledger',
        'GET /api/ledger/',
        'GET /api//ledger',
        'GET /api/%6cedger',
        'GET /api/ledger%2f',
        'GET /api/ledger;x',
        'GET /api/./ledger',
        'GET /csv/LEDGER',
      ],
      { status: [403, 404] },
    ),
  );
});

describe('groups', () => {
  rows([
    { request: 'GET /api/memo', status: 403 },
    { as: 'anonymous', request: 'GET /api/memo', status: 401 },
  ]);

  test('a member has the rights of the group, until the first request after leaving it', async () => {
    const mine = await world.as('ed', 'GET', '/api/memo');
    expect(mine.rows).toHaveLength(1);
    expect((await world.as('root', 'PUT', '/groups/{bob}', { body: { group: 'editors' } })).status).toBe(200);
    expect((await world.as('bob', 'GET', '/api/memo')).rows).toHaveLength(1);
    expect((await world.as('bob', 'PUT', '/api/memo/{memo}', { body: { text: 'by bob' } })).status).toBe(200);
    expect((await world.as('bob', 'GET', '/groups/{bob}')).body).toMatchObject({ data: { groups: ['editors'] } });
    expect((await world.as('root', 'DELETE', '/groups/{bob}?group=editors')).status).toBe(200);
    expect((await world.as('bob', 'GET', '/api/memo')).status).toBe(403);
  });
});
