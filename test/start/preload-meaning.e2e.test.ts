/** With the preload, files and settings of JXP keep their meaning, or the start says what has changed (docs/migrating.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renamedVariables } from '../../src/jxp-preload/environment.ts';
import { send as request } from '../support/client.ts';
import { bearer } from '../support/fixtures/people.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { programOf } from '../support/programs.ts';

const preload = ['--import', `./${programOf('src/jxp.ts')}`];

const files: Readonly<Record<string, string>> = {
  'user_model.js': `/* global JXPSchema */
module.exports = JXPSchema.model('User', new JXPSchema({
  name: String, email: { type: String, unique: true, index: true }, password: String, admin: Boolean,
}, { perms: { admin: 'crud', owner: 'crud', user: 'r' } }));`,
  'order_model.js': `/* global JXPSchema */
const OrderSchema = new JXPSchema({ title: String, note: { type: String }, count: Number, code: { type: String, unique: true, sparse: true } },
  { perms: { admin: 'crud', owner: 'crud', user: 'r' } });
OrderSchema.index({ code: 1 });
OrderSchema.index({ createdAt: -1 });
OrderSchema.index({ createdAt: -1 });
OrderSchema.pre('save', function (next) {
  if (this.title === 'refused') return next(new Error('Orders are closed'));
  if (this.title === 'mistake') return next(new TypeError('CANARY'));
  if (this.title === 'system') return next(Object.assign(new Error('CANARY'), { code: 'ENOENT' }));
  next();
});
OrderSchema.pre('save', async function () { if (this.title === 'later') throw new Error('Come back later'); });
module.exports = JXPSchema.model('Order', OrderSchema);`,
  'plain_model.js': `const mongoose = require('mongoose');
const { fix_query } = require('jxp/libs/query_manipulation');
const { loadJxpConfig, getTokenExpiry, getIndexQueryLogRetentionSeconds } = require('jxp/libs/load-config');
const PlainSchema = new mongoose.Schema({ title: String }, { callable_statics: ['fixed', 'config'] });
PlainSchema.set('_perms', { admin: 'crud', owner: 'crud', user: 'cr', all: 'r' });
PlainSchema.statics.fixed = function () {
  const id = '5'.repeat(24);
  const { list: [at], _id, gone } = fix_query({ list: ['new Date("2020-01-01")'], _id: 'ObjectId("' + id + '")', gone: null });
  return { at: at.toISOString(), isId: _id instanceof mongoose.Types.ObjectId, gone };
};
PlainSchema.statics.config = () => ({ ...loadJxpConfig({ debug: true }), expiry: getTokenExpiry(), retention: getIndexQueryLogRetentionSeconds(), perms: PlainSchema.get('_perms').owner });
module.exports = mongoose.model('Plain', PlainSchema);`,
  'indexquerylog_model.js': `const JXPSchema = require('jxp/libs/schema');
const { getIndexQueryLogRetentionSeconds } = require('jxp/libs/load-config');
const IndexQueryLogSchema = new JXPSchema({
  model_name: { type: String, required: true, index: true }, observed_at: { type: Date, default: Date.now, index: true },
}, { internal: true, perms: { admin: 'crud', owner: '', user: '' } });
IndexQueryLogSchema.index({ observed_at: 1 }, { expireAfterSeconds: getIndexQueryLogRetentionSeconds() });
module.exports = { default: JXPSchema.model('IndexQueryLog', IndexQueryLogSchema) };`,
  'option_model.js': `const { Schema, model } = require('mongoose');
