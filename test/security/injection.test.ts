/** Operators, prototype keys and malformed values in queries and bodies (docs/threats.md, "Injection"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bare } from '../support/bare.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { type Scenario, scenarios } from '../support/scenario.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const gets = (paths: readonly string[], row: Partial<Scenario> = {}): readonly Scenario[] =>
  paths.map((path) => ({ as: 'anonymous', status: 400, ...row, request: `GET ${path}` }));
const queries = (list: readonly unknown[], row: Partial<Scenario> = {}): readonly Scenario[] =>
  list.map((query) => ({ status: 400, ...row, request: 'POST /query/book', body: { query } }));
const writes = (bodies: readonly unknown[], row: Partial<Scenario> = {}): readonly Scenario[] =>
  bodies.flatMap((body) =>
    ['POST /api/wiki', 'PUT /api/wiki/{eveWiki}', 'PUT /update/wiki/{eveWiki}'].map((request) => ({
      status: 400,
      ...row,
      request,
      body,
    })),
  );
const nested = (levels: number): unknown => {
  let query: unknown = { title: 'x' };
  for (let level = 0; level < levels; level++) query = { $and: [query] };
  return query;
};

describe('$where and similar operators', () => {
  for (const endpoint of ['/api', '/count', '/csv'])
    rows(
      gets([
        `${endpoint}/book?filter[$where]=1`,
        `${endpoint}/book?filter[title][$where]=1`,
        `${endpoint}/book?filter[title]=$where:1`,
      ]),
    );
  const denied = ['$where', '$expr', '$function', '$accumulator', '$jsonSchema'];
  rows(
    denied.flatMap((name) =>
      queries([
        { [name]: '1' },
        { $and: [{ [name]: '1' }] },
        { $or: [{ title: 'x' }, { [name]: '1' }] },
        { $nor: [{ [name]: '1' }] },
        { title: { $not: { [name]: '1' } } },
        { tags: { $elemMatch: { [name]: '1' } } },
        { tags: { $all: [{ $elemMatch: { [name]: '1' } }] } },
      ]),
    ),
  );
});

describe('Unknown operators', () => {
  rows([
    ...gets(['/api/book?filter[title][$foo]=1', '/api/book?filter[title]=$foo:1']),
    ...queries([
      { title: { $near: [1, 2] } },
      { $rand: {} },
      { $sampleRate: 0.5 },
      { $comment: 'x' },
      { $text: { $search: 'x' } },
      { $_internalExprEq: 1 },
      { title: { $: 1 } },
      { title: { $foo: 1 } },
      { $or: { 0: { $foo: 1 } } },
    ]),
  ]);
});

describe('An object as populate', () => {
  const odd = [
    'populate[path]=author&populate[match][$where]=1',
    'populate[author][match][password][$regex]=^',
    'populate[0][path]=author',
    'populate[author][]=x',
    'populate[$where]=1',
  ];
  for (const query of odd)
    rows([
      ...gets([`/api/book?${query}`, `/api/book/{annBook}?${query}`], { as: 'eve', absent: ['Ada'] }),
      { request: `POST /query/book?${query}`, body: { query: {} }, status: 400, absent: ['Ada'] },
    ]);
});

describe('A malformed id', () => {
  for (const id of [
    '%7B%22$ne%22:null%7D',
    '[object%20Object]',
    'aaaaaaaaaaaa',
    '{eveWiki}x',
    'null',
    'undefined',
    '9'.repeat(5000),
  ])
    rows([
      { request: `GET /api/wiki/${id}`, name: `GET ${id.slice(0, 30)}`, status: 400 },
      { request: `PUT /api/wiki/${id}`, name: `PUT ${id.slice(0, 30)}`, body: { title: 'x' }, status: 400 },
      { request: `DELETE /api/wiki/${id}`, name: `DELETE ${id.slice(0, 30)}`, status: [400, 403] },
    ]);
  test('..', async () => {
    expect((await bare(world.url, 'GET', '/api/wiki/..')).status).toBe(400);
    expect((await world.get('/api/wiki/..')).status).toBe(404);
  });
});

describe('Too deep', () => {
  const deep = (levels: number): string => Array.from({ length: levels }, () => '[a]').join('');
  rows([
    ...gets(['/api/book?filter[a][b][c][d][e][f][g][h][i][j][k]=1', `/api/book?filter${deep(40)}=1`]),
    ...[11, 1000].map((levels): Scenario => ({
      name: `${levels} times $and`,
      request: 'POST /query/book',
      body: { query: nested(levels) },
      status: 400,
    })),
    {
      name: '20,000 times $and',
      request: 'POST /query/book',
      raw: `{"query":${'{"$and":['.repeat(20_000)}{}${']}'.repeat(20_000)}}`,
      headers: { 'content-type': 'application/json' },
      status: 400,
    },
  ]);
});

describe('A filter without a known field', () => {
  rows([
    ...gets(['/api/book?filter[nosuch]=1&count=1', '/count/book?filter[nosuch]=1', '/api/book?filter[__proto__]=1']),
    ...queries([{ nosuch: 1 }]),
  ]);
});

describe('A filter of the wrong shape', () => {
  rows([
    ...gets(['/api/book?filter=abc', '/api/book?filter[]=a', '/api/book?filter[title]=a&filter=b']),
    ...gets(['/api/book?filter[title]=a&filter[title]=b'], { status: 200, has: { data: [] } }),
    ...queries([[], 'x', null, [{ title: 'a' }], 1]),
    { request: 'POST /query/book', body: {}, status: 400 },
  ]);
});

describe('Broken patterns', () => {
  rows([
    ...gets([
      '/api/book?filter[title]=$regex:/(/',
      '/api/book?filter[title]=$regex:/a/zz',
      '/api/book?filter[title]=$regex:a{99999}',
    ]),
    ...queries([
      { title: { $regex: '[' } },
      { title: { $regex: 'a', $options: 'e' } },
      { title: { $options: 'i' } },
      { title: { $regex: { a: 1 } } },
    ]),
  ]);
});

describe('Search is text', () => {
  rows([
    ...gets(
      [
        '/api/book?search[title]=.*',
        '/api/book?search[title]=(',
        '/api/book?search[title]=^B',
        '/api/book?search[title]=\\',
      ],
      {
        status: 200,
        has: { data: [] },
      },
    ),
    ...gets(['/api/book?search[title][$regex]=.*', '/api/book?search[title][]=a', '/api/book?search[]=a']),
  ]);
});

describe('Patterns inside lists', () => {
  rows([
    ...gets(['/api/book?filter[title]=$in:[/(a%2B)%2B$/,x]', '/api/book?filter[title]=/(a%2B)%2B$/'], {
      status: 200,
      has: { data: [] },
    }),
    ...queries([{ title: { $in: ['/a/', '/Book/'] } }], { status: 200, has: { data: [] } }),
  ]);
});

describe('Extended JSON and BSON in disguise', () => {
  const values = [
    { $code: 'x' },
    { $regularExpression: { pattern: '(a+)+$', options: '' } },
    { $binary: { base64: 'AA==', subType: '00' } },
    { $numberLong: 1 },
    { $numberInt: '3000000000' },
    { $numberDecimal: 'NaN' },
    { $uuid: 'x' },
    { $minKey: 1 },
    { $dbPointer: { $ref: 'x', $id: 1 } },
    { $symbol: 'x' },
    { _bsontype: 'Code', code: 'x' },
    { _bsontype: 'ObjectId', id: 'x' },
  ];
  for (const value of values)
    rows([
      ...queries([{ title: value }, { meta: value }, { $or: [{ 'meta.a': value }] }]),
      { request: 'POST /aggregate/book', body: [{ $match: { meta: value } }], status: 400 },
      ...writes([{ title: 't', meta: { a: [value] } }, { title: value }]),
    ]);
});

describe('Bad ids and dates in strings', () => {
  const values = [
    { $oid: 'zz' },
    { $oid: { $ne: 1 } },
    { $date: 'soon' },
    { $date: 8.64e18 },
    'ObjectId("x")',
    'new Date("x")',
    'new Date("x").constructor',
    'ObjectId("{eveWiki}") ',
    { $oid: '{eveWiki}', x: 1 },
  ];
  for (const value of values)
    rows([
      ...queries([{ 'meta.x': value }], { status: typeof value === 'string' ? [200, 400] : 400, absent: ['Book of'] }),
      {
        request: 'POST /aggregate/book',
        body: [{ $match: { 'meta.x': value } }],
        status: typeof value === 'string' ? [200, 400] : 400,
        absent: ['Book of'],
      },
    ]);
});

describe('Odd sorts', () => {
  rows(
    gets([
      '/api/book?sort[$natural]=1',
      '/api/book?sort[title][$meta]=textScore',
      '/api/book?sort[title]=5',
      '/api/book?sort=$where',
      '/api/book?sort[__proto__]=1',
      '/api/book?sort[]=title&sort[x]=1',
      `/api/book?sort=${Array.from({ length: 100 }, (_, at) => `k${at}`).join(',')}`,
    ]),
  );
});

describe('Odd fields', () => {
  rows(
    gets(
      [
        '/api/note?fields[x]=$login.password',
        '/api/note?fields[title]=$isbn',
        '/api/note?fields=$where',
        '/api/note?fields={"a":1}',
        '/api/note?fields=a.$',
        '/api/note?fields[]=title&fields[x]=1',
        '/api/note?fields=__proto__,constructor',
      ],
      { as: 'eve', status: [200, 400], absent: ['isbn', 'password'] },
    ),
  );
});

describe('Polluting by the query string', () => {
  rows([
    ...gets([
      '/api/book?__proto__[polluted]=1&constructor[prototype][polluted]=1&filter[__proto__][polluted]=1&populate[__proto__]=x&hasOwnProperty=1&toString=1',
    ]),
    ...gets(['/api/book/{annBook}'], { status: 200, absent: ['polluted'], then: unpolluted }),
  ]);
});

function unpolluted(): void {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

describe('Polluting by the body', () => {
  const json = { 'content-type': 'application/json' };
  const texts = [
    '{"__proto__":{"polluted":1}}',
    '{"title":"t","constructor":{"prototype":{"polluted":1}}}',
    '{"title":"t","meta":{"__proto__":{"polluted":1}}}',
    '{"title":"t","__proto__.polluted":1}',
    '{"title":"t","meta.__proto__.polluted":1}',
    '{"title":"t","meta.constructor.prototype.polluted":1}',
  ];
  for (const raw of texts) {
    rows(
      ['POST /api/wiki', 'PUT /api/wiki/{eveWiki}', 'PUT /update/wiki/{eveWiki}', 'POST /login'].map((request) => ({
        name: `${request} ${raw}`,
        request,
        raw,
        headers: json,
        status: 400,
        then: unpolluted,
      })),
    );
    rows([
      {
        name: `bulk ${raw}`,
        request: 'POST /bulkwrite/wiki',
        raw: `[{"updateOne":{"filter":{"title":"x"},"update":{"$set":${raw}}}}]`,
        headers: json,
        status: 400,
        then: unpolluted,
      },
      {
        name: `query ${raw}`,
        request: 'POST /query/book',
        raw: `{"query":${raw}}`,
        headers: json,
        status: 400,
        then: unpolluted,
      },
    ]);
  }
  rows([{ request: 'POST /api/wiki', form: 'title[__proto__][polluted]=1', status: 400, then: unpolluted }]);
});

describe('Operators in documents', () => {
  rows([
    ...writes([
      { $set: { title: 'x' } },
      { title: 't', meta: { $where: 'x' } },
      { title: 't', meta: { a: { $ne: 1 } } },
      { title: 't', meta: { 'a.b': 1 } },
      { $inc: { count: 1 } },
      { $unset: { _owner_id: 1 } },
      { title: 't', 'me\0ta': 1 },
      { title: 't', meta: { 'a\0': 1 } },
      { title: 't', meta: [{ $x: 1 }] },
    ]),
  ]);
});

describe('Method names as fields', () => {
  rows([
    ...queries([{ toString: 1 }, { constructor: { $exists: true } }, { hasOwnProperty: 1, length: 1 }], {
      status: [200, 400],
      absent: ['Book of'],
    }),
    {
      request: 'POST /api/wiki',
      body: { title: 't', save: 1, isNew: false, _doc: {}, collection: 'users', validate: 1, errors: 1, toObject: 2 },
      status: 400,
      has: { message: 'Validation failed' },
    },
    { request: 'POST /api/wiki', body: { title: 't', $__: {} }, status: 400 },
    { request: 'GET /api/wiki?filter[title]=t', status: 200, absent: ['"save"', '"validate"'] },
  ]);
});
