/** The server's own models are read as models of files are, under their rights, and written by their own operations alone (docs/own-models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'dossier-client';
import { listen } from '../support/event-stream.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { callAt } from '../support/mcp.ts';

const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String }, {
  perms: { all: 'crud' },
  callable_statics: { asSystem: { needs: 'r', on: 'model' } },
  statics: {
    async asSystem({ method, model, id }, { api }) {
      const own = api.as('system').model(model);
      if (method === 'list') return (await own.list()).data.length;
      if (method === 'create') return await own.create({ url: 'https://x.test/b' });
      if (method === 'update') return await own.update(id, { url: 'https://x.test/b' });
      return await own.remove(id);
    },
  },
});`;

const people = ['root', 'ann', 'bob'] as const;
type Person = (typeof people)[number];
let server: PeopledServer<Person>;
let hooks: readonly string[];
const create = async (person: Person, path: string, body: object): Promise<string> =>
  ((await server.as(person, 'POST', path, { body })).body as { data: { id: string } }).data.id;

beforeAll(async () => {
  server = await openPeople(people, { models: { note }, mcp: 'write' });
  const made: string[] = [];
  for (const [name, active, filter] of [
    ['a', true, { title: 'x' }],
    ['b', false, undefined],
    ['c', true, undefined],
  ] as const)
    made.push(await create('root', '/webhooks', { url: `https://x.test/${name}`, models: ['note'], active, filter }));
  hooks = made;
  for (const person of ['ann', 'bob'] as const) {
    await create(person, '/login/keys', { name: `key of ${person}` });
    await create(person, '/views', { model: 'note', title: `view of ${person}`, filter: { title: person } });
  }
  await server.as('root', 'POST', `/webhooks/${hooks[1] ?? ''}/test`);
});

const rowsOf = ({ body }: { body: unknown }): readonly Record<string, unknown>[] =>
  (body as { data: readonly Record<string, unknown>[] }).data;

describe('a list', () => {
  test.each([
    ['all', '', ['a', 'b', 'c']],
    ['filtered', 'filter[active]=true', ['a', 'c']],
    ['filtered by text', 'filter[url]=https://x.test/b', ['b']],
    ['sorted', 'sort=-url', ['c', 'b', 'a']],
    ['limited', 'sort=url&limit=2', ['a', 'b']],
    ['of a page', 'sort=url&limit=2&page=2', ['c']],
  ])('%s', async (_name, query, expected) => {
    const answer = await server.as('root', 'GET', `/api/_webhook?${query}`);
    expect(rowsOf(answer).map(({ url }) => String(url).at(-1))).toEqual(expected);
  });

  test('continues at its cursor', async () => {
    const seen: unknown[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page = await server.as('root', 'GET', `/api/_webhook?sort=-url&limit=1${from}`);
      seen.push(...rowsOf(page).map(({ url }) => String(url).at(-1)));
      after = (page.body as { next_cursor?: string }).next_cursor;
    }
    expect(seen).toEqual(['c', 'b', 'a']);
  });

  test('has a filter as the value that it is', async () => {
    const [first] = rowsOf(await server.as('root', 'GET', '/api/_webhook?sort=url&limit=1'));
    expect(first).toMatchObject({ _id: hooks[0], filter: { title: 'x' } });
    const [view] = rowsOf(await server.as('ann', 'GET', '/api/_view'));
    expect(view).toMatchObject({ title: 'view of ann', filter: { title: 'ann' } });
  });
});

test.each([
  ['GET', '/count/_webhook?filter[active]=true', { count: 2 }],
  [
    'GET',
    '/distinct/_webhook/active',
    {
      data: [
        { value: true, count: 2 },
        { value: false, count: 1 },
      ],
    },
  ],
  ['POST', '/aggregate/_webhook', { data: [{ _id: true, n: 2 }] }],
  ['POST', '/query/_webhook', { data: [{ url: 'https://x.test/b' }] }],
  ['GET', '/model/_webhook', { data: { name: '_webhook', label: 'Webhooks', history: true } }],
  ['GET', '/model/_webhook/rights', { data: { rows: { c: 'none', r: 'all', u: 'none', d: 'none' } } }],
] as const)('%s %s', async (method, path, expected) => {
  const bodies: Readonly<Record<string, unknown>> = {
    '/aggregate/_webhook': [{ $match: { active: true } }, { $group: { _id: '$active', n: { $sum: 1 } } }],
    '/query/_webhook': { query: { active: false } },
  };
  const answer = await server.as('root', method, path, { body: bodies[path] });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({})]);
  expect(answer.body).toMatchObject(expected);
});

test('CSV', async () => {
  const { text } = await server.as('root', 'GET', '/csv/_webhook?fields=url,active&sort=url');
  expect(text.trim().split(/\r?\n/)).toEqual(expect.arrayContaining([expect.stringContaining('https://x.test/a')]));
  expect(text.trim().split(/\r?\n/)).toHaveLength(4);
});

describe('who reads', () => {
  test.each([
    ['root', '_webhook', 200, 3],
    ['ann', '_webhook', 403, undefined],
    ['anonymous', '_webhook', 401, undefined],
    ['root', '_key', 200, 2],
    ['ann', '_key', 200, 1],
    ['anonymous', '_key', 401, undefined],
    ['ann', '_view', 200, 1],
    ['anonymous', '_view', 401, undefined],
    ['root', '_outbox', 200, 1],
    ['ann', '_outbox', 403, undefined],
    ['root', '_schedule_run', 200, 0],
    ['ann', '_schedule_run', 403, undefined],
    ['root', '_backup', 200, 0],
    ['ann', '_backup', 403, undefined],
    // what gives access, and what has an address of its own, is no own model
    ['root', '_session', 404, undefined],
    ['root', '_account', 404, undefined],
    ['root', '_audit', 404, undefined],
    ['root', '_deletion', 404, undefined],
    ['root', '_shared', 404, undefined],
    ['root', 'webhook', 404, undefined],
  ] as const)('%s: /api/%s', async (person, model, status, count) => {
    const answer = await server.as(person, 'GET', `/api/${model}`);
    expect([answer.status, answer.status === 200 ? rowsOf(answer).length : undefined]).toEqual([status, count]);
  });

  test('one document of another user is not there', async () => {
    const [key] = rowsOf(await server.as('bob', 'GET', '/api/_key'));
    const path = `/api/_key/${String(key?.['_id'])}`;
    expect((await server.as('bob', 'GET', path)).status).toBe(200);
    expect((await server.as('ann', 'GET', path)).status).toBe(404);
    expect((await server.as('ann', 'GET', `/history/_key/${String(key?.['_id'])}`)).status).toBe(404);
  });

  test.each([{ '*': 'crud' }, { note: 'crud', '*': 'r' }])('a key with the scopes %j reads none', async (scopes) => {
    const made = await server.as('root', 'POST', '/login/keys', { body: { name: 'scoped', scopes } });
    const { key } = (made.body as { data: { key: string } }).data;
    const headers = { 'x-api-key': key };
    expect((await server.get('/api/note', { headers })).status).toBe(200);
    expect((await server.get('/api/_webhook', { headers })).status).toBe(403);
    const { id } = (made.body as { data: { id: string } }).data;
    await server.as('root', 'DELETE', `/login/keys/${id}`);
  });

  test('scopes do not name one', async () => {
    const body = { name: 'x', scopes: { _webhook: 'r' } };
    expect((await server.as('root', 'POST', '/login/keys', { body })).status).toBe(400);
  });
});

describe('a write', () => {
  test.each([
    ['POST', '/api/_webhook', { url: 'https://x.test/b' }],
    ['PUT', '/api/_webhook/:id', { url: 'https://x.test/b' }],
    ['PATCH', '/api/_webhook/:id', { url: 'https://x.test/b' }],
    ['POST', '/update/_webhook/:id', { url: 'https://x.test/b' }],
    ['DELETE', '/api/_webhook/:id', undefined],
    ['POST', '/bulkwrite/_webhook', [{ deleteMany: { filter: {} } }]],
    ['POST', '/batch', { atomic: false, operations: [{ method: 'DELETE', path: '/api/_webhook/:id' }] }],
  ] as const)('%s %s is refused', async (method, path, body: unknown) => {
    const text = JSON.stringify(body ?? null).replaceAll(':id', hooks[0] ?? '');
    const sent = body === undefined ? {} : { body: JSON.parse(text) as unknown };
    const answer = await server.as('root', method, path.replace(':id', hooks[0] ?? ''), sent);
    const part = (answer.body as { data?: readonly { status: number }[] }).data?.[0]?.status;
    expect([403, 404, 405]).toContain(path === '/batch' && answer.status === 200 ? part : answer.status);
    expect(await server.as('root', 'GET', '/count/_webhook')).toMatchObject({ body: { count: 3 } });
  });

  test.each(['_webhook', '_key', '_view', '_outbox', '_schedule_run', '_backup'])(
    '%s gives no one a right to write',
    async (model) => {
      for (const person of people) {
        const { status, body } = await server.as(person, 'GET', `/model/${model}/rights`);
        const rows = (body as { data?: { rows: object } }).data?.rows;
        if (status === 200) expect(rows).toMatchObject({ c: 'none', u: 'none', d: 'none' });
        const sent = {
          model: 'note',
          title: 'x',
          name: 'x',
          shared: true,
          created_at: new Date(),
          changed_at: new Date(),
        };
        expect((await server.as(person, 'POST', `/api/${model}`, { body: sent })).status).toBe(403);
      }
      const [row] = rowsOf(await server.as('root', 'GET', `/api/${model}`));
      if (row === undefined) return;
      const path = `/api/${model}/${String(row['_id'])}`;
      for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
        for (const person of people)
          expect([403, 404]).toContain((await server.as(person, method, path, { body: { title: 'x' } })).status);
      expect(rowsOf(await server.as('root', 'GET', `/api/${model}`))[0]).toEqual(row);
    },
  );

  test.each(['create', 'update', 'remove'])('%s by code as the system is refused', async (method) => {
    const body = { method, model: '_webhook', id: hooks[0] };
    const answer = await server.as('root', 'POST', '/call/note/asSystem', { body });
    expect(answer).toMatchObject({ status: 403 });
    expect(await server.as('root', 'GET', '/count/_webhook')).toMatchObject({ body: { count: 3 } });
  });

  test('code as the system reads', async () => {
    const body = { method: 'list', model: '_webhook' };
    expect(await server.as('root', 'POST', '/call/note/asSystem', { body })).toMatchObject({ body: { data: 3 } });
  });

  test.each([
    ['/webhooks', { url: 'https://x.test/z', models: ['_webhook'] }],
    ['/views', { model: '_account', title: 't' }],
  ])('POST %s names no own model that is not read', async (path, body) => {
    expect((await server.as('root', 'POST', path, { body })).status).toBe(400);
  });
});

test('its own operations publish and record what they write', async () => {
  const stream = await listen(
    `${server.url}/events/_webhook?filter[url]=https://x.test/d`,
    server.callers.root.headers,
  );
  const { position } = (await server.as('root', 'GET', '/changes/_webhook')).body as { position: string };
  const id = await create('root', '/webhooks', { url: 'https://x.test/d', models: ['note'] });
  await server.as('root', 'PUT', `/webhooks/${id}`, { body: { active: false } });
  await server.as('root', 'DELETE', `/webhooks/${id}`);
  await stream.until(3);
  expect(stream.received.map(({ event, item }) => [event, (item as { active: boolean }).active])).toEqual([
    ['post', true],
    ['put', false],
    ['del', undefined],
  ]);
  stream.close();
  const changes = await server.as('root', 'GET', `/changes/_webhook?since=${encodeURIComponent(position)}`);
  expect(rowsOf(changes).map(({ event }) => event)).toContain('del');
  const history = await server.as('root', 'GET', `/history/_webhook/${id}`);
  expect(rowsOf(history).map(({ op, who }) => [op, who])).toEqual([
    ['remove', server.callers.root.user_id],
    ['change', server.callers.root.user_id],
    ['create', server.callers.root.user_id],
  ]);
});

test.each(['_outbox', '_schedule_run', '_backup'])('%s has no events', async (model) => {
  expect((await server.as('root', 'GET', `/events/${model}`)).status).toBe(404);
  expect((await server.as('root', 'GET', `/changes/${model}`)).status).toBe(404);
});

describe('lists of models', () => {
  const own = ['_outbox', '_key', '_backup', '_schedule_run', '_view', '_webhook'].sort();
  const namesAt = async (person: Person, path: string): Promise<readonly unknown[]> =>
    rowsOf(await server.as(person, 'GET', path)).map(({ name }) => name);

  test('have none', async () => {
    expect(await namesAt('root', '/model')).toEqual(['note', 'user']);
    const { text } = await server.as('root', 'GET', '/openapi.json');
    for (const name of own) expect(text).not.toContain(`/api/${name}`);
  });

  test('have those that the caller reads, if asked for', async () => {
    expect((await namesAt('root', '/model?own=true')).slice(2).sort()).toEqual(own);
    expect([...(await namesAt('ann', '/model?own=true'))].sort()).toEqual(['_key', '_view', 'note', 'user']);
  });
});

test('the client reads them', async () => {
  const client = createClient({ url: server.url, apikey: server.callers.root.apikey, retry: { times: 0 } });
  const { data } = await client.model('_webhook').list({ filter: { active: false } });
  expect(data).toMatchObject([{ url: 'https://x.test/b' }]);
  expect(await client.model('_webhook').count()).toBe(3);
});

test('agents of admins read them', async () => {
  const list = await callAt(server, 'find', { model: '_webhook', sort: 'url' }, server.callers.root.headers);
  expect(JSON.stringify(list)).toContain('https://x.test/c');
  const refused = await callAt(server, 'find', { model: '_webhook' }, server.callers.ann.headers);
  expect(JSON.stringify(refused)).toContain('you may not read webhooks');
});
