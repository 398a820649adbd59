/** The rules of a model file for `password`: they hold for the password as it is given, by every way that sets one, and not for its hash. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashSync } from 'bcryptjs';
import { DossierError } from 'dossier-client';
import { documentFaults } from '../../src/cli/check/documents.ts';
import { Users } from '../../src/cli/users.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { emailOf, logIn, makeRoot, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from '../transfer/folders.ts';

const rules = `{ type: String, required: true, select: false, minlength: 9, maxlength: [12, 'at most a dozen'], match: /[0-9]/,
  validate: { validator: (given) => given !== 'guess-it-1', message: 'this one is known' } }`;
const options = `{ perms: { admin: 'crud', owner: 'ru' }, advanced_queries: { bulkwrite: true } }`;

/** A model whose users are rows, and one in the manner of an application of Express, whose users are saved. */
const models: Readonly<Record<string, string>> = {
  rows: `module.exports = ({ Schema }) => new Schema({ name: String, password: ${rules} }, ${options});`,
  confirmed: `module.exports = ({ Schema }) => new Schema({
    name: String,
    password: ${rules},
    passwordConfirm: {
      type: String,
      required: [true, 'please confirm'],
      validate: { validator: function (given) { return given === this.password; }, message: 'the passwords differ' },
    },
  }, ${options});`,
  saved: `module.exports = ({ Schema }) => {
    const schema = new Schema({
      name: String,
      password: ${rules},
      passwordConfirm: {
        type: String,
        validate: { validator: function (given) { return given === this.password; }, message: 'the passwords differ' },
      },
    }, ${options});
    schema.pre('save', async function () {
      if (!this.isModified('password')) return;
      this.password = 'another hash';
      this.passwordConfirm = undefined;
    });
    return schema;
  };`,
};

const good = 'long-one-1';
const argon2 = `$argon2id$v=19$m=65536,t=3,p=4$${'c'.repeat(22)}$${'h'.repeat(43)}`;
/** Refused passwords, and what their fault says. */
const refused: readonly (readonly [password: string, kind: string, message: string])[] = [
  ['short-1', 'minlength', 'must have at least 9 characters'],
  ['much-too-long-1', 'maxlength', 'at most a dozen'],
  ['no-digits', 'regexp', 'does not have the right form'],
  ['guess-it-1', 'user defined', 'this one is known'],
];

interface Outcome {
  readonly status: number;
  readonly text: string;
}
type Extra = Readonly<Record<string, string>>;
type Way = (world: World, password: string, more?: Extra) => Promise<Outcome>;
interface World {
  readonly server: TestServer;
  readonly mailbox: Mailbox;
  readonly root: { readonly headers: Readonly<Record<string, string>> };
  readonly target: string;
  next: number;
  /** What repeats a password, where the model requires that. */
  readonly repeat: (password: string) => Extra;
}

const page = 'https://app.example/reset?jwt=';
const target = { email: 'target@x.test', password: 'target-1-1' };
const fresh = (world: World): string => `new${(world.next += 1)}@x.test`;

async function commanded(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    await work();
    return { status: 200, text: '' };
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    return { status: error.status, text: JSON.stringify(error.errors) };
  }
}

async function imported({ server }: World, record: object, on: readonly string[] = []): Promise<Outcome> {
  const folder = await newFolder();
  const path = join(folder, 'file.ndjson');
  await writeFile(path, `${JSON.stringify(record)}\n`);
  const sources = await sourcesOf({ path, model: 'user', input: Readable.from([]) });
  const how = { on, raw: false, strict: false, folder, onProgress: () => undefined };
  await importSources(server.dossier.services, sources, how);
  const [line] = linesOf((await textsIn(folder))['refused.ndjson'] ?? '');
  return line === undefined ? { status: 200, text: '' } : { status: 400, text: JSON.stringify(line) };
}

const put = ({ server, root, target: id }: World, path: string, body: object): Promise<Outcome> =>
  server.put(`${path}/${id}`, body, root);
const bulk = ({ server, root }: World, operation: object): Promise<Outcome> =>
  server.post('/bulkwrite/user', [operation], root);

