/** What model files of JXP use besides fields: modules, other models, the caller, plugins, errors (docs/migrating.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send as request } from '../support/client.ts';
import { bearer } from '../support/fixtures/people.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { programOf } from '../support/programs.ts';

const preload = ['--import', `./${programOf('src/jxp.ts')}`];

/** An application's folder, with the packages that are installed beside its models. */
const files: Readonly<Record<string, string>> = {
  // an installed JXP and its Mongoose, neither of which may be loaded
  'node_modules/jxp/package.json': '{ "name": "jxp", "main": "index.js" }',
  'node_modules/jxp/index.js': 'throw new Error("the installed jxp was loaded");',
  'node_modules/jxp/libs/schema.js': 'throw new Error("the installed schema was loaded");',
  'node_modules/mongoose/package.json': '{ "name": "mongoose", "main": "index.js" }',
  'node_modules/mongoose/index.js': 'throw new Error("a second Mongoose was loaded");',
  // its classes are those of restify-errors, as far as they can be distinguished
  'node_modules/restify-errors/index.js': `
function HttpError(message) { Error.captureStackTrace(this); this.message = message; this.body = { code: this.code, message }; }
HttpError.prototype = Object.create(Error.prototype, { constructor: { value: HttpError } });
HttpError.displayName = 'HttpError';
function ImATeapotError(message) { HttpError.call(this, message); }
ImATeapotError.prototype = Object.create(HttpError.prototype, { constructor: { value: ImATeapotError } });
Object.assign(ImATeapotError.prototype, { statusCode: 418, code: 'ImATeapot' });
ImATeapotError.displayName = 'ImATeapotError';
module.exports = { HttpError, ImATeapotError };`,
  // a plugin in an old style: with callbacks of the driver, and next under another name
  'node_modules/slugs/index.js': `
const mongoose = require('mongoose');
module.exports = (schema, { source, path }) => {
  schema.add({ [path]: { type: String } });
  schema.pre('save', function slug(goOn) {
    const self = this;
    const wanted = self[path] || String(self[source]).toLowerCase();
    this.collection.find({ [path]: new RegExp('^' + wanted), _id: { $ne: this._id } }, {}, (fault, cursor) => {
      cursor.toArray((fault, rows) => {
        self[path] = rows.length === 0 ? wanted : wanted + '-' + rows.length;
        goOn();
      });
    });
  });
  schema.statics.sameMongoose = () => mongoose.model('User').modelName;
};`,
  'models/user_model.js': `/* global JXPSchema */
const slugs = require('slugs');
const UserSchema = new JXPSchema({
  name: { type: String },
  urlid: { type: String, unique: true, index: true },
  email: { type: String, unique: true, index: true, set: toLower },
  password: String,
  admin: Boolean,
}, { perms: { admin: 'crud', owner: 'ru', user: 'r' } });
UserSchema.path('name').validate((v) => v && v.length > 0, 'a name is needed');
UserSchema.plugin(slugs, { source: 'name', path: 'urlid' });
function toLower(v) { return v ? v.toLowerCase() : null; }
module.exports = JXPSchema.model('User', UserSchema);
`,
  'models/person_model.js': `/* global JXPSchema ObjectId */
const Schema = require('jxp/libs/schema');
const PersonSchema = new Schema({
  label: String,
  owner_id: { type: ObjectId, link: 'Group' },
  first_id: { type: ObjectId, link: 'Group' },
  second_id: { type: ObjectId, link: 'Group', virtual: 'runner_up' },
  groups_ids: [{ type: ObjectId, link: 'User', map_to: 'members' }],
  test_id: { type: ObjectId, link: 'Test' },
  friend_id: { type: ObjectId, link: 'Person' },
}, { perms: { all: 'crud' } });
module.exports = JXPSchema.model('Human', PersonSchema);
`,
  'models/group_model.js': `import 'jxp/globals';
import Schema, { default as Same } from 'jxp/libs/schema';
import { JXPSchema as Again } from 'jxp';
if (Schema !== JXPSchema || Same !== JXPSchema || Again !== JXPSchema) throw new Error('there are several');
export default JXPSchema.model('Group', new JXPSchema({ title: String }, { perms: { all: 'crud' } }));
`,
  'models/test_model.js': `/* global JXPSchema Mixed */
const errors = require('restify-errors');
const mongoose = require('mongoose');
const Human = require('./person_model');
const Early = mongoose.model('Human');
const TestSchema = new JXPSchema({ foo: String, by: String, told: Mixed }, { callable_statics: { whoami: 'c', people: 'c', fail: 'c' } });
TestSchema.set('_perms', { all: 'crud', admin: 'crud' });
TestSchema.statics.whoami = (data) => ({ user: data.__user && data.__user.email, x: data.x });
TestSchema.statics.people = async function () {
  const made = await new Human({ label: 'made' }).save();
  const names = ['Human', 'human', 'person', 'Person'].map((name) => mongoose.model(name));
  const counts = [];
  for (const model of [Human, Early, JXPSchema.model('Human'), ...names]) counts.push(await model.countDocuments({ label: 'made' }));
  await Human.deleteOne({ _id: made._id });
  return { counts, same: made instanceof Human, perms: TestSchema.get('_perms').all, user: mongoose.model('User').sameMongoose() };
};
TestSchema.statics.fail = () => { throw new errors.ImATeapotError('short and stout'); };
TestSchema.pre('save', function (proceed) {
  if (this.foo === 'teapot') throw new errors.ImATeapotError("I'm a teapot");
  if (this.foo === 'later') return void setTimeout(() => proceed(new errors.ImATeapotError('later')), 5);
  if (this.foo === 'secret') throw Object.assign(new Error('CANARY'), { statusCode: 418 });
  this.by = this.__user ? this.__user.email : 'nobody';
  proceed();
});
TestSchema.pre('save', true, function (proceed, done) { setTimeout(done, 5); proceed(); });
TestSchema.pre('save', async function () { await null; this.told = [this.__user === null]; });
module.exports = JXPSchema.model('Test', TestSchema);
`,
};

