/** Model files that hash passwords themselves, as Mongoose applications do: the server's hash stays, so that users sign in. */
import { expect, test } from '@jest/globals';
import { compareSync, hashSync } from 'bcryptjs';
import { makeRoot } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const head = `const mongoose = require('mongoose');\nconst bcrypt = require(${JSON.stringify(require.resolve('bcryptjs'))});\n`;
const fields = `name: String, email: { type: String, unique: true }, changed: Number`;
const plain = `const schema = new mongoose.Schema({ ${fields}, password: { type: String, required: true } }, { perms: { all: 'c', owner: 'ru' } });\n`;

/** The ways in which applications hash. Each changes \`changed\`, which shows that the code has run. */
const ways: Readonly<Record<string, string>> = {
  'a pre-save hook with next': `${plain}
    schema.pre('save', async function (next) {
      if (!this.isModified('password')) return next();
      this.password = await bcrypt.hash(this.password, 4);
      this.changed = (this.changed ?? 0) + 1;
      next();
    });`,
  'a pre-save hook with a promise chain': `${plain}
    schema.pre('save', function () {
      if (!this.isModified('password')) return;
      return bcrypt.genSalt(4).then((salt) => bcrypt.hash(this.password, salt)).then((hash) => { this.password = hash; this.changed = (this.changed ?? 0) + 1; });
    });`,
  'a pre-validate hook': `${plain}
    schema.pre('validate', function () {
      if (!this.isModified('password')) return;
      this.set('password', bcrypt.hashSync(this.password, 4));
      this.changed = (this.changed ?? 0) + 1;
    });`,
  'a hook with another hash': `${plain}
    schema.pre('save', function () {
      if (!this.isModified('password')) return;
      this.password = require('node:crypto').createHash('sha256').update(this.password).digest('hex');
      this.changed = (this.changed ?? 0) + 1;
    });`,
  'a plugin': `${plain}
    schema.plugin((given) => given.pre('save', function () {
      if (this.isModified('password')) { this.password = bcrypt.hashSync(this.password, 4); this.changed = (this.changed ?? 0) + 1; }
    }));`,
  'a setter': `const schema = new mongoose.Schema({ ${fields}, password: { type: String, lowercase: true, set: (text) => bcrypt.hashSync(text, 4) } }, { perms: { all: 'c', owner: 'ru' } });
    schema.pre('save', function () { if (this.isModified('password')) this.changed = (this.changed ?? 0) + 1; });`,
  'a hook of a discriminator': `${plain}
    schema.discriminator('Member', new mongoose.Schema({ level: Number }));
    schema.pre('save', function () { if (this.isModified('password')) { this.password = bcrypt.hashSync(this.password, 4); this.changed = (this.changed ?? 0) + 1; } });`,
};

const open = async (files: ModelFiles) => {
  const server = await startServer({ models: files });
  return { server, root: await makeRoot(server) };
};
const userFile = (way: string): ModelFiles => ({
  'userModel.js': `${head}${way}\nmodule.exports = mongoose.model('User', schema);`,
});

test.each(Object.entries(ways))('%s: users sign in with their passwords, new and changed', async (name, way) => {
  const { server, root } = await open(userFile(way));
  const kind = name.endsWith('discriminator') ? { __t: 'Member', level: 1 } : {};
  const ann = { email: 'ann@x.test', password: 'Pass of Ann' };
  expect((await server.post('/api/user', { ...ann, ...kind })).status).toBe(201);
  expect((await server.post('/login', ann)).status).toBe(200);
  const users = server.dossier.services.connection.collection('users');
  const stored = await users.findOne({ email: ann.email });
  expect(stored?.['changed']).toBe(1);

  const other = await server.put(`/api/user/${String(stored?._id)}`, { password: 'Another One' }, root);
  expect(other.status).toBe(200);
  expect((await server.post('/login', ann)).status).toBe(401);
  expect((await server.post('/login', { ...ann, password: 'Another One' })).status).toBe(200);
  // a change of something else neither hashes nor replaces
  const before = await users.findOne({ email: ann.email });
  expect((await server.put(`/api/user/${String(stored?._id)}`, { name: 'Ann' }, root)).status).toBe(200);
  expect((await users.findOne({ email: ann.email }))?.['password']).toBe(before?.['password']);
});

test('passwords of other models and of nested documents are hashed once', async () => {
  const hook = `function () { if (this.isModified('password')) this.password = bcrypt.hashSync(this.password, 4); }`;
  const { server, root } = await open({
    'door.js': `${head}
      const key = new mongoose.Schema({ password: String });
      key.pre('save', ${hook});
      const ring = new mongoose.Schema({ keys: [key] });
      const door = new mongoose.Schema({ password: String, keys: [key], main: key, rings: [ring] });
      door.pre('save', ${hook});
      module.exports = mongoose.model('Door', door);`,
  });
  const body = {
    password: 'outer',
    keys: [{ password: 'first' }, { password: 'second' }],
    main: { password: 'main' },
    rings: [{ keys: [{ password: 'third' }] }],
  };
  expect((await server.post('/api/door', body, root)).status).toBe(201);
  const [door] = await server.dossier.services.connection.collection('doors').find().toArray();
  const hashes = [
    door?.['password'],
    ...(door?.['keys'] ?? []).map((key: any) => key.password),
    door?.['main'].password,
    door?.['rings'][0].keys[0].password,
  ];
  expect(hashes.map((hash, at) => compareSync(['outer', 'first', 'second', 'main', 'third'][at] ?? '', hash))).toEqual(
    hashes.map(() => true),
  );
});

test('what code of the model files sets is hashed by its own middleware', async () => {
  const file = userFile(`${plain}
    schema.set('callable_statics', { invite: { needs: 'r', on: 'model' } });
    schema.statics.invite = async function ({ email }) { await this.create({ email, password: 'Given by code' }); };
    schema.pre('save', function () { if (this.isModified('password')) this.password = bcrypt.hashSync(this.password, 4); });`);
  const { server, root } = await open(file);
  expect((await server.post('/call/user/invite', { email: 'bob@x.test' }, root)).status).toBe(200);
  expect((await server.post('/login', { email: 'bob@x.test', password: 'Given by code' })).status).toBe(200);
});

test('a password in the form of a hash is hashed as any other', async () => {
  const { server } = await open(userFile(String(ways['a pre-save hook with next'])));
  const eve = { email: 'eve@x.test', password: hashSync('known to Eve', 4) };
  expect((await server.post('/api/user', eve)).status).toBe(201);
  expect((await server.post('/login', { ...eve, password: 'known to Eve' })).status).toBe(401);
  expect((await server.post('/login', eve)).status).toBe(200);
});
