/** Idempotency-Key: a request that is sent again is not carried out again (docs/writing.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { ObjectId } from '../../src/models/mongoose.ts';
import { models, openShelf, type Shelf } from '../batch/shelf.ts';
import type { Answer } from '../support/client.ts';
import type { ModelFiles } from '../support/models.ts';
import { needs } from '../support/needs.ts';

const testInUnit = needs('transactions');
let shelf: Shelf;
const ownModels: ModelFiles = {
  pay: ({ Schema }) =>
    new Schema(
      {
        code: { type: String, unique: true },
        salary: { type: Number, perms: { owner: 'cru' } } as object,
        note: String,
      },
      {
        perms: { user: { c: true, r: { where: { note: { $ne: 'hidden' } } }, u: true } },
        callable_statics: { own: { needs: 'r', on: 'document' } },
        statics: { own: () => 'of the document' },
      } as object,
    ),
  /** Another writer overtakes each of the next `left` saves. */
  race: ({ Schema }) => {
    const race = new Schema({ title: String, left: Number }, { perms: { user: 'crud' } } as object);
    race.pre('save', async function () {
      if (this.isNew || !(Number(this.get('left')) > 0)) return;
      await (this.constructor as any).collection.updateOne({ _id: this._id }, { $inc: { left: -1, __v: 1 } });
    });
    return race;
  },
};
beforeAll(async () => {
  shelf = await openShelf({ max_body_size: 2_000_000, models: { ...models, ...ownModels } });
});

