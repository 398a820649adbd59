/**
 * A path that has left the schema is still stored, and no caller sees it or learns its value: two servers whose databases differ only in such
 * values answer alike (docs/models.md, "Fields that leave the schema").
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Row } from '../../src/models/mongoose.ts';
import { ObjectId } from '../../src/models/object-id.ts';
import { listen } from '../support/event-stream.ts';
import { type Caller, openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { nestings, type Place, placesOf, positions } from './leaks/places.ts';

const models = {
  staff: `import { Schema } from 'mongoose';
const login = new Schema({ site: String, since: Date }, { _id: false });
const schema = new Schema(
  {
    title: String, rank: Number, count: Number, same: Number, some: Number, tags: [String],
    address: { city: String, geo: { x: Number } }, login, logins: [login], keys: { type: Map, of: login }, texts: { type: Map, of: String },
    meta: Schema.Types.Mixed, grid: [[Number]], boss_id: { type: Schema.Types.ObjectId, link: 'staff', reverse: 'reports' },
    open: new Schema({ a: Number }, { _id: false, strict: false }), nick: { type: String, alias: 'short' }, secret: { type: String, select: false },
  },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, callable_statics: { rows: 'r', documents: 'r' } },
);
schema.statics.rows = async function () { return (await this.find().lean()).map((row) => Object.assign(row, { added: 1 })); };
schema.statics.documents = function () { return this.find(); };
export default schema;`,
  shown: `import { Schema } from 'mongoose';
const schema = new Schema({ title: { type: String, get: (text) => ({ text }) }, inner: { a: String } }, { perms: { all: 'crud' } });
schema.virtual('both').get(function () { return { deep: { title: this.get('title') } }; });
export default schema;`,
  shape: `import { Schema } from 'mongoose';
const schema = new Schema({ title: String }, { discriminatorKey: 'kind', perms: { all: 'crud' } });
schema.discriminator('square', new Schema({ side: Number, box: { w: Number } }));
schema.discriminator('circle', new Schema({ radius: Number }), 'round');
export default schema;`,
  loose: `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { strict: false, perms: { all: 'crud' } });`,
};

const idOf = (number: number): ObjectId => new ObjectId(number.toString(16).padStart(24, '0'));
const at = new Date('2024-05-06T07:08:09Z');
const base = (number: number): Row => ({ _id: idOf(number), _deleted: false, createdAt: at, updatedAt: at, __v: 0 });

/** What has left the schema: in another order in each twin. */
const left = (variant: number, n: number): Row => ({
  left: variant === 0 ? 700 + n : 800 - n * 7,
  gone: { text: `CANARY${variant === 0 ? n : 9 - n}` },
  both: `CANARY${variant}`,
});

const staffRow = (variant: number, n: number): Row => ({
  ...base(n),
  ...left(variant, n),
  title: ['First', 'Second', 'Third'][n],
  rank: n + 1,
  count: n + 2,
  same: 1,
  ...(n === 1 ? {} : { some: n }),
  tags: ['a', 'b'].slice(n),
  address: { city: 'Rome', geo: { x: 1, ...left(variant, n) }, ...left(variant, n) },
  login: { site: 's', ...left(variant, n), since: at },
  logins: [{ site: 't', ...left(variant, n) }],
  keys: { one: { site: 'u', ...left(variant, n) } },
  texts: { en: 'hello' },
  meta: { any: { deep: [1] } },
  grid: [[1, 2]],
  open: { a: 1, b: 2 },
  boss_id: idOf(0),
  short: `CANARY${variant}`,
  secret: 'unselected',
});

const rowsOf = (variant: number): Record<string, Row[]> => ({
  staffs: [0, 1, 2].map((n) => staffRow(variant, n)),
  showns: [{ ...base(0), ...left(variant, 0), title: 'T', inner: { a: 'b', ...left(variant, 0) } }],
  shapes: ['square', 'round', 'triangle', undefined].map((kind, n) => ({
    ...base(n),
    ...left(variant, n),
    ...(kind === undefined ? {} : { kind }),
    title: `Shape ${n}`,
    side: kind === 'square' ? 3 : (variant + 1) * (n + 5),
    box: kind === 'square' ? { w: 4 } : { w: `CANARY${variant}` },
    radius: kind === 'round' ? 2 : (variant + 1) * (n + 7),
  })),
  looses: [{ ...base(0), title: 'Loose', left: 1, gone: { text: 'kept' } }],
});