const creating: Readonly<Record<string, Way>> = {
  'POST /api/user': (world, password, more) =>
    world.server.post('/api/user', { email: fresh(world), password, ...world.repeat(password), ...more }, world.root),
  'POST /signup': (world, password, more) =>
    world.server.post('/signup', { email: fresh(world), password, ...world.repeat(password), ...more }),
  'PUT /api/user?on=email': (world, password, more) =>
    world.server.put(
      '/api/user?on=email',
      { email: fresh(world), password, ...world.repeat(password), ...more },
      world.root,
    ),
  insertOne: (world, password, more) =>
    bulk(world, { insertOne: { document: { email: fresh(world), password, ...world.repeat(password), ...more } } }),
  '/setup/data': (world, password, more) =>
    world.server.post(
      '/setup/data',
      { user: [{ email: fresh(world), password, ...world.repeat(password), ...more }] },
      world.root,
    ),
  'an import': (world, password, more) =>
    imported(world, { email: fresh(world), password, ...world.repeat(password), ...more }),
};
const alone: Readonly<Record<string, Way>> = {
  'dossier user add': (world, password) =>
    commanded(() =>
      new Users(world.server.dossier.services).add({
        login: fresh(world),
        email: undefined,
        password,
        admin: false,
        groups: [],
      }),
    ),
  'dossier user password': (world, password) =>
    commanded(() => new Users(world.server.dossier.services).setPassword(target.email, password)),
  'POST /login/password': async (world, password) => {
    const user = { email: fresh(world), password: target.password, ...world.repeat(target.password) };
    await world.server.post('/api/user', user, world.root);
    const { body } = await world.server.post('/login', user);
    const headers = { authorization: `Bearer ${String(body['token'])}` };
    return world.server.post('/login/password', { password: user.password, new_password: password }, { headers });
  },
  'POST /login/reset': async (world, password) => {
    expect((await world.server.post('/login/recover', { email: target.email })).status).toBe(200);
    return world.server.post('/login/reset', { jwt: world.mailbox.link().slice(page.length), password });
  },
};
const changing: Readonly<Record<string, Way>> = {
  PUT: (world, password, more) => put(world, '/api/user', { password, ...world.repeat(password), ...more }),
  PATCH: ({ server, root, target: id, repeat }, password, more) =>
    server.send('PATCH', `/api/user/${id}`, {
      headers: { ...root.headers, 'content-type': 'application/merge-patch+json' },
      body: { password, ...repeat(password), ...more },
    }),
  'PUT /update': (world, password, more) =>
    put(world, '/update/user', { password, ...world.repeat(password), ...more }),
  updateOne: (world, password, more) =>
    bulk(world, {
      updateOne: {
        filter: { email: target.email },
        update: { $set: { password, ...world.repeat(password), ...more } },
      },
    }),
  'an import of a stored user': (world, password, more) =>
    imported(world, { email: target.email, password, ...world.repeat(password), ...more }, ['email']),
};

