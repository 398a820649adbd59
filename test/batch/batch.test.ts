/** POST /batch: several writes as one (docs/writing.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { listen } from '../support/event-stream.ts';
import { needs } from '../support/needs.ts';
import { openShelf, type Shelf } from './shelf.ts';

const testInUnit = needs('transactions');
let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf();
});

const author = (name: string, ref = 'a') => ({ ref, method: 'POST', path: '/api/author', body: { name } });

testInUnit('later operations refer to the answers of earlier ones', async () => {
  const { status, body } = await shelf.batch('ann', [
    author('Ursula'),
    {
      ref: 'b',
      method: 'POST',
      path: '/api/book',
      body: { title: '$$5 and $a.name', author_id: '$a._id', tags: ['$a.name'] },
    },
    {
      method: 'PUT',
      path: '/update/book/$b._id?_silence=1',
      body: { title: '$b.title', extra: { all: '$b.tags', first: '$b.tags.0', n: '$b.__v' } },
    },
    { method: 'DELETE', path: '/api/author/$b.author_id?_permaDelete=1' },
  ]);
  expect([status, body]).toMatchObject([200, { status: 'ok' }]);
  const answers = body['data'] as readonly { status: number; body: { data: Record<string, unknown> } }[];
  expect(answers.map((one) => one.status)).toEqual([201, 201, 200, 200]);
  const [first, second, third, last] = answers.map((one) => one.body);
  expect(second?.data).toMatchObject({ title: '$5 and $a.name', author_id: first?.data['_id'], tags: ['Ursula'] });
  expect(third?.data['extra']).toEqual({ all: ['Ursula'], first: 'Ursula', n: 0 });
  expect(last).toMatchObject({ deleted: { author: 1 } });
  expect((await shelf.as('ann', 'GET', `/api/book/${String(second?.data['_id'])}`)).document).toEqual(third?.data);
});

testInUnit(
  'nothing is written and no event is sent when one fails, whose status and position are answered',
  async () => {
    const events = await listen(`${shelf.url}/events/author`, shelf.callers.ann.headers);
    const before = await shelf.count('author');
    const failed = await shelf.batch('ann', [author('Octavia'), author('Octavia', 'b'), author('Never', 'c')]);
    expect([failed.status, failed.body]).toMatchObject([
      409,
      { status: 'fail', operation: 1, errors: [{ path: 'name' }] },
    ]);
    expect(await shelf.count('author')).toBe(before);
    expect((await shelf.batch('ann', [author('Sent')])).status).toBe(200);
    await events.when(() => JSON.stringify(events.received).includes('Sent'));
    expect(JSON.stringify(events.received)).not.toContain('Octavia');
    events.close();
  },
);

testInUnit('each operation has its own rights, rules and limits', async () => {
  const rules: readonly (readonly [Parameters<Shelf['batch']>[0], object, number])[] = [
    ['ann', { method: 'POST', path: '/api/vault', body: { n: 1 } }, 403],
    ['anonymous', { method: 'POST', path: '/api/book', body: {} }, 401],
    ['ann', { method: 'POST', path: '/api/author', body: { name: 'x', secret: 's' } }, 403],
    ['ann', { method: 'POST', path: '/api/book', body: { author_id: '0123456789abcdef01234567' } }, 400],
    ['ann', { method: 'PUT', path: '/api/book/0123456789abcdef01234567', body: {} }, 404],
    ['ann', { method: 'POST', path: '/api/book?password_override=1', body: {} }, 403],
    ['ann', { method: 'POST', path: '/api/book?nonsense=1', body: {} }, 400],
    ['ann', { method: 'POST', path: '/api/user', body: { email: 'a@x.test', password: 'pw-new-1' } }, 403],
  ];
  for (const [person, operation, status] of rules) {
    const before = await shelf.count('author');
    const failed = await shelf.batch(person, [author(`rights ${String(status)}`), operation]);
    expect([operation, failed.status, failed.body['operation']]).toEqual([operation, status, 1]);
    expect(await shelf.count('author')).toBe(before);
  }
  expect((await shelf.batch('anonymous', [author('by nobody')])).status).toBe(200);
});

testInUnit('what a caller may not read is not answered, and cannot be referred to', async () => {
  const hidden = { ref: 'd', method: 'POST', path: '/api/diary', body: { text: 'hidden' } };
  const { body } = await shelf.batch('ann', [hidden]);
  expect(body['data'][0].body).not.toHaveProperty('data');
  const failed = await shelf.batch('ann', [hidden, { method: 'POST', path: '/api/book', body: { title: '$d.text' } }]);
  expect([failed.status, failed.body['operation']]).toEqual([400, 1]);
  const unseen = await shelf.batch('ann', [
    author('seen'),
    { method: 'POST', path: '/api/book', body: { title: '$a.secret' } },
  ]);
  expect([unseen.status, unseen.body['operation']]).toEqual([400, 1]);
});

testInUnit('If-Match holds for its operation', async () => {
  const made = await shelf.as('ann', 'POST', '/api/account', { body: { n: 1 } });
  const path = `/api/account/${String(made.document['_id'])}`;
  const tag = (await shelf.as('ann', 'GET', path)).headers.get('etag') ?? '';
  const put = { method: 'PUT', path, headers: { 'If-Match': tag }, body: { n: 2 } };
  expect((await shelf.batch('ann', [put])).status).toBe(200);
  expect((await shelf.batch('ann', [{ ...put, headers: { 'if-match': tag } }])).status).toBe(412);
  expect(
    (await shelf.batch('ann', [{ method: 'PUT', path, body: { n: 3 } }], {}, { headers: { 'if-match': tag } })).status,
  ).toBe(200);
});

testInUnit('so does If-None-Match: * only creates', async () => {
  const put = { method: 'PUT', path: '/api/account?on=code', body: { code: 'c-1', n: 1 } };
  const only = { ...put, headers: { 'If-None-Match': '*' } };
  const statuses = (body: any): unknown => body.data.map(({ status }: { readonly status: number }) => status);
  expect(statuses((await shelf.batch('ann', [only])).body)).toEqual([201]);
  expect(await shelf.batch('ann', [put, only])).toMatchObject({ status: 412, body: { operation: 1 } });
  expect(statuses((await shelf.batch('ann', [put, only], { atomic: false })).body)).toEqual([200, 412]);
  // that of the batch is none of its operations
  expect((await shelf.batch('ann', [put], {}, { headers: { 'if-none-match': '*' } })).status).toBe(200);
});

testInUnit('hooks run for each operation, with its request', async () => {
  const from = shelf.seen.length;
  const { body } = await shelf.batch('ann', [
    { ref: 'b', method: 'POST', path: '/api/book?_silence=0', body: { title: 'renamed' } },
    { method: 'PUT', path: '/api/book/$b._id', body: { title: '$b.title' } },
    { ref: 'm', method: 'POST', path: '/api/book', body: { title: 'masked' } },
    { method: 'POST', path: '/api/book', body: { title: '$m.title' } },
  ]);
  const titles = (body['data'] as { body: { data: { title: string } } }[]).map((one) => one.body.data.title);
  expect(titles).toEqual(['by hook', 'by hook', '***', '***']);
  const id = String(body['data'][0].body.data._id);
  expect(shelf.seen.slice(from)).toEqual([
    'pre POST /api/book?_silence=0 {"model":"book"} {"_silence":"0"} {"title":"renamed"}',
    'post POST /api/book?_silence=0 {"model":"book"} {"_silence":"0"} {"title":"renamed"}',
    `pre PUT /api/book/${id} {"model":"book","id":"${id}"} {} {"title":"by hook"}`,
    'pre POST /api/book {"model":"book"} {} {"title":"masked"}',
    'post POST /api/book {"model":"book"} {} {"title":"masked"}',
    'pre POST /api/book {"model":"book"} {} {"title":"***"}',
    'post POST /api/book {"model":"book"} {} {"title":"***"}',
  ]);
});

testInUnit('a pre-hook that answers by itself fails the batch', async () => {
  const before = await shelf.count('author');
  const failed = await shelf.batch('ann', [
    author('gone'),
    { method: 'POST', path: '/api/book', body: { title: 'answered' } },
  ]);
  expect([failed.status, failed.body['operation']]).toEqual([409, 1]);
  expect(failed.body['err']).toContain('pre_hooks.post');
  expect(await shelf.count('author')).toBe(before);
});

testInUnit('a cascade and writes of users are parts of the batch', async () => {
  const { body } = await shelf.batch('root', [
    author('cascaded'),
    { method: 'POST', path: '/api/book', body: { author_id: '$a._id' } },
    { method: 'DELETE', path: '/api/author/$a._id?_cascade=1' },
    { ref: 'u', method: 'POST', path: '/api/user', body: { email: 'new@x.test', password: 'pw-new-1', name: 'new' } },
    { method: 'PUT', path: '/api/user/$u._id', body: { groups: ['editors'] } },
  ]);
  expect(body['data'][2].body.deleted).toEqual({ book: 1, author: 1 });
  expect((await shelf.post('/login', { email: 'new@x.test', password: 'pw-new-1' })).status).toBe(200);
});

testInUnit('sessions of a user end after the commit, and stay when the batch fails', async () => {
  const { headers, user_id: id } = shelf.callers.bob;
  const end = { method: 'DELETE', path: `/api/user/${id}` };
  const failed = await shelf.batch('root', [end, { method: 'POST', path: '/api/author', body: {} }]);
  expect(failed.status).toBe(400);
  expect((await shelf.get('/api/author', { headers })).status).toBe(200);
  expect((await shelf.batch('root', [end])).status).toBe(200);
  expect((await shelf.get('/api/author', { headers })).status).toBe(401);
});

testInUnit('the last admin stays, whatever batches do at once', async () => {
  const { root, rita } = shelf.callers;
  const demote = (id: string) => [
    author(`for ${id}`),
    { method: 'PUT', path: `/api/user/${id}`, body: { admin: false } },
  ];
  const both = [...demote(root.user_id), ...demote(rita.user_id).slice(1)];
  expect([(await shelf.batch('root', both)).status]).toEqual([409]);
  const statuses = (
    await Promise.all([shelf.batch('root', demote(root.user_id)), shelf.batch('rita', demote(rita.user_id))])
  ).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409]);
});

test('"atomic": false runs the operations one after the other, and answers each', async () => {
  const before = await shelf.count('author');
  const { status, body } = await shelf.batch(
    'ann',
    [
      author('one by one'),
      author('one by one', 'b'),
      { method: 'PUT', path: '/api/author/$b._id', body: {} },
      author('and on', 'c'),
    ],
    { atomic: false },
  );
  expect(status).toBe(200);
  const answers = body['data'] as { status: number; body: object }[];
  expect(answers.map((one) => one.status)).toEqual([201, 409, 424, 201]);
  expect(answers[1]?.body).toMatchObject({ status: 'fail', errors: [{ path: 'name', kind: 'unique' }] });
  expect(await shelf.count('author')).toBe(before + 2);
});

testInUnit('several changes of one document are one event', async () => {
  const events = await listen(`${shelf.url}/events/book`, shelf.callers.ann.headers);
  const { body } = await shelf.batch('ann', [
    { ref: 'b', method: 'POST', path: '/api/book', body: { title: 'first' } },
    { method: 'PUT', path: '/api/book/$b._id', body: { title: 'last' } },
    { ref: 'gone', method: 'POST', path: '/api/book', body: { title: 'gone' } },
    { method: 'DELETE', path: '/api/book/$gone._id' },
  ]);
  const path = `/api/book/${String(body['data'][0].body.data._id)}`;
  await shelf.batch('ann', [
    { method: 'PUT', path, body: { title: 'more' } },
    { method: 'DELETE', path },
  ]);
  await shelf.as('ann', 'POST', '/api/book', { body: { title: 'end' } });
  await events.when(() => events.received.some(({ item }) => item.title === 'end'));
  const seen = events.events().map(([event, title]) => `${event} ${String(title)}`);
  expect(seen).toEqual(['post last', expect.stringMatching(/^del /), 'post end']);
  events.close();
});