async function folderWith(given: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'preload-models-'));
  for (const [name, text] of Object.entries(given)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const start = (folder: string, more: Readonly<Record<string, string>> = {}, flags = preload): Promise<ServerProcess> =>
  startProcess(
    { MODELS_DIR: join(folder, 'models'), DATA_DIR: join(folder, 'data'), BCRYPT_COST: '4', ...more },
    flags,
  );

let folder = '';
let server: ServerProcess;
let token = '';

async function send(method: string, path: string, body?: object, as = token): Promise<Record<string, any>> {
  const headers = as === '' ? {} : bearer(as);
  const answer = await request(method, server.url + path, { body, headers });
  return { code: answer.status, ...answer.body };
}

beforeAll(async () => {
  folder = await folderWith(files);
  server = await start(folder);
  if (server.url === '') throw new Error(server.printed());
  const root = { name: 'Root', email: 'Root@x.test', password: 'pw-root-1' };
  expect(await send('POST', '/setup', root, '')).toMatchObject({ code: 201 });
  token = String((await send('POST', '/login', root, ''))['token']);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  expect(server.printed()).not.toContain('loaded');
  await rm(folder, { recursive: true, force: true });
});

test('links are shown as map_to, virtual or the model in lower case, and by their path if two would share a name', async () => {
  const { data } = await send('GET', '/model/person');
  expect(data.fields).toMatchObject({
    owner_id: { link: 'group', map_to: 'owner' },
    first_id: { map_to: 'first' },
    second_id: { map_to: 'runner_up' },
    groups_ids: { link: 'user', map_to: 'members' },
    test_id: { map_to: 'test' },
    friend_id: { link: 'person', map_to: 'person' },
  });
});

test('models access each other by any of their names, before and after they are served', async () => {
  const { data } = await send('POST', '/call/test/people', {});
  expect(data).toEqual({ counts: [1, 1, 1, 1, 1, 1, 1], same: true, perms: 'crud', user: 'User' });
});

test('data.__user and this.__user are the caller, even if the body has another', async () => {
  const forged = { x: 1, __user: { email: 'forged@x.test' } };
  const asRoot = await send('POST', '/call/test/whoami', forged);
  expect(asRoot['data']).toEqual({ user: 'root@x.test', x: 1 });
  expect((await send('POST', '/call/test/whoami', forged, ''))['data']).toEqual({ user: null, x: 1 });
  const made = await send('POST', '/api/test', { foo: 'a', __user: forged.__user });
  expect(made).toMatchObject({ code: 201, data: { by: 'root@x.test', told: [false] } });
  expect(JSON.stringify(made)).not.toContain('__user');
  const [one, two] = await Promise.all([
    send('POST', '/api/test', { foo: 'b' }, ''),
    send('POST', '/api/test', { foo: 'c' }),
  ]);
  expect([one['data'], two['data']]).toMatchObject([
    { by: 'nobody', told: [true] },
    { by: 'root@x.test', told: [false] },
  ]);
});

test('the messages of restify errors are answered, those of other errors are not', async () => {
  expect(await send('POST', '/api/test', { foo: 'teapot' })).toMatchObject({ code: 418, err: "I'm a teapot" });
  expect(await send('POST', '/api/test', { foo: 'later' })).toMatchObject({ code: 418, err: 'later' });
  expect(await send('POST', '/call/test/fail', {})).toMatchObject({ code: 418, err: 'short and stout' });
  const secret = await send('POST', '/api/test', { foo: 'secret' });
  expect([secret['code'], JSON.stringify(secret)]).toEqual([418, expect.not.stringContaining('CANARY')]);
});

test('a plugin that uses callbacks of the driver works, and its faults are answered', async () => {
  const user = (email: string, more: object = {}) => ({ name: 'Ann', email, password: 'pw-ann-12', ...more });
  expect(await send('POST', '/api/user', user('a@x.test'))).toMatchObject({ code: 201, data: { urlid: 'ann' } });
  expect(await send('POST', '/api/user', user('b@x.test'))).toMatchObject({ code: 201, data: { urlid: 'ann-1' } });
  // a pattern that JavaScript accepts and the database refuses, so that the plugin's callback receives no rows
  const fault = await send('POST', '/api/user', user('c@x.test', { urlid: '\\cA(?<a>.)\\k<a>[^]' }));
  expect([201, 500]).toContain(fault['code']);
  expect((await send('POST', '/api/user', user('d@x.test', { urlid: '(' })))['code']).toBe(500);
  expect((await send('GET', '/health', undefined, ''))['code']).toBe(200);
});

describe('a limit and a page', () => {
  beforeAll(async () => {
    for (const title of ['1', '2', '3', '4', '5'])
      expect(await send('POST', '/api/group', { title })).toMatchObject({ code: 201 });
  });

  test.each([
    ['limit=undefined', 5],
    ['limit=0', 5],
    ['limit=undefined&page=undefined', 5],
    ['page=0', 5],
    ['limit=2&page=0', 2],
    ['limit=2&page=undefined', 2],
    ['limit=2&page=3', 1],
  ])('%s gives %i of five, as JXP does', async (query, rows) => {
    const { code, data } = await send('GET', `/api/group?${query}`);
    expect([code, data.length]).toEqual([200, rows]);
  });

  test.each(['limit=-1', 'page=-1'])('%s is a 400', async (query) => {
    expect((await send('GET', `/api/group?${query}`))['code']).toBe(400);
  });
});

test('a missing package is named, with the command that installs it', async () => {
  const models: Readonly<Record<string, string>> = {
    'models/a_model.js': 'require("@some/thing/inner"); module.exports = new JXPSchema({});',
  };
  const other = await folderWith(models);
  const ended = await start(other);
  expect([ended.url, await ended.ended]).toEqual(['', 1]);
  expect(ended.printed()).toMatch(
    /a_model\.js: the package @some\/thing is not installed: run "npm install @some\/thing"/,
  );
  await rm(other, { recursive: true, force: true });
});
