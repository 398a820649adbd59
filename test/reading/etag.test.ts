/** Conditional requests on single documents. */
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const path = (name: string) => `/api/${name.replace(/^[a-z]+/, '').toLowerCase()}/${world.ids[name]}`;
const tagOf = async (name: string) => (await world.send('GET', path(name), { as: 'ann' })).headers.get('etag') ?? '';

test('a reader who has it gets a 304 without a body', async () => {
  const tag = await tagOf('annWiki');
  expect(tag).toMatch(/^"\d+-\d+"$/);
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const answer = await world.send('GET', path('annWiki'), { headers: { 'if-none-match': known } });
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', tag]);
  }
  expect((await world.send('GET', path('annWiki'), { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
});

test('AZ-20 rights come first', async () => {
  const known = { 'if-none-match': await tagOf('annNote') };
  expect((await world.send('GET', path('annNote'), { as: 'ann', headers: known })).status).toBe(304);
  expect((await world.send('GET', path('annNote'), { as: 'eve', headers: known })).status).toBe(404);
  expect((await world.send('GET', path('annNote'), { headers: known })).status).toBe(401);
  expect((await world.send('GET', path('annNote'), { as: 'eve', headers: { 'if-none-match': '*' } })).status).toBe(404);
});

test('what shows linked documents has no tag', async () => {
  expect((await world.send('GET', `${path('annBook')}?populate=author`, { as: 'ann' })).headers.get('etag')).toBeNull();
});

test('a writer whose document has moved on gets a 412, and nothing changes', async () => {
  const old = await tagOf('annWiki');
  const put = (headers: Record<string, string>, body: object) =>
    world.send('PUT', path('annWiki'), { as: 'ann', body, headers });
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
      const answer = await world.send(method, to, {
        as: 'root',
        headers: { 'if-match': tag },
        ...(body === undefined ? {} : { body }),
      });
      expect([method, to, tag, answer.status]).toEqual([method, to, tag, 412]);
    }
  expect(await tagOf('annWiki')).toBe(now);
  expect((await put({ 'if-match': '*' }, { count: 52 })).status).toBe(200);
  expect((await put({}, { count: 53 })).status).toBe(200);
});

test('of writers with the same revision, one wins', async () => {
  const tag = await tagOf('eveWiki');
  const writes = Array.from({ length: 10 }, (_, count) =>
    world.send('PUT', path('eveWiki'), { as: 'eve', body: { count }, headers: { 'if-match': tag } }),
  );
  const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
});

test('what is not there is still a 404', async () => {
  const headers = { 'if-match': '"0-1"' };
  expect((await world.send('PUT', '/api/wiki/0123456789abcdef01234567', { as: 'eve', body: {}, headers })).status).toBe(
    404,
  );
  expect((await world.send('PUT', path('annNote'), { as: 'eve', body: { title: 'x' }, headers })).status).toBe(404);
  expect((await world.send('DELETE', path('annWiki'), { as: 'eve', headers })).status).toBe(403);
});