let twins: readonly PeopledServer<'root' | 'ann'>[];
beforeAll(async () => {
  twins = await Promise.all(
    [0, 1].map(async (variant) => {
      const shared_secret = 'the secret that both twins share, of more than 32 characters';
      const server = await openPeople(['root', 'ann'], { models, shared_secret, api_url: 'http://twin.test' });
      for (const [name, rows] of Object.entries(rowsOf(variant)))
        await server.dossier.services.connection.collection(name).insertMany(rows);
      return server;
    }),
  );
});

type Ask = readonly [method: string, path: string, body?: unknown];
interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Asks both, expects equal answers without a trace, and returns one of them. */
async function alike([method, path, body]: Ask, caller?: Caller): Promise<Answered> {
  const [one, other] = await Promise.all(
    twins.map(async (twin) => {
      const { status, text } = await twin.send(method, path, {
        ...(body === undefined ? {} : { body }),
        headers: caller === undefined ? {} : (twin.callers.ann.headers ?? {}),
      });
      return { status, text };
    }),
  );
  expect({ path, body, ...other }).toEqual({ path, body, ...one });
  expect(one?.text).not.toContain('CANARY');
  expect([500, path]).not.toEqual([one?.status, path]);
  return one as Answered;
}

const rowsIn = ({ text }: Answered): Row[] => (JSON.parse(text) as { data: Row[] }).data;

test('lists, single documents, links and bytes have what the schema has, and all of it', async () => {
  const rows = rowsIn(await alike(['GET', '/api/staff?sort=rank&populate=boss']));
  const shown = {
    ...{ _id: String(idOf(1)), id: String(idOf(1)), title: 'Second', rank: 2, count: 3, same: 1, tags: ['b'], __v: 0 },
    ...{ address: { city: 'Rome', geo: { x: 1 } }, login: { site: 's', since: at.toISOString() }, _deleted: false },
    ...{ logins: [{ site: 't' }], keys: { one: { site: 'u' } }, texts: { en: 'hello' }, meta: { any: { deep: [1] } } },
    ...{ grid: [[1, 2]], open: { a: 1, b: 2 }, boss_id: String(idOf(0)), createdAt: at.toISOString() },
    updatedAt: at.toISOString(),
  };
  const { boss, ...second } = rows[1] ?? {};
  expect(second).toEqual(shown);
  expect(Object.keys(boss as object).sort()).toEqual(Object.keys({ ...shown, some: 0 }).sort());
  const { text } = await alike(['GET', `/api/staff/${String(idOf(1))}?populate=reports`]);
  expect((JSON.parse(text) as { data: Row }).data).toMatchObject(shown);
  expect(rowsIn(await alike(['GET', '/api/staff?fields=secret,address&limit=1']))[0]).toMatchObject({
    secret: 'unselected',
  });
});

test('getters and virtuals keep what they return', async () => {
  const [row] = rowsIn(await alike(['GET', '/api/shown']));
  expect(row).toMatchObject({ title: { text: 'T' }, inner: { a: 'b' }, both: { deep: { title: { text: 'T' } } } });
  expect(Object.keys(row ?? {}).sort()).toEqual(
    ['_id', 'id', 'title', 'inner', 'both', '_deleted', 'createdAt', 'updatedAt', '__v'].sort(),
  );
});

