/** Features of plug-ins: the one of the guide, what else one may bring, and clashes with the server (docs/plugins.md, "Features"). */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  adminAccess,
  adviser,
  commit,
  type Context,
  type Core,
  type Feature,
  insertRow,
  type InternalModel,
  internalSchema,
  json,
  ObjectId,
  openAccess,
  type OperationGroup,
  ownService,
  type PlainOperation,
  provide,
  serverValue,
  writerOf,
} from 'dossier/core';
import { definePlugin, type DossierConfig } from '../../src/index.ts';
import { readConfig } from '../../src/start/config-file.ts';
import { blocksOf } from '../docs/examples.ts';
import { rowsOf } from '../docs/tables.ts';
import { basic, emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';

const open = (options: StartOptions): Promise<TestServer> => startServer({ models: {}, ...options });
const root = { headers: rootBasic };
const admin = { ADMIN_EMAIL: emailOf('root'), ADMIN_PASSWORD: passwordOf('root') };

describe('the notice board of the guide', () => {
  let folder: string;
  let server: TestServer;

  beforeAll(async () => {
    const code = blocksOf(await readFile('docs/plugins.md', 'utf8')).find(({ text }) => text.includes('dossier/core'));
    folder = await mkdtemp(join(tmpdir(), 'dossier-notices-'));
    await writeFile(join(folder, 'notices.ts'), code?.text ?? '');
    const file = join(folder, 'dossier.config.ts');
    await writeFile(file, `import { noticeBoard } from './notices.ts'; export default { plugins: [noticeBoard] };`);
    const { config, faults } = await readConfig(file);
    expect(faults).toEqual([]);
    server = await open({ ...config, environment: admin });
    await server.post('/api/user', { email: emailOf('ann'), password: passwordOf('ann') }, root);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each([
    ['admins', root.headers, { text: 'closed on Monday' }, 201],
    ['others', basic(emailOf('ann'), passwordOf('ann')), { text: 'no' }, 403],
    ['nobody', {}, { text: 'no' }, 401],
    ['admins without a text', root.headers, {}, 400],
    ['admins with another name', root.headers, { text: 'no', txet: 'x' }, 400],
    ['admins with an operator', root.headers, { text: { $gt: '' } }, 400],
  ])('takes a notice of %s as its access and body say', async (_who, headers, body, status) => {
    expect((await server.post('/notices', body, { headers })).status).toBe(status);
  });

  test('its own model is read as others are, and written by its operation alone', async () => {
    const { body: before } = await server.get('/changes/_notice', root);
    const { body } = await server.post('/notices', { text: 'open on Tuesday' }, root);
    const { id } = body['data'] as { id: string };
    expect((await server.get('/api/_notice?filter[text]=$regex:Tuesday')).rows).toMatchObject([{ _id: id }]);
    expect((await server.get('/count/_notice')).body).toMatchObject({ count: 2 });
    expect((await server.get('/csv/_notice?fields=text')).text).toContain('open on Tuesday');
    expect((await server.post('/api/_notice', { text: 'no', at: new Date() }, root)).status).toBe(403);
    expect((await server.remove(`/api/_notice/${id}`, root)).status).toBe(403);
    const changes = await server.get(`/changes/_notice?since=${String(before['position'])}`, root);
    expect(changes.rows).toMatchObject([{ event: 'post', id, item: { text: 'open on Tuesday' } }]);
  });

  test('is described as the operations of the server are', async () => {
    const { body } = await server.get('/openapi.json', root);
    expect(body['paths']).toHaveProperty('/notices');
  });
});

const ping = (name: `${string}.${string}`, path: string, more: object = {}): PlainOperation => ({
  ...{ name, http: { method: 'GET', path }, summary: 'Answers', access: openAccess('it names no data') },
  ...{ answers: { 200: {} }, run: () => json({ data: 'pong' }), ...more },
});
const group = (...operations: readonly PlainOperation[]): OperationGroup => ({ title: 'Parcels', operations });
const parcelModel = (name: string, collection: string): InternalModel => ({
  ...{ name, collection, isOwn: true, schema: () => internalSchema({ code: String }, { perms: { admin: 'r' } }) },
});
const withFeatures = (...features: readonly object[]): DossierConfig => ({
  plugins: [definePlugin({ name: 'parcels', features: features as readonly Feature[] })],
});

/** A feature with a setting, a service and advice. @param seen receives its beginnings and its end */
function depotFeature(seen: string[] = [], variable = 'PARCEL_DEPOT'): Feature {
  const depot = ({ services }: Core) => ({
    of: () => `depot ${String((services.settings as object as { parcel_depot: string }).parcel_depot)}`,
  });
  const setting = { variable, key: 'parcel_depot', kind: 'text', default: 'north', meaning: 'The depot' } as const;
  return {
    name: 'parcels',
    config: { settings: [setting] },
    operations: [
      group(
        ping('parcels.depot', '/parcels/depot', {
          run: ({ services }: { services: Core['services'] }) => json({ data: serverValue(services.of(depot).of()) }),
        }),
      ),
    ],
    provides: [
      provide(ownService, depot),
      provide(
        adviser,
        () => () => Promise.resolve([{ kind: 'setting', about: variable, advice: 'it is full' }] as const),
      ),
    ],
    begin: () => Promise.resolve(void seen.push('begin')),
    work: () => Promise.resolve(void seen.push('work')).then(() => () => Promise.resolve(void seen.push('end'))),
  };
}

test('a feature gives advice, and begins and works with the server', async () => {
  const seen: string[] = [];
  const server = await open({ ...withFeatures(depotFeature(seen)), environment: admin });
  expect(seen).toEqual(['begin', 'work']);
  const { body } = await server.get('/server/advice', root);
  expect(JSON.stringify(body)).toContain('it is full');
  await server.close();
  expect(seen).toEqual(['begin', 'work', 'end']);
});

test.each<[string, StartOptions, string]>([
  ['its default', {}, 'north'],
  ['its variable', { environment: { PARCEL_DEPOT: 'south' } }, 'south'],
  ['its key in the config', { parcel_depot: 'east' } as StartOptions, 'east'],
])('a setting of a feature has the value of %s', async (_from, options, depot) => {
  const server = await open({ ...withFeatures(depotFeature()), ...options });
  expect((await server.get('/parcels/depot')).body).toEqual({ data: `depot ${depot}` });
});

test('a setting of a feature is no unknown variable', async () => {
  const environment = { THROTTLE_DEPOT: 'west', THROTTLE_DEPOTS: 'none' };
  const server = await open({ ...withFeatures(depotFeature([], 'THROTTLE_DEPOT')), environment });
  expect((await server.get('/parcels/depot')).body).toEqual({ data: 'depot west' });
  const log = server.log.join('');
  expect(log).toContain('THROTTLE_DEPOTS is not a setting');
  expect(log).not.toContain('THROTTLE_DEPOT is not');
});

test('a config file has the settings of its features', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-depot-'));
  const file = join(folder, 'dossier.config.mjs');
  const feature =
    "{ name: 'parcels', config: { settings: [{ variable: 'PARCEL_DEPOT', key: 'parcel_depot', kind: 'text', meaning: '' }] } }";
  await writeFile(
    file,
    `export default { parcel_depot: 'east', parcel_depo: 'x', plugins: [{ name: 'a', features: [${feature}] }] };`,
  );
  expect((await readConfig(file)).faults).toEqual([expect.stringMatching(/parcel_depo is unknown/)]);
  await rm(folder, { recursive: true });
});

test('an operation writes no documents of other models past their rules', async () => {
  const past = ping('parcels.past', '/parcels/past', {
    run: async (context: Context) => {
      const row = { _id: new ObjectId(), title: 'past the rules' };
      await commit(writerOf(context, { silent: false }), insertRow(context.services.registry.get('note'), row));
      return json({ data: 'written' });
    },
  });
  const note = "module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { all: 'r' } });";
  const server = await open({ models: { 'note.js': note }, ...withFeatures({ name: 'a', operations: [group(past)] }) });
  expect((await server.get('/parcels/past')).status).toBe(500);
  expect(server.log.join('')).toContain('note is no own model');
  expect((await server.get('/api/note')).rows).toEqual([]);
});

test.each<[string, DossierConfig, RegExp]>([
  ['no list of features', withPlugin({ features: {} }), /plug-in parcels: features must be a list/],
  ['no feature', withFeatures(5 as never), /plug-in parcels: features\.0 must be an object/],
  ['a feature without a name', withFeatures({}), /plug-in parcels: features\.0\.name must be a name/],
  ['a wrong name', withFeatures({ name: '$where' }), /features\.0\.name must be a name/],
  [
    'an unknown member',
    withFeatures({ name: 'a', operation: [] }),
    /features\.0\.operation is no member of a feature.*did you mean "operations"/,
  ],
  [
    'a setting without a name',
    withFeatures({ name: 'a', config: { settings: [{ key: 'a' }] } }),
    /features\.0\.config\.settings must be a list of settings/,
  ],
  [
    'settings that are no list',
    withFeatures({ name: 'a', config: { settings: 5 } }),
    /config\.settings must be a list/,
  ],
  [
    'an unknown key of the config beside',
    { ...withFeatures({ name: 'a' }), parcel_depo: 'x' } as never,
    /parcel_depo is unknown/,
  ],
  ['a member of another kind', withFeatures({ name: 'a', models: {} }), /features\.0\.models must be a list/],
  [
    'the name of a feature of the server',
    withFeatures({ name: 'views' }),
    /the feature views of the feature views is also one of views/,
  ],
  [
    'two features of one name',
    withFeatures({ name: 'a' }, { name: 'a' }),
    /the feature a of the feature a is also one of a/,
  ],
  [
    'an own model of the server',
    withFeatures({ name: 'a', models: [parcelModel('view', 'parcels')] }),
    /the model view of the feature a is also one of views/,
  ],
  [
    'an own model of the core',
    withFeatures({ name: 'a', models: [parcelModel('session', 'parcels')] }),
    /the model session of the feature a is also one of the core/,
  ],
  [
    'a collection of the server',
    withFeatures({ name: 'a', models: [parcelModel('parcel', '_dossier_views')] }),
    /the collection _dossier_views of the feature a is also one of views/,
  ],
  [
    'a collection of the core',
    withFeatures({ name: 'a', models: [parcelModel('parcel', '_dossier_sessions')] }),
    /the collection _dossier_sessions of the feature a is also one of the core/,
  ],
  [
    'a setting of the core',
    withFeatures({
      ...{ name: 'a' },
      config: { settings: [{ variable: 'PORT', key: 'port', kind: 'text', default: '', meaning: '' }] },
    }),
    /the setting PORT of the feature a is also one of the core/,
  ],
  [
    'an option of the server',
    withFeatures({ name: 'a', modelOptions: [{ name: 'history' }] }),
    /the option history of the feature a is also one of history/,
  ],
  [
    'an operation of the server by its path',
    withFeatures({ name: 'a', operations: [group(ping('a.views', '/views'))] }),
    /GET \/views is both .*(a\.views|views\.list)/,
  ],
  [
    'an operation of the server by its path with another parameter',
    withFeatures({ name: 'a', operations: () => [group(ping('a.get', '/api/:kind/:number'))] }),
    /GET \/api\/:\w+\/:\w+ is both/,
  ],
  [
    'an operation of the server by its name',
    withFeatures({ name: 'a', operations: [group(ping('views.list', '/elsewhere', { access: adminAccess }))] }),
    /two operations are named views\.list/,
  ],
])('%s stops the start', async (_what, config, fault) => {
  await expect(open(config)).rejects.toThrow(fault);
});

test('the guide describes each member of a feature', async () => {
  const { message } = await open(withFeatures({ name: 'a', operation: [] })).then(
    () => new Error('started'),
    (error: unknown) => error as Error,
  );
  const members = /which are ([\w, ]+)/.exec(message)?.[1]?.split(', ') ?? [];
  const described = rowsOf('docs/plugins.md', 'Member', 'What it brings').map(([member = '']) => member);
  expect(described.flatMap((cell) => cell.match(/\w+/g) ?? []).sort()).toEqual([...members].sort());
});

function withPlugin(parts: object): DossierConfig {
  return { plugins: [{ name: 'parcels', ...parts }] };
}