module.exports = model('Option', new Schema({ title: String }, { _perms: { admin: 'crud', all: 'r' } }));`,
};

let folder = '';
let server: ServerProcess;
const tokens: Record<string, string> = {};
const start = (more: Readonly<Record<string, string>> = {}, data = 'data'): Promise<ServerProcess> =>
  startProcess(
    { MODELS_DIR: join(folder, 'models'), DATA_DIR: join(folder, data), BCRYPT_COST: '4', ...more },
    preload,
  );

async function send(as: string, method: string, path: string, body?: object): Promise<Record<string, any>> {
  const headers = tokens[as] === undefined ? {} : bearer(tokens[as]);
  const answer = await request(method, server.url + path, { body, headers });
  return { code: answer.status, ...answer.body };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preload-meaning-'));
  await mkdir(join(folder, 'models'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'models', name), text);
  server = await start({ INDEX_QUERY_LOG_RETENTION_DAYS: '3' });
  if (server.url === '') throw new Error(server.printed());
  const people = {
    root: { email: 'root@x.test', password: 'pw-root-1' },
    ann: { email: 'ann@x.test', password: 'pw-ann-12' },
  };
  await send('', 'POST', '/setup', people.root);
  tokens['root'] = String((await send('', 'POST', '/login', people.root))['token']);
  expect(await send('root', 'POST', '/api/user', people.ann)).toMatchObject({ code: 201 });
  tokens['ann'] = String((await send('', 'POST', '/login', people.ann))['token']);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

describe('the letters of owner', () => {
  test.each([
    ['ann', '/api/order', 403],
    ['ann', '/api/user', 403],
    ['ann', '/api/plain', 201],
    ['root', '/api/order', 201],
    ['', '/api/order', 401],
  ])('create nothing, as in JXP: %s POST %s is %d', async (as, path, code) => {
    const body = path === '/api/user' ? { email: 'new@x.test', password: 'pw-new-12' } : { title: 'a' };
    expect(await send(as, 'POST', path, body)).toMatchObject({ code });
  });

  test('of users are those of who created them in JXP, and so give users nothing on themselves', async () => {
    const [ann] = (await send('root', 'GET', '/api/user?filter[email]=ann@x.test'))['data'];
    const path = `/api/user/${String(ann._id)}`;
    expect(await send('ann', 'GET', path)).toMatchObject({ code: 200 });
    expect(await send('ann', 'PUT', path, { name: 'Ann' })).toMatchObject({ code: 403 });
    expect(await send('ann', 'DELETE', path)).toMatchObject({ code: 403 });
    expect(await send('root', 'PUT', path, { name: 'Ann' })).toMatchObject({ code: 200 });
  });

  test('change and delete documents of their own', async () => {
    const { data } = await send('ann', 'POST', '/api/plain', { title: 'hers' });
    expect(await send('ann', 'PUT', `/api/plain/${String(data._id)}`, { title: 'changed' })).toMatchObject({
      code: 200,
    });
    expect(await send('ann', 'DELETE', `/api/plain/${String(data._id)}`)).toMatchObject({ code: 200 });
  });

  test('are reported at the start, by file, as are indexes that are declared twice', () => {
    const printed = server.printed();
    expect(printed).toMatch(/user_model\.js: perms\.owner is left out: in JXP the owner of a user is who created them/);
    for (const file of ['order_model.js', 'plain_model.js'])
      expect(printed).toMatch(new RegExp(`${file}: \\\\"c\\\\" of perms.owner is left out`));
    expect(printed).not.toMatch(/option_model.js: \\"c\\"/);
    expect(printed).toMatch(/order_model\.js: \{.*code.*createdAt.* are indexes that are declared more than once/);
    expect(printed).not.toContain('Duplicate schema index');
  });
});

test('_perms are those of a plain schema, by set and by its options', async () => {
  expect((await send('root', 'GET', '/model/plain'))['data'].perms).toMatchObject({
    owner: 'rud',
    user: 'cr',
    all: 'r',
  });
  expect((await send('', 'GET', '/api/plain'))['code']).toBe(200);
  expect((await send('', 'GET', '/api/option'))['code']).toBe(200);
});

test('an index of several declarations has the options of all', async () => {
  const { data } = await send('root', 'GET', '/model/order');
  const of = (key: string): object[] =>
    data.indexes.filter(({ fields }: { fields: object }) => Object.keys(fields).join() === key);
  expect(of('code')).toEqual([{ fields: { code: 1 }, unique: true, sparse: true }]);
  expect(of('createdAt')).toHaveLength(1);
});

test('the libraries of JXP that models require resolve', async () => {
  expect((await send('root', 'POST', '/call/plain/fixed', {}))['data']).toEqual({
    at: '2020-01-01T00:00:00.000Z',
    isId: true,
    gone: null,
  });
  const { data } = await send('root', 'POST', '/call/plain/config', {});
  expect(data).toMatchObject({ debug: true, token_expiry: 86400, expiry: 86400, model_dir: join(folder, 'models') });
  expect(data.perms).toBe('crud');
});

test("JXP's own log of queries loads, and is never served", async () => {
  expect((await send('root', 'POST', '/call/plain/config', {}))['data'].retention).toBe(3 * 86_400);
  expect(await send('root', 'GET', '/api/indexquerylog')).toMatchObject({ code: 404 });
});

test.each([
  ['refused', 400, 'Orders are closed'],
  ['later', 400, 'Come back later'],
])('the text of an error in save middleware is for the caller: %s', async (title, code, err) => {
  expect(await send('root', 'POST', '/api/order', { title })).toMatchObject({ code, err });
  const { data } = await send('root', 'POST', '/api/order', { title: 'first' });
  expect(await send('root', 'PUT', `/api/order/${String(data._id)}`, { title })).toMatchObject({ code, err });
});

test.each(['mistake', 'system'])('other errors of save middleware are not: %s', async (title) => {
  const answer = await send('root', 'POST', '/api/order', { title });
  expect(answer['code']).toBe(500);
  expect(JSON.stringify(answer)).not.toContain('CANARY');
});

test('an empty text is no value, in new documents and in changes', async () => {
  const { data } = await send('root', 'POST', '/api/order', { title: 'x', note: '', count: '' });
  expect(data).toMatchObject({ note: null, count: null });
  const path = `/${String(data._id)}`;
  await send('root', 'PUT', `/api/order${path}`, { note: 'n', count: 1 });
  for (const way of ['/api', '/update']) {
    expect((await send('root', 'PUT', `${way}/order${path}`, { note: '' }))['data']).toMatchObject({
      note: null,
      count: 1,
    });
    await send('root', 'PUT', `/api/order${path}`, { note: 'n' });
  }
});

test('an empty password is refused', async () => {
  const user = { name: 'Eve', email: 'eve@example.org', password: 'a long password' };
  const { data } = await send('root', 'POST', '/api/user', user);
  const path = `/api/user/${String(data._id)}`;
  expect(await send('root', 'PUT', path, { password: '' })).toMatchObject({ code: 400 });
});

test('settings of JXP stop the start with the names of those that have taken their place', async () => {
  const names = renamedVariables.flatMap((row) => row.names.map((name) => [name, row.setting] as const));
  const stopped = await start(
    Object.fromEntries(names.filter(([name]) => name !== 'NODE_DOCKER_PORT').map(([name]) => [name, '1'])),
    'other',
  );
  expect(await stopped.ended).not.toBe(0);
  for (const [name, setting] of names)
    // those that the process has set stand beside them
    if (!['PORT', 'MODELS_DIR'].includes(setting))
      expect(stopped.printed()).toContain(`${name} is a setting of JXP: set ${setting} in its place`);
  expect(stopped.printed()).not.toContain('MODEL_DIR is a setting');
});
