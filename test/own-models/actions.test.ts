/** The actions of the server's own models: functions that are called on their documents, and invoke operations (docs/own-models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'dossier-client';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { callAt } from '../support/mcp.ts';

const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String }, {
  perms: { all: 'crud' },
  callable_statics: { act: { needs: 'r', on: 'model' }, later: { needs: 'r', on: 'model' } },
  statics: {
    act: ({ model, id, name, input, system }, { api }) => (system ? api.as('system') : api).model(model).call(name, input, { id }),
    later: (name, { api }) => api.later(name, {}).then(() => 'asked', (error) => error.message),
    fails() { throw new Error('no'); },
  },
});`;

const people = ['root', 'ann', 'bob'] as const;
type Person = (typeof people)[number] | 'anonymous';
let server: PeopledServer<(typeof people)[number]>;
const ids: Record<string, string> = {};

const dataOf = <T = Record<string, unknown>>({ body }: { body: unknown }): T => (body as { data: T }).data;
const create = async (person: Person, path: string, body: object): Promise<string> =>
  String(dataOf(await server.as(person, 'POST', path, { body }))['id']);

beforeAll(async () => {
  const schedules = { hourly: { cron: '0 3 1 1 *', run: () => undefined } };
  server = await openPeople(people, { models: { note }, schedules, mcp: 'write' });
  ids['_webhook'] = await create('root', '/webhooks', { url: 'https://x.test/a', models: ['note'], active: false });
  ids['_key'] = await create('ann', '/login/keys', { name: 'reports' });
  expect((await server.as('root', 'POST', '/schedules/hourly/run')).status).toBe(202);
  ids['_schedule_run'] = await idIn('_schedule_run', (row) => row['outcome'] !== undefined);
  expect(await server.as('ann', 'POST', '/call/note/later', { body: 'note.fails' })).toMatchObject({
    body: { data: 'asked' },
  });
  ids['_outbox'] = await idIn('_outbox', (row) => row['group'] === 'note.fails');
});

/** The id of the first document of an own model of which a test holds. */
async function idIn(model: string, holds: (row: Record<string, unknown>) => boolean): Promise<string> {
  for (;;) {
    const found = dataOf<Record<string, unknown>[]>(await server.as('root', 'GET', `/api/${model}`)).find(holds);
    if (found !== undefined) return String(found['_id']);
  }
}

const call = (person: Person, model: string, name: string, body?: unknown) =>
  server.as(person, 'POST', `/call/${model}/${encodeURIComponent(ids[model] ?? '')}/${name}`, {
    ...(body === undefined ? {} : { body }),
  });

describe('who calls which', () => {
  test.each([
    ['root', '_webhook', 'rotate', undefined, 200, { secret: expect.any(String) }],
    ['root', '_webhook', 'rotate', { overlap: 60 }, 200, { secret: expect.any(String) }],
    ['root', '_webhook', 'rotate', { overlap: -1 }, 400, undefined],
    ['root', '_webhook', 'rotate', { overlaps: 1 }, 400, undefined],
    ['root', '_webhook', 'rotate', [], 400, undefined],
    ['root', '_webhook', 'rotate', 'x', 400, undefined],
    ['root', '_webhook', 'rotate', { $where: '1' }, 400, undefined],
    ['root', '_webhook', 'test', undefined, 200, { id: expect.any(String) }],
    ['root', '_webhook', 'replay', { since: '2020-01-01T00:00:00Z' }, 200, { replayed: expect.any(Number) }],
    ['root', '_webhook', 'replay', { ids: [] }, 400, undefined],
    ['ann', '_webhook', 'rotate', undefined, 403, undefined],
    ['anonymous', '_webhook', 'rotate', undefined, 401, undefined],
    ['ann', '_key', 'rotate', undefined, 200, { key: expect.any(String) }],
    ['bob', '_key', 'rotate', undefined, 404, undefined],
    // an admin reads the keys of users, and ends them, but has none of them
    ['root', '_key', 'rotate', undefined, 404, undefined],
    ['anonymous', '_key', 'rotate', undefined, 401, undefined],
    ['root', '_outbox', 'retry', undefined, 200, null],
    ['ann', '_outbox', 'retry', undefined, 403, undefined],
    ['root', '_schedule_run', 'run', undefined, 200, null],
    ['ann', '_schedule_run', 'run', undefined, 403, undefined],
    // the names of functions are those of actions alone
    ['root', '_webhook', 'remove', undefined, 403, undefined],
    ['root', '_webhook', 'constructor', undefined, 403, undefined],
  ] as const)('%s: /call/%s/…/%s %j', async (person, model, name, body: unknown, status, data) => {
    const answer = await call(person, model, name, body);
    expect([answer.status, answer.status === 200 ? dataOf(answer) : undefined]).toEqual([
      status,
      data === undefined || data === null ? data : expect.objectContaining(data),
    ]);
  });

  test('not a key with scopes', async () => {
    const made = await server.as('root', 'POST', '/login/keys', { body: { name: 'scoped', scopes: { '*': 'crud' } } });
    const { key } = dataOf<{ key: string }>(made);
    const headers = { 'x-api-key': key };
    const path = `/call/_webhook/${ids['_webhook'] ?? ''}/rotate`;
    expect((await server.post(path, undefined, { headers })).status).toBe(403);
  });

  test('not by a link', async () => {
    const path = `/call/_webhook/${ids['_webhook'] ?? ''}/rotate`;
    expect((await server.as('root', 'GET', path)).status).toBe(404);
  });

  test('not without a document', async () => {
    const answer = await server.as('root', 'POST', '/call/_webhook/rotate');
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining('called on a document') } });
  });

  test('not as a job', async () => {
    const { body } = await server.as('root', 'POST', '/call/note/later', { body: '_webhook.rotate' });
    expect(body).toMatchObject({ data: expect.stringContaining('no model is named "_webhook"') });
  });
});