describe.each(Object.entries(models))('a model of %s', (name, file) => {
  let world: World;
  beforeAll(async () => {
    const mailbox = await openMailbox();
    const server = await startServer({
      models: { 'user.cjs': file },
      signup: 'open',
      smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
      password_recovery_url: page,
    });
    const root = await makeRoot(server);
    const repeat = (password: string): Extra => (name === 'confirmed' ? { passwordConfirm: password } : {});
    const { body } = await server.post('/api/user', { ...target, ...repeat(target.password) }, root);
    world = { server, mailbox, root, target: String((body['data'] as { _id: string })._id), next: 0, repeat };
  });
  afterAll(() => world.mailbox.close());

  test.each(Object.entries({ ...creating, ...alone, ...changing }))('%s', async (way, set) => {
    const { status, text } = await set(world, good);
    expect([200, 201]).toContain(status);
    expect(text).not.toContain('errors');
    for (const [password, kind, message] of refused) {
      const answer = await set(world, password);
      expect([password, answer.status]).toEqual([password, 400]);
      if (!way.includes('import')) expect(answer.text).toContain(kind);
      expect(answer.text).toContain(message);
      expect(answer.text).not.toContain(`"${password}"`);
    }
    // what looks like a hash is a password like any other, except in an import
    if (!way.includes('import')) expect((await set(world, hashSync('any', 4))).status).toBe(400);
  });

  test.each(Object.entries({ ...creating, ...changing }))(
    'a hash of argon2 is refused as one by %s',
    async (_way, set) => {
      const { status, text } = await set(world, argon2);
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('is a hash of argon2, which cannot be checked here'),
      ]);
      expect(text).not.toContain('at most');
    },
  );

  if (name !== 'rows')
    test.each(Object.entries({ ...creating, ...changing }))('a confirmation is compared by %s', async (_way, set) => {
      const differs = await set(world, good, { passwordConfirm: 'another-1' });
      expect([differs.status, differs.text]).toEqual([400, expect.stringContaining('the passwords differ')]);
      const { status } = await set(world, good, { passwordConfirm: good });
      expect([200, 201]).toContain(status);
    });

  test('a confirmation without a password is compared with what is stored', async () => {
    if (name !== 'rows') expect((await put(world, '/api/user', { passwordConfirm: good })).status).toBe(400);
  });

  test('a confirmation that is required is so with a password only', async () => {
    if (name !== 'confirmed') return;
    const without = await world.server.post('/api/user', { email: fresh(world), password: good }, world.root);
    expect([without.status, without.text]).toEqual([400, expect.stringContaining('please confirm')]);
    expect((await put(world, '/api/user', { password: good })).status).toBe(400);
    expect((await put(world, '/api/user', { name: 'Bea' })).status).toBe(200);
  });

  test('no confirmation is stored', async () => {
    const users = world.server.dossier.services.connection.collection('users');
    expect(await users.countDocuments({ passwordConfirm: { $exists: true } })).toBe(0);
  });

  test('users sign in with passwords that the rules allow, and other changes are not judged by them', async () => {
    expect((await changing['PUT']?.(world, good))?.status).toBe(200);
    expect((await put(world, '/api/user', { name: 'Ann' })).status).toBe(200);
    expect((await world.server.post('/login', { email: target.email, password: good })).status).toBe(200);
  });

  test('all faults are named at once', async () => {
    const { status, body } = await world.server.post('/api/user', { email: 'x', password: 'short-1' }, world.root);
    expect(status).toBe(400);
    expect(JSON.stringify(body['errors'])).toMatch(/"password".*"email"|"email".*"password"/);
  });

  test('hashes of another system are stored', async () => {
    const hash = hashSync('of the other system', 4);
    const user = { email: fresh(world), password: hash };
    expect((await world.server.post('/api/user?password_override=1', user, world.root)).status).toBe(201);
    expect(await imported(world, { email: fresh(world), password: hash })).toMatchObject({ status: 200 });
    expect((await world.server.post('/login', { ...user, password: 'of the other system' })).status).toBe(200);
    const other = { email: fresh(world), password: argon2 };
    const refusal = await world.server.post('/api/user?password_override=1', other, world.root);
    expect([refusal.status, refusal.text]).toEqual([400, expect.stringContaining('is a hash of argon2')]);
  });

  test('a stored hash of argon2 is a fault of `dossier check`', async () => {
    const { registry, connection } = world.server.dossier.services;
    const { insertedId } = await connection.collection('users').insertOne({ email: fresh(world), password: argon2 });
    const faults = await documentFaults(registry.internal('user'), registry, () => undefined);
    await connection.collection('users').deleteOne({ _id: insertedId });
    const message = 'is a hash of argon2, which cannot be checked here';
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'document', path: 'password', message, examples: [String(insertedId)] }),
    );
  });

  test('/setup', async () => {
    const server = await startServer({ models: { 'user.cjs': file } });
    const short = await server.post('/setup', { email: emailOf('root'), password: 'short-1' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('at least 9 characters')]);
    expect((await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') })).status).toBe(201);
    expect((await server.get('/me', { headers: rootBasic })).status).toBe(200);
    expect((await logIn(server, 'root')).email).toBe(emailOf('root'));
  });

  test('the first admin of the settings', async () => {
    const admin = { email: emailOf('root'), password: 'no-digits' };
    await expect(startServer({ models: { 'user.cjs': file }, admin })).rejects.toThrow(/does not match the user model/);
  });
});

test('rules of nested passwords hold too', async () => {
  const server = await startServer({
    models: {
      'door.cjs': `module.exports = ({ Schema }) => new Schema({
        keys: [{ password: { type: String, minlength: 8 } }],
        main: new Schema({ password: { type: String, maxlength: 10 } }),
        plain: { password: { type: String, match: /^[a-z]+$/ } },
      });`,
    },
  });
  const root = await makeRoot(server);
  const body = { keys: [{ password: 'long enough' }], main: { password: 'short' }, plain: { password: 'letters' } };
  expect((await server.post('/api/door', body, root)).status).toBe(201);
  const wrong = {
    keys: [{ password: 'short' }, { password: 'long enough' }],
    main: { password: 'far too long' },
    plain: { password: 'Digits 1' },
  };
  const answer = await server.post('/api/door', wrong, root);
  expect(answer.status).toBe(400);
  const faults = answer.body['errors'] as readonly { readonly path: string; readonly kind: string }[];
  expect(faults.map(({ path, kind }) => [path, kind])).toEqual(
    expect.arrayContaining([
      ['keys.0.password', 'minlength'],
      ['main.password', 'maxlength'],
      ['plain.password', 'regexp'],
    ]),
  );
});
