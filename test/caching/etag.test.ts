/** Conditional requests on documents and lists. */
import { makeCallers } from '../support/fixtures/people.ts';
import { openReading, type World } from '../support/fixtures/reading/index.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const path = (name: string) => `/api/${name.replace(/^[a-z]+(?=[A-Z])/, '').toLowerCase()}/${world.ids[name]}`;
const tagOf = async (name: string) => (await world.as('ann', 'GET', path(name))).headers.get('etag') ?? '';

test('a reader who has it gets a 304 without a body', async () => {
  const tag = await tagOf('annWiki');
  expect(tag).toMatch(/^"\d+-\d+"$/);
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const answer = await world.send('GET', path('annWiki'), { headers: { 'if-none-match': known } });
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', tag]);
  }
  expect((await world.send('GET', path('annWiki'), { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
});

test('rights come first', async () => {
  const known = { 'if-none-match': await tagOf('annNote') };
  expect((await world.as('ann', 'GET', path('annNote'), { headers: known })).status).toBe(304);
  expect((await world.as('eve', 'GET', path('annNote'), { headers: known })).status).toBe(404);
  expect((await world.send('GET', path('annNote'), { headers: known })).status).toBe(401);
  expect((await world.as('eve', 'GET', path('annNote'), { headers: { 'if-none-match': '*' } })).status).toBe(404);
});

describe('lists', () => {
  const list = '/api/wiki?sort=_id&count=true';
  const ask = (known?: string, to = list, as: 'ann' | 'eve' | 'anonymous' = 'anonymous') =>
    world.as(as, 'GET', to, { ...(known === undefined ? {} : { headers: { 'if-none-match': known } }) });

  test('are a 304 without a body as long as they are the same', async () => {
    const tag = (await ask()).headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const known of [tag, tag.replace('W/', ''), `"x", ${tag}`, '*']) {
      const answer = await ask(known);
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await ask('"x"')).status).toBe(200);
    await world.as('eve', 'POST', '/api/wiki', { body: { title: 'new' } });
    const changed = await ask(tag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  test('of one caller are not those of another, and stay private', async () => {
    const mine = await ask(undefined, '/api/note', 'ann');
    expect(mine.headers.get('cache-control')).toBe('private, no-store');
    const tag = mine.headers.get('etag') ?? '';
    expect((await ask(tag, '/api/note', 'ann')).status).toBe(304);
    const hers = await ask(tag, '/api/note', 'eve');
    expect([hers.status, hers.text.includes('BODY-eve')]).toEqual([200, true]);
    expect((await ask('*', '/api/ledger', 'eve')).status).toBe(403);
  });

  test('asked for by POST have no tag, nor has a CSV', async () => {
    const query = await world.send('POST', '/query/wiki', { body: { query: {} }, headers: { 'if-none-match': '*' } });
    expect([query.status, query.headers.get('etag')]).toEqual([200, null]);
    const csv = await ask('*', '/csv/wiki');
    expect([csv.status, csv.headers.get('etag')]).toEqual([200, null]);
  });
});

describe('a document with linked ones', () => {
  const populated = () => `${path('annBook')}?populate=author`;
  const tagged = async () => (await world.as('ann', 'GET', populated())).headers.get('etag') ?? '';

  test('has another tag when a linked one has changed', async () => {
    const tag = await tagged();
    expect(tag).toMatch(/^"\d+-\d+-[\w-]{27}"$/);
    const headers = { 'if-none-match': tag };
    expect(await world.as('ann', 'GET', populated(), { headers })).toMatchObject({ status: 304, text: '' });
    await world.as('root', 'PUT', path('author'), { body: { name: 'Ada L.' } });
    expect((await world.as('ann', 'GET', populated(), { headers })).status).toBe(200);
  });

  test('is written with its tag as long as it is the same itself', async () => {
    const tag = await tagged();
    await world.as('root', 'PUT', path('author'), { body: { name: 'Ada' } });
    const put = (price: number) =>
      world.as('ann', 'PUT', path('annBook'), { body: { price }, headers: { 'if-match': tag } });
    expect((await put(7)).status).toBe(200);
    expect((await put(8)).status).toBe(412);
  });

  test('has a weak tag where its revision is not shown, with which nothing is written', async () => {
    const { headers } = await world.as('ann', 'GET', `${path('annBook')}?fields=title`);
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\//);
    const late = await world.as('ann', 'PUT', path('annBook'), {
      body: { price: 9 },
      headers: { 'if-match': tag },
    });
    expect(late.status).toBe(412);
  });
});

test('a writer with an outdated version gets a 412, and nothing changes', async () => {
  const old = await tagOf('annWiki');
  const put = (headers: Record<string, string>, body: object) =>
    world.as('ann', 'PUT', path('annWiki'), { body, headers });
  expect((await put({ 'if-match': old }, { count: 50 })).status).toBe(200);
  const now = await tagOf('annWiki');
  expect(now).not.toBe(old);
  const update = path('annWiki').replace('/api/', '/update/');
  const late: [string, string, unknown][] = [
    ['PUT', path('annWiki'), { count: 51 }],
    ['PUT', update, { count: 51 }],
    ['POST', update, { count: 51 }],
    ['DELETE', path('annWiki'), undefined],
  ];
  for (const tag of [old, '"x"', '$ne', 'W/"1"'])
    for (const [method, to, body] of late) {
      const answer = await world.as('root', method, to, {
        headers: { 'if-match': tag },
        ...(body === undefined ? {} : { body }),
      });
      expect([method, to, tag, answer.status]).toEqual([method, to, tag, 412]);
    }
  expect(await tagOf('annWiki')).toBe(now);
  expect((await put({ 'if-match': '*' }, { count: 52 })).status).toBe(200);
  expect((await put({}, { count: 53 })).status).toBe(200);
});

test('If-Match of a read, and If-None-Match of a change, hold', async () => {
  const tag = await tagOf('annWiki');
  const statusOf = async (method: string, headers: Readonly<Record<string, string>>) => {
    const body = method === 'PUT' ? { body: { count: 60 } } : {};
    return (await world.as('ann', method, path('annWiki'), { ...body, headers })).status;
  };
  for (const [given, status] of [
    [tag, 200],
    ['*', 200],
    [`"x", ${tag}`, 200],
    // as proxies that compress send it back
    [`W/${tag}`, 200],
    ['"x"', 412],
    ['W/"x"', 412],
  ] as const)
    expect([given, await statusOf('GET', { 'if-match': given })]).toEqual([given, status]);
  for (const given of ['*', tag, `"x", ${tag}`])
    expect([given, await statusOf('PUT', { 'if-none-match': given })]).toEqual([given, 412]);
  expect(await tagOf('annWiki')).toBe(tag);
  expect(await statusOf('PUT', { 'if-none-match': '"x"' })).toBe(200);
});

test('of writers with the same revision, one wins', async () => {
  const tag = await tagOf('eveWiki');
  const writes = Array.from({ length: 10 }, (_, count) =>
    world.as('eve', 'PUT', path('eveWiki'), { body: { count }, headers: { 'if-match': tag } }),
  );
  const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
});

test('what is not there is still a 404', async () => {
  const headers = { 'if-match': '"0-1"' };
  expect((await world.as('eve', 'PUT', '/api/wiki/0123456789abcdef01234567', { body: {}, headers })).status).toBe(404);
  expect((await world.as('eve', 'PUT', path('annNote'), { body: { title: 'x' }, headers })).status).toBe(404);
  expect((await world.as('eve', 'DELETE', path('annWiki'), { headers })).status).toBe(403);
});

test('the tag of a document is that of what the caller sees of it, and writes as the document', async () => {
  const server = await startServer({
    models: {
      'post.js': `const { Schema } = require('mongoose');
        const schema = new Schema({ title: String, draft: { type: String, perms: { admin: 'cru' } } }, { perms: { admin: 'crud', all: 'ru' } });
        module.exports = schema;`,
      'clock.js': `const { Schema } = require('mongoose');
        const schema = new Schema({ title: String }, { perms: { admin: 'crud', all: 'r' } });
        let reads = 0;
        schema.virtual('reads').get(() => (reads += 1));
        module.exports = schema;`,
    },
  });
  const { root } = await makeCallers(server, ['root']);
  const created = async (model: string, body: object): Promise<string> =>
    `/api/${model}/${String((await server.post(`/api/${model}`, body, root)).document['_id'])}`;
  const post = await created('post', { title: 'a', draft: 'b' });
  const seen = async (sent: object) => (await server.get(post, sent)).headers.get('etag') ?? '';
  const [byAdmin, byAll] = [await seen(root), await seen({})];
  expect([byAdmin === byAll, await seen(root)]).toEqual([false, byAdmin]);
  const known = { 'if-none-match': byAll };
  expect((await server.get(post, { headers: known })).status).toBe(304);
  expect((await server.get(post, { headers: { ...root.headers, ...known } })).status).toBe(200);
  const written = { 'if-match': byAll };
  expect((await server.put(post, { title: 'c' }, { headers: written })).status).toBe(200);
  expect((await server.put(post, { title: 'd' }, { headers: written })).status).toBe(412);
  const clock = await created('clock', { title: 'a' });
  const first = (await server.get(clock)).headers.get('etag') ?? '';
  expect((await server.get(clock, { headers: { 'if-none-match': first } })).status).toBe(200);
});