type Person = 'root' | 'rita' | 'ann' | 'bob' | 'anonymous';
const keyed = (person: Person, key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  shelf.as(person, method, path, { body, headers: { 'idempotency-key': key } });
const replayed = ({ headers }: Answer): string | null => headers.get('idempotency-replayed');
const same = (first: Answer, second: Answer): void => {
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
};

test('the first answer is given again, and nothing is written', async () => {
  const create = () => keyed('ann', 'create', 'POST', '/api/author?_silence=0', { name: 'created once' });
  const [made, again] = [await create(), await create()];
  expect(made.status).toBe(201);
  same(made, again);
  const path = `/api/author/${String(made.document['_id'])}`;
  for (const [method, at, body] of [
    ['PUT', path, { n: 1 }],
    ['PUT', path.replace('api', 'update'), { n: 2 }],
    ['POST', path.replace('api', 'update'), { n: 3 }],
    ['DELETE', path, undefined],
  ] as const) {
    const key = `${method} ${at}`.replace(' ', '');
    const first = await keyed('ann', key, method, at, body);
    expect(first.status).toBe(200);
    same(first, await keyed('ann', key, method, at, body));
  }
  const row = await shelf.dossier.services.connection.db!.collection('authors').findOne({ name: 'created once' });
  expect(row).toMatchObject({ __v: 4, n: 3, _deleted: true });
});

testInUnit('a batch is given again, and writes once', async () => {
  const operations = [
    { ref: 'a', method: 'POST', path: '/api/author', body: { name: 'batched once' } },
    { method: 'POST', path: '/api/book', body: { author_id: '$a._id' } },
  ];
  const send = () => shelf.batch('ann', operations, {}, { headers: { 'idempotency-key': 'batch' } });
  const first = await send();
  expect(first.status).toBe(200);
  same(first, await send());
  const failing = () =>
    shelf.batch('ann', operations, {}, { headers: { 'idempotency-key': 'failing batch'.replace(' ', '-') } });
  const failed = await failing();
  expect([failed.status, failed.body['operation']]).toEqual([409, 0]);
  same(failed, await failing());
});

test('a batch that is not atomic, a bulk write and a function are given again', async () => {
  const before = await shelf.count('author');
  const batch = () =>
    shelf.batch(
      'ann',
      [
        { method: 'POST', path: '/api/author', body: { name: 'one' } },
        { method: 'POST', path: '/api/author', body: {} },
      ],
      { atomic: false },
      { headers: { 'idempotency-key': 'loose' } },
    );
  same(await batch(), await batch());
  const bulk = () => keyed('ann', 'bulk', 'POST', '/bulkwrite/author', [{ insertOne: { document: { name: 'bulk' } } }]);
  same(await bulk(), await bulk());
  const call = () => keyed('ann', 'call', 'POST', '/call/author/register', {});
  same(await call(), await call());
  expect(await shelf.count('author')).toBe(before + 3);
});

testInUnit('a bulk write with a key is all or nothing, and says so', async () => {
  const before = await shelf.count('author');
  const document = { name: 'bulk twice' };
  const operations = [
    { insertOne: { document: { name: 'bulk first' } } },
    { insertOne: { document } },
    { insertOne: { document } },
  ];
  const failed = await keyed('ann', 'bulk-fault', 'POST', '/bulkwrite/author', operations);
  expect([failed.status, failed.body['index'], failed.body['data'].nInserted]).toEqual([409, 2, 0]);
  expect(await shelf.count('author')).toBe(before);
  same(failed, await keyed('ann', 'bulk-fault', 'POST', '/bulkwrite/author', operations));
});

test('failures are given again, except for those of the server and of the credentials', async () => {
  const faulty = () => keyed('ann', 'faulty', 'POST', '/api/author', { n: 'many' });
  const failed = await faulty();
  expect(failed.status).toBe(400);
  same(failed, await faulty());
  const forbidden = () => keyed('ann', 'forbidden', 'POST', '/api/vault', { n: 1 });
  same(await forbidden(), await forbidden());
});

test('with another request a key is a 422; of another caller it is another key', async () => {
  expect((await keyed('ann', 'other', 'POST', '/api/account', { n: 1 })).status).toBe(201);
  for (const [method, path, body] of [
    ['POST', '/api/account', { n: 2 }],
    ['POST', '/api/account?_silence=1', { n: 1 }],
    ['POST', '/api/book', { n: 1 }],
    ['DELETE', '/api/account/0123456789abcdef01234567', undefined],
  ] as const)
    expect((await keyed('ann', 'other', method, path, body)).status).toBe(422);
  const made = await keyed('bob', 'other', 'POST', '/api/account', { n: 1 });
  expect([made.status, replayed(made)]).toEqual([201, null]);
});

const bad: readonly (readonly [string, Person, string, string, string, unknown])[] = [
  ['an empty key', 'ann', '', 'POST', '/api/account', {}],
  ['a blank in it', 'ann', 'a b', 'POST', '/api/account', {}],
  ['a long key', 'ann', 'x'.repeat(256), 'POST', '/api/account', {}],
  ['other characters', 'ann', 'ä', 'POST', '/api/account', {}],
  ['nobody', 'anonymous', 'a', 'POST', '/api/author', { name: 'nobody' }],
  ['a login', 'ann', 'a', 'POST', '/login', { email: 'ann@x.test', password: 'x' }],
  ['a query', 'ann', 'a', 'POST', '/query/author', { query: {} }],
  ['a pipeline', 'ann', 'a', 'POST', '/aggregate/author', []],
];
test.each(bad)('%s is a 400', async (_name, person, key, method, path, body) => {
  expect((await keyed(person, key, method, path, body)).status).toBe(400);
});

test('a caller without a right has to sign in', async () => {
  expect((await keyed('anonymous', 'a', 'POST', '/api/book', {})).status).toBe(401);
});

test('a read ignores it', async () => {
  expect((await keyed('ann', 'a b', 'GET', '/api/account')).status).toBe(200);
});

test('50 at once write once', async () => {
  const send = () => keyed('ann', 'at-once', 'POST', '/api/account', { n: 50 });
  const answers = await Promise.all(Array.from({ length: 50 }, send));
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(answers.filter((answer) => answer.status === 201 && replayed(answer) === null)).toHaveLength(1);
  for (const answer of answers) if (answer.status === 409) expect(answer.headers.get('retry-after')).toBe('1');
  expect((await shelf.as('ann', 'GET', '/count/account?filter[n]=50')).body['count']).toBe(1);
  expect(replayed(await send())).toBe('true');
});

test('an answer of more than 1 MB is not repeated, and not written again', async () => {
  const send = () => keyed('ann', 'large', 'POST', '/api/book', { extra: 'x'.repeat(1_050_000) });
  expect((await send()).status).toBe(201);
  const again = await send();
  expect([again.status, again.headers.get('retry-after')]).toEqual([409, null]);
});

test('what the caller may no longer read is not repeated', async () => {
  const { db } = shelf.dossier.services.connection;
  const diary = () => keyed('bob', 'diary', 'POST', '/api/diary', { text: 'mine' });
  const made = await diary();
  expect(made.document['text']).toBe('mine');
  expect((await diary()).status).toBe(201);
  // a rule hides the document since then
  await db!.collection('diaries').updateOne({ text: 'mine' }, { $set: { text: 'hidden' } });
  expect((await diary()).status).toBe(410);
  // as an admin rita loses her rights on the model
  const vault = () => keyed('rita', 'vault', 'POST', '/api/vault', { n: 1 });
  const author = () => keyed('rita', 'secret', 'POST', '/api/author', { name: 'of rita', secret: 's' });
  expect([(await vault()).status, (await author()).document['secret']]).toEqual([201, 's']);
  await shelf.as('root', 'PUT', `/api/user/${shelf.callers.rita.user_id}`, { body: { admin: false } });
  expect([(await vault()).status, (await author()).status]).toEqual([410, 410]);
});

test('a field that the caller has lost is not repeated, nor is a row', async () => {
  const { db } = shelf.dossier.services.connection;
  const pays = db!.collection('pays');
  const made = await keyed('ann', 'pay', 'POST', '/api/pay', { code: 'p1', salary: 5, note: 'mine' });
  const path = `/api/pay/${String(made.document['_id'])}`;
  const ways: readonly (readonly [string, () => Promise<Answer>])[] = [
    ['POST', () => keyed('ann', 'pay', 'POST', '/api/pay', { code: 'p1', salary: 5, note: 'mine' })],
    ['PUT', () => keyed('ann', 'pay-put', 'PUT', path, { note: 'x' })],
    ['PATCH', () => keyed('ann', 'pay-patch', 'PATCH', path, { note: 'y' })],
    ['update', () => keyed('ann', 'pay-update', 'PUT', path.replace('api', 'update'), { note: 'z' })],
    ['upsert', () => keyed('ann', 'pay-upsert', 'PUT', '/api/pay?on=code', { code: 'p1', note: 'u' })],
    [
      'batch',
      () =>
        shelf.batch(
          'ann',
          [{ method: 'PUT', path, body: { note: 'b' } }],
          { atomic: false },
          {
            headers: { 'idempotency-key': 'pay-batch' },
          },
        ),
    ],
    ['call', () => keyed('ann', 'pay-call', 'POST', path.replace('api', 'call') + '/own', {})],
  ];
  const change = (values: object) => pays.updateOne({ code: 'p1' }, { $set: values });
  for (const [way, send] of ways) expect([way, (await send()).status]).toEqual([way, way === 'POST' ? 201 : 200]);
  for (const [way, send] of ways) expect([way, replayed(await send())]).toEqual([way, 'true']);
  await change({ _owner_id: new ObjectId(shelf.callers.bob.user_id) });
  for (const [way, send] of ways.slice(0, -1)) {
    const { status, text } = await send();
    expect([way, status, text.includes('salary')]).toEqual([way, 410, false]);
  }
  const unsalaried = () => keyed('ann', 'pay-others', 'PUT', path, { note: 'of bob' });
  const first = await unsalaried();
  expect(first.document).not.toHaveProperty('salary');
  same(first, await unsalaried());
  // a rule hides the row
  await change({ _owner_id: new ObjectId(shelf.callers.ann.user_id), note: 'hidden' });
  for (const [way, send] of ways) expect([way, (await send()).status]).toEqual([way, 410]);
});

test('If-Match is a part of the request', async () => {
  const made = await shelf.as('ann', 'POST', '/api/account', { body: { n: 1 } });
  const path = `/api/account/${String(made.document['_id'])}`;
  const tag = (await shelf.as('ann', 'GET', path)).headers.get('etag') ?? '';
  const put = (headers: Readonly<Record<string, string>>) =>
    shelf.as('ann', 'PUT', path, { body: { n: 2 }, headers: { 'idempotency-key': 'if-match', ...headers } });
  const first = await put({ 'if-match': tag });
  expect(first.status).toBe(200);
  same(first, await put({ 'if-match': tag }));
  for (const headers of [{}, { 'if-match': '"other"' }, { 'if-match': '*' }])
    expect((await put(headers)).status).toBe(422);
});

testInUnit('an answer that says to try again is not kept', async () => {
  const made = await shelf.as('ann', 'POST', '/api/race', { body: { left: 100 } });
  const path = `/update/race/${String(made.document['_id'])}`;
  const send = () => keyed('ann', 'race', 'PUT', path, { title: 'won' });
  const overtaken = await send();
  expect([overtaken.status, overtaken.headers.get('retry-after'), replayed(overtaken)]).toEqual([503, '1', null]);
  const races = shelf.dossier.services.connection.db!.collection('races');
  await races.updateOne({}, { $set: { left: 0 } });
  const done = await send();
  expect([done.status, replayed(done)]).toEqual([200, null]);
  same(done, await send());
});

test('records hold nothing that can be read, expire, and are not served', async () => {
  const { db } = shelf.dossier.services.connection;
  const records = db!.collection('_dossier_idempotency');
  const text = JSON.stringify(await records.find().toArray());
  for (const secret of [
    'created once',
    'plain-token-of-a-function',
    'at-once',
    '/api/account',
    shelf.callers.ann.user_id,
  ])
    expect(text).not.toContain(secret);
  expect(await records.indexes()).toContainEqual(expect.objectContaining({ key: { until: 1 }, expireAfterSeconds: 0 }));
  expect((await shelf.as('root', 'GET', '/api/_idempotency')).status).toBe(404);
});