test('documents show the fields of their discriminator, and of one that is gone those of the model', async () => {
  const rows = rowsIn(await alike(['GET', '/api/shape?sort=_id']));
  const own = rows.map(({ kind, side, box, radius }) => ({ kind, side, box, radius }));
  expect(own).toEqual([
    { kind: 'square', side: 3, box: { w: 4 } },
    { kind: 'round', radius: 2 },
    { kind: 'triangle' },
    {},
  ]);
  for (const ask of [
    ['GET', '/api/shape?fields=side,radius&sort=_id'],
    ['GET', '/api/shape?fields=-kind&sort=_id'],
    ['GET', '/csv/shape?fields=side,title&sort=_id'],
    ['GET', '/api/shape?sort=side'],
    ['GET', '/api/shape?sort=-side,radius&limit=1'],
    ['GET', '/api/shape?filter[side]=$gt:4'],
    ['GET', '/api/shape?filter[side]=$ne:3'],
    ['GET', '/count/shape?filter[box.w]=$exists:true'],
    ['GET', '/distinct/shape/side'],
    ['POST', '/query/shape', { query: { $or: [{ side: { $gt: 6 } }, { radius: { $not: { $gt: 3 } } }] } }],
    ['POST', '/aggregate/shape', [{ $group: { _id: '$side', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]],
    ['POST', '/aggregate/shape', [{ $match: { side: { $gt: 4 } } }, { $count: 'n' }]],
    ['POST', '/aggregate/shape', [{ $sort: { _id: 1 } }]],
  ] as const satisfies readonly Ask[])
    expect((await alike(ask)).status).toBe(200);
  const [square] = rowsIn(await alike(['POST', '/aggregate/shape', [{ $sort: { _id: 1 } }]]));
  expect(square).toMatchObject({ kind: 'square', side: 3, box: { w: 4 } });
  expect(rowsIn(await alike(['GET', '/api/shape?filter[side]=3']))).toHaveLength(1);
  expect(rowsIn(await alike(['GET', '/api/shape?filter[side]=$ne:3']))).toHaveLength(3);
});

test.each(['rows', 'documents'])('documents that a function returns have what the schema has: %s', async (name) => {
  const [row] = rowsIn(await alike(['POST', `/call/staff/${name}`, {}]));
  expect(row).toMatchObject({ login: { site: 's' }, address: { city: 'Rome', geo: { x: 1 } }, open: { a: 1, b: 2 } });
  expect(JSON.stringify(row)).not.toContain('left');
  if (name === 'rows') expect(row).toMatchObject({ added: 1 });
});

test.each<Ask>([
  ['GET', '/csv/staff?sort=_id'],
  ['GET', '/csv/staff?fields=address,logins,keys&sort=_id'],
  ['GET', '/api/staff?filter[left]=$gt:750'],
  ['GET', '/api/staff?filter[login.left]=$gt:750'],
  ['GET', '/api/staff?filter[boss.left]=$gt:750'],
  ['GET', '/api/staff?sort=left'],
  ['GET', '/api/staff?sort=address'],
  ['GET', '/api/staff?search[left]=7'],
  ['GET', '/api/staff?fields=left'],
  ['GET', '/api/staff?fields=address.left'],
  ['GET', '/distinct/staff/left'],
  ['GET', '/distinct/staff/address'],
  ['GET', '/distinct/staff/keys'],
  ['POST', '/query/staff', { query: { left: { $gt: 750 } } }],
  ['POST', '/query/staff', { query: { login: { $gt: { site: 's', left: 750 } } } }],
  ['POST', '/query/staff', { query: { logins: { $elemMatch: { left: { $gt: 750 } } } } }],
  ['POST', '/query/staff', { query: { address: { city: 'Rome', geo: { x: 1 } } } }],
  ['POST', '/bulkwrite/staff', [{ updateOne: { filter: { left: { $gt: 750 } }, update: { rank: 1 } } }]],
  ['POST', '/bulkwrite/staff', [{ updateOne: { filter: { rank: 1 }, update: { $rename: { left: 'rank' } } } }]],
  ['POST', '/bulkwrite/staff', [{ updateOne: { filter: { rank: 1 }, update: { $pull: { logins: { left: 700 } } } } }]],
  ['GET', '/model/staff'],
  ['GET', '/events/staff?filter[left]=1'],
])('%s %s %p tells nothing', async (...ask) => {
  await alike(ask);
  await alike(ask, twins[0]?.callers.ann);
});

const expressions = (path: string): readonly object[] => [
  { $gt: [`$${path}`, 750] },
  { $gt: [`$$ROOT.${path}`, 750] },
  { $gt: [{ $getField: { field: path.split('.').at(-1), input: path.includes('.') ? '$login' : '$$ROOT' } }, 750] },
  { $gt: [{ $bsonSize: '$$ROOT' }, 700] },
  { $gt: ['$login', { site: 's', left: 750 }] },
];
const asked: Readonly<Record<Place['takes'], (path: string) => readonly unknown[]>> = {
  expression: expressions,
  filter: (path) => [
    ...expressions(path).map((one) => ({ $expr: one })),
    { [path]: { $gt: 750 } },
    { login: { $gt: { site: 's', left: 750 } } },
  ],
  order: (path) => [
    { [path]: 1, _id: 1 },
    { login: 1, _id: 1 },
  ],
  path: (path) => [path, 'login'],
};
const places = Object.entries(placesOf).flatMap(([stage, options]) =>
  Object.entries(options).flatMap(([option, given]) =>
    typeof given === 'string' ? [] : [given].flat().map((one: Place, n) => ({ name: `${stage} ${option} ${n}`, one })),
  ),
);

describe('every place of a pipeline', () => {
  test.each(places)('$name', async ({ one }) => {
    for (const path of ['left', 'login.left'])
      for (const question of asked[one.takes](path))
        await alike(['POST', '/aggregate/staff', one.ask(question as never, 'staff')]);
  });

  const wrapped = { ...positions, ...nestings };
  test.each(Object.keys(wrapped))('%s', async (position) => {
    const around = wrapped[position] as (stages: readonly object[], model: string) => readonly object[];
    for (const stages of [
      [],
      [{ $match: { left: { $gt: 750 } } }],
      [{ $project: { left: 1, keys: 1 } }],
      [{ $set: { x: '$left' } }],
    ])
      await alike(['POST', '/aggregate/staff', around(stages, 'staff')]);
    for (const asks of [{ $group: { _id: '$left' } }, { $group: { _id: null, all: { $push: '$$ROOT' } } }])
      await alike(['POST', '/aggregate/staff', around([asks, { $sort: { _id: 1 } }], 'staff')]);
  });

  test('documents of a pipeline have what the schema has', async () => {
    const [row] = rowsIn(await alike(['POST', '/aggregate/staff', [{ $match: { rank: 2 } }]]));
    expect(row).toMatchObject({
      ...{ title: 'Second', address: { city: 'Rome', geo: { x: 1 } }, logins: [{ site: 't' }], grid: [[1, 2]] },
      ...{ keys: { one: { site: 'u' } }, texts: { en: 'hello' }, meta: { any: { deep: [1] } }, open: { a: 1, b: 2 } },
    });
  });
});

test('answers to writes and events have what the schema has', async () => {
  const id = String(idOf(2));
  const events = await Promise.all(twins.map((twin) => listen(`${twin.url}/events/staff`)));
  for (const path of [`/api/staff/${id}`, `/update/staff/${id}`]) {
    const { data } = JSON.parse((await twins[0]?.send('PUT', path, { body: { rank: 3 } }))?.text ?? '') as {
      data: Row;
    };
    await twins[1]?.send('PUT', path, { body: { rank: 3 } });
    expect(data).toMatchObject({ rank: 3, login: { site: 's' } });
    expect(JSON.stringify(data)).not.toMatch(/CANARY|left/);
  }
  for (const stream of events) {
    await stream.when(() => stream.received.length >= 2);
    expect(stream.received[0]).toMatchObject({ item: { rank: 3, address: { city: 'Rome', geo: { x: 1 } } } });
    expect(JSON.stringify(stream.received)).not.toMatch(/CANARY|left/);
    stream.close();
  }
});

test.each([
  [{ op: 'test', path: '/left', value: 702 }],
  [{ op: 'test', path: '/login/left', value: 702 }],
  [{ op: 'test', path: '/address', value: { city: 'Rome', geo: { x: 1 } } }],
  [{ op: 'copy', from: '/left', path: '/rank' }],
  [{ op: 'move', from: '/gone/text', path: '/title' }],
  [{ op: 'replace', path: '/left', value: 1 }],
])('a patch of %p tells nothing', async (operation) => {
  const answers = await Promise.all(
    twins.map((twin) =>
      twin.send('PATCH', `/api/staff/${String(idOf(1))}`, {
        body: [operation],
        headers: { 'content-type': 'application/json-patch+json' },
      }),
    ),
  );
  expect(answers[1]?.status).toBe(answers[0]?.status);
  if ((answers[0]?.status ?? 0) >= 400) expect(answers[1]?.body).toEqual(answers[0]?.body);
  for (const { text } of answers) expect(text).not.toContain('CANARY');
});

test('admins may request what is stored, and no password', async () => {
  const [server] = twins;
  if (server === undefined) throw new Error('no server');
  const { root, ann } = server.callers;
  await server.dossier.services.connection
    .collection('staffs')
    .updateOne({ _id: idOf(0) }, { $set: { Password: 'CANARY', 'login.password': 'CANARY' } });
  const { rows } = await server.get('/api/staff?fields=*&sort=_id', root);
  expect(rows[0]).toMatchObject({ left: 700, gone: { text: 'CANARY0' }, login: { left: 700 }, secret: 'unselected' });
  expect(rows[0]).not.toHaveProperty('Password');
  expect(rows[0]).not.toHaveProperty('login.password');
  expect((await server.get(`/api/shown/${String(idOf(0))}?fields=*`, root)).document).toMatchObject({ left: 700 });
  expect((await server.get('/api/staff?fields=*', ann)).status).toBe(403);
  expect((await server.get('/api/staff?fields=*')).status).toBe(401);
  expect((await server.get('/csv/staff?fields=*', root)).status).toBe(400);
});

test('a model without a strict schema shows all of its paths', async () => {
  const [row] = rowsIn(await alike(['GET', '/api/loose?filter[left]=1&sort=gone.text']));
  expect(row).toMatchObject({ title: 'Loose', left: 1, gone: { text: 'kept' } });
  expect(rowsIn(await alike(['POST', '/aggregate/loose', [{ $group: { _id: '$left' } }]]))).toEqual([{ _id: 1 }]);
});
