/** `GET /distinct`: the values of a field with their counts, and which fields it refuses. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import type { Answer } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

let server: PeopledServer<'root' | 'ann'>;

beforeAll(async () => {
  server = await openPeople(['root', 'ann'], {
    models: {
      book: ({ Schema }) => {
        const schema = new Schema(
          {
            title: String,
            kind: String,
            year: { type: Number, alias: 'published' },
            tags: [String],
            grid: [[Number]],
            at: Date,
            parts: [{ name: String, sizes: [Number] }],
            place: { shelf: String, row: Number },
            login: { site: String, password: String },
            pay: { type: Number, perms: { admin: 'r', owner: 'r' } },
            free: {},
            others: { type: Map, of: Number },
          },
          { perms: { all: 'r', admin: 'crud' } },
        );
        schema.virtual('label').get(() => 'x');
        return schema.index({ title: 'text' });
      },
      note: ({ Schema }) =>
        new Schema(
          { kind: String, open: Boolean },
          { perms: { owner: 'crud', all: { r: { where: { open: true } } } } },
        ),
    },
    pre_hooks: {
      distinct: (req: any, _res, next) => {
        if (req.query['_only'] !== undefined) req.dossier.filter = { kind: req.query['_only'] };
        next();
      },
    },
  });
  const { connection } = server.dossier.services;
  const ann = server.callers.ann.user_id;
  await connection.collection('books').insertMany([
    {
      title: 'red one',
      kind: 'a',
      year: 1,
      tags: ['x', 'y'],
      grid: [[3], [1, 2]],
      at: new Date(0),
      pay: 5,
      _deleted: false,
    },
    {
      title: 'red two',
      kind: 'a',
      year: 2,
      tags: ['x'],
      parts: [{ name: 'p', sizes: [1, 2] }, { name: 'q', sizes: [] }, { name: 'p' }],
      _deleted: false,
    },
    {
      title: 'blue',
      kind: 'b',
      year: 2,
      tags: [],
      place: { shelf: 's', row: 1 },
      free: { colour: 'red', password: 'CANARY' },
      _deleted: false,
    },
    {
      title: 'green',
      kind: null,
      year: 3,
      tags: ['y'],
      place: { shelf: 's', row: 1 },
      free: { colour: ['red', { password: 'CANARY' }] },
      _deleted: false,
    },
    { title: 'gone', kind: 'z', year: 9, tags: ['z'], _deleted: true },
    { title: 'bare', free: 'plain', login: { site: 't', password: 'CANARY' }, others: { m: 1 } },
  ]);
  const owner = modelOf(server.dossier.services.registry.get('note')).schema.path('_owner_id').cast(ann);
  await connection.collection('notes').insertMany([
    { kind: 'own', open: false, _owner_id: owner },
    { kind: 'open', open: true },
    { kind: 'shut', open: false },
  ]);
});

const pairs = ({ status, body, text }: Answer): unknown =>
  status === 200
    ? (body['data'] as { value: unknown; count: number }[]).map(({ value, count }) => [value, count])
    : text;
const distinct = async (path: string): Promise<unknown> => pairs(await server.get(`/distinct/book/${path}`));

test.each<[path: string, expected: readonly (readonly unknown[])[]]>([
  [
    'kind',
    [
      ['a', 2],
      [null, 1],
      ['b', 1],
    ],
  ],
  [
    'year',
    [
      [2, 2],
      [1, 1],
      [3, 1],
    ],
  ],
  [
    'published',
    [
      [2, 2],
      [1, 1],
      [3, 1],
    ],
  ],
  [
    'tags',
    [
      ['x', 2],
      ['y', 2],
    ],
  ],
  [
    'parts.name',
    [
      ['p', 2],
      ['q', 1],
    ],
  ],
  [
    'parts.sizes',
    [
      [1, 1],
      [2, 1],
    ],
  ],
  [
    'grid',
    [
      [[1, 2], 1],
      [[3], 1],
    ],
  ],
  ['at', [['1970-01-01T00:00:00.000Z', 1]]],
  ['place', [[{ shelf: 's', row: 1 }, 2]]],
  ['place.row', [[1, 2]]],
  ['login.site', [['t', 1]]],
  ['others.m', [[1, 1]]],
  // objects that no schema describes may contain passwords, and are omitted
  ['free', [['plain', 1]]],
  ['free.colour', [['red', 2]]],
  ['kind?limit=1', [['a', 2]]],
  [
    'kind?filter[year]=$gte:2',
    [
      [null, 1],
      ['a', 1],
      ['b', 1],
    ],
  ],
  ['kind?search[title]=red', [['a', 2]]],
  ['kind?showDeleted=true&filter[year]=9', [['z', 1]]],
  ['kind?filter[year]=77', []],
  ['kind?_only=b', [['b', 1]]],
])('%s', async (path, expected) => {
  expect(await distinct(path)).toEqual(expected);
});

needs('text search')('searches in the text index', async () => {
  expect(await distinct('kind?search=red')).toEqual([['a', 2]]);
});

test('ids are values', async () => {
  const { body } = await server.get('/distinct/book/_id?limit=1000');
  expect(body['data']).toHaveLength(5);
});

describe('refuses', () => {
  test.each<[path: string, err: string]>([
    ['knid', 'distinct: knid is not in the schema; did you mean "kind"?'],
    ['label', 'distinct: label is a virtual: answers show it'],
    ['login', 'login cannot be queried'],
    ['login.password', 'login.password cannot be queried'],
    ['free.password', 'free.password cannot be queried'],
    ['pay', 'distinct: pay is not in the schema'],
    ['tags.0', 'name tags.0 without a position'],
    ['$where', '"$where" cannot be used as a name'],
    ['__proto__', '"__proto__" cannot be used as a name'],
    ['kind?limit=0', 'limit: must be a whole number from 1 to 1000, got "0"'],
    ['kind?limit=1001', 'limit: must be a whole number from 1 to 1000, got "1001"'],
    ['kind?limit=abc', 'limit: must be a whole number from 1 to 1000, got "abc"'],
    ['kind?limit=', 'limit: must be a whole number from 1 to 1000, got ""'],
    ['kind?filter[password]=x', 'password cannot be queried'],
  ])('%s', async (path, err) => {
    const { status, body } = await server.get(`/distinct/book/${path}`);
    expect([status, body['err']]).toEqual([400, expect.stringContaining(err)]);
  });

  test('models that the caller may not read', async () => {
    expect((await server.get('/distinct/user/name')).status).toBe(401);
    expect((await server.get('/distinct/nothing/name')).status).toBe(404);
  });
});

test('returns only rows and fields that the caller may read', async () => {
  const ask = async (person: 'root' | 'ann' | 'anonymous', path: string): Promise<unknown> =>
    pairs(await server.as(person, 'GET', `/distinct/${path}`));
  expect(await ask('anonymous', 'note/kind')).toEqual([['open', 1]]);
  expect(await ask('ann', 'note/kind')).toEqual([
    ['open', 1],
    ['own', 1],
  ]);
  expect(await ask('root', 'book/pay')).toEqual([[5, 1]]);
  expect((await server.as('ann', 'GET', '/distinct/book/pay')).status).toBe(400);
});