test('an unknown one is refused with the names of the others', async () => {
  const { body } = await call('root', '_webhook', 'rotat');
  expect(body).toMatchObject({ err: expect.stringContaining('rotate, test, replay on a document') });
});

test('the description of the model has them', async () => {
  const { body } = await server.as('root', 'GET', '/model/_webhook');
  const rule = { needs: 'r', on: 'document' };
  expect(body).toMatchObject({ data: { callable_statics: { rotate: rule, test: rule, replay: rule } } });
});

describe('a rotation', () => {
  const ways: readonly (readonly [string, () => Promise<string>])[] = [
    ['over HTTP', async () => dataOf<{ secret: string }>(await call('root', '_webhook', 'rotate')).secret],
    [
      'by the client',
      async () => {
        const client = createClient({ url: server.url, apikey: server.callers.root.apikey, retry: { times: 0 } });
        const made = await client.model('_webhook').call('rotate', {}, { id: ids['_webhook'] ?? '' });
        return (made as { secret: string }).secret;
      },
    ],
    [
      'by an agent',
      async () => {
        const sent = { model: '_webhook', name: 'rotate', id: ids['_webhook'] };
        const { structuredContent } = await callAt(server, 'call', sent, server.callers.root.headers);
        return (structuredContent as { data: { secret: string } }).data.secret;
      },
    ],
    [
      'by code as its caller',
      async () => {
        const body = { model: '_webhook', id: ids['_webhook'], name: 'rotate', input: {} };
        return dataOf<{ secret: string }>(await server.as('root', 'POST', '/call/note/act', { body })).secret;
      },
    ],
    [
      'by code as the system',
      async () => {
        const body = { model: '_webhook', id: ids['_webhook'], name: 'rotate', input: {}, system: true };
        return dataOf<{ secret: string }>(await server.as('ann', 'POST', '/call/note/act', { body })).secret;
      },
    ],
  ];

  test.each(ways)('%s is that of its operation', async (_name, rotate) => {
    const recorded = async () =>
      (await server.as('root', 'GET', '/audit?limit=1000')).rows.filter(({ what }) => what === 'webhook.rotated')
        .length;
    const before = await recorded();
    const secret = await rotate();
    expect(secret).toMatch(/^whsec_/);
    expect(await recorded()).toBe(before + 1);
    for (const path of [
      '/audit?limit=1000',
      `/history/_webhook/${ids['_webhook'] ?? ''}`,
      '/api/_webhook',
      '/csv/_webhook',
    ])
      expect((await server.as('root', 'GET', path)).text).not.toContain(secret);
    expect(server.log.join('\n')).not.toContain(secret);
  });

  test('by code as another caller is refused', async () => {
    const body = { model: '_webhook', id: ids['_webhook'], name: 'rotate', input: {} };
    expect((await server.as('ann', 'POST', '/call/note/act', { body })).status).toBe(403);
  });
});
