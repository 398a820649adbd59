/** The server starts without each feature, and the core works as with all of them. */
import { get } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { authMethod, factorCheck, storedKeys } from '../../src/auth/ports.ts';
import type { Feature } from '../../src/features/feature.ts';
import { features } from '../../src/features/index.ts';
import { ownService } from '../../src/features/ports.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { configTables, faultsOf } from '../../src/settings/config-file.ts';
import { operationsOf } from '../../src/start/operations.ts';
import { basic, emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: { type: String, required: true }, size: Number },
      { perms: { admin: 'crud', user: 'r' } });`,
};

const operationsWith = (some: readonly Feature[]): readonly Operation[] =>
  operationsOf({ features: { base: some } }).flatMap(({ operations }) => operations);
const routeOf = ({ http }: Operation): string => `${http.method} ${http.path}`;

/** What the core does for callers: log in, write and read documents, and refuse. */
async function runScenario(server: TestServer): Promise<void> {
  const { send, get: read, post } = server;
  await post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  const login = await post('/login', { email: emailOf('root'), password: passwordOf('root') });
  expect(login.status).toBe(200);
  const root = { headers: { authorization: `Bearer ${String(login.body['token'])}` } };
  expect((await post('/api/user', { email: emailOf('ann'), password: passwordOf('ann') }, root)).status).toBe(201);
  const ann = { headers: basic(emailOf('ann'), passwordOf('ann')) };

  const created = await post('/api/note', { title: 'one', size: 1 }, root);
  expect(created.status).toBe(201);
  const path = `/api/note/${String(created.document['_id'])}`;
  await post('/api/note', { title: 'two', size: 2 }, root);
  expect((await read(path, ann)).document).toMatchObject({ title: 'one', size: 1 });
  expect((await read('/api/note?filter[size]=$gt:1', ann)).rows).toMatchObject([{ title: 'two' }]);
  expect((await send('PUT', path, { body: { size: 3 }, ...root })).document).toMatchObject({ title: 'one', size: 3 });

  expect((await post('/api/note', { title: 'mine' }, ann)).status).toBe(403);
  expect((await read('/api/note')).status).toBe(401);
  expect(await post('/api/note', { size: 4 }, root)).toMatchObject({ status: 400, body: { status: 'fail' } });
  expect((await read('/api/note?filter[nothing]=1', root)).status).toBe(400);

  expect((await send('DELETE', path, root)).status).toBe(200);
  expect((await read(path, root)).status).toBe(404);
  expect((await read('/login/logout', root)).status).toBe(200);
  expect((await read('/api/note', root)).status).toBe(401);
}

describe.each(features.map((feature) => [feature.name, feature] as const))('without %s', (_name, left) => {
  const others = features.filter((feature) => feature !== left);
  const kept = operationsWith(others);
  const missing = operationsWith(features).filter((operation) => !kept.some(({ name }) => name === operation.name));
  const open = (): Promise<TestServer> => startServer({ models, features: others });

  test('the core works', async () => {
    const server = await open();
    await runScenario(server);
    await server.close();
  });

  test('nothing of the feature is served or described', async () => {
    const server = await open();
    await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
    const { services } = server.dossier;
    const document = await server.get('/openapi.json', { headers: rootBasic });
    const described = JSON.stringify(document.body['paths']);
    const served = new Set(kept.map(routeOf));
    for (const { http } of missing) {
      const path = http.path.replace(':model', 'note').replace(/:\w+/g, 'some');
      // another operation may have the path with a name in place of its last part
      const isShadowed = [...served].some((route) => matches(route.split(' ', 2)[1] ?? '', path));
      const { status } = await server.send(http.method, path, { headers: rootBasic });
      expect({ path, status }).toEqual({ path, status: isShadowed ? status : 404 });
      expect(described).not.toContain(JSON.stringify(http.path.replace(/:(\w+)/g, '{$1}')));
    }
    for (const { header, answerHeaders } of left.interceptors ?? []) {
      expect(described).not.toContain(header);
      expect(document.body['components'].parameters).not.toHaveProperty(header);
      const exposed = document.headers.get('access-control-expose-headers')?.split(',');
      for (const name of answerHeaders) expect(exposed).not.toContain(name);
      // as any header that it does not know
      const sent = { headers: { ...rootBasic, [header]: 'value' } };
      expect((await server.post('/api/note', { title: 'three' }, sent)).status).toBe(201);
    }
    if (left.attach !== undefined) expect(await statusOfUpgrade(`${server.url}/websocket`)).toBe(404);
    for (const { name } of left.models ?? [])
      expect(services.registry.all.map((entry) => entry.name)).not.toContain(`_${name}`);
    const { settings = [], sections = {} } = left.config ?? {};
    for (const { key } of settings) expect(settingAt(server.dossier.settings, key)).toBeUndefined();
    const faults = faultsOf(sections, configTables(others.map(({ config = {} }) => config)));
    expect(faults).toEqual(Object.keys(sections).map((key) => `${key} is unknown`));
    for (const { make } of (left.provides ?? []).filter(({ port }) => made.has(port)))
      expect(() => services.of(make as () => unknown)).toThrow('left out');
    await server.close();
  });

  const options = (left.modelOptions ?? []).map(({ name }) => name);
  if (options.length > 0)
    test.each(options)('a model file with its option %s stops the start', async (option) => {
      const given = (value: string): Record<string, string> => ({
        'film.js': `module.exports = new (require('mongoose').Schema)({ title: String }, { ${option}: ${value} });`,
      });
      await expect(startServer({ models: given("'30d'"), features: others })).rejects.toThrow(
        `film.js: ${option} is an option of the feature ${left.name}, which this server does not have: remove it`,
      );
      // which is what the server does
      await (await startServer({ models: given('false'), features: others })).close();
    });
});

/** The ports whose makers are the names of what they make. */
const made = new Set<unknown>([ownService, storedKeys, authMethod, factorCheck]);

/** The status of the answer to a request for a WebSocket. */
const statusOfUpgrade = (url: string): Promise<number | undefined> =>
  new Promise((done, failed) => {
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    get(url, { headers, agent: false }, (response) => done(response.resume().statusCode))
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        done(101);
      })
      .on('error', failed);
  });

/** Whether a path of an operation, such as `/login/:provider`, matches the path of a request. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);

function settingAt(settings: object, key: string): unknown {
  let value: unknown = settings;
  for (const part of key.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part];
  return value;
}
