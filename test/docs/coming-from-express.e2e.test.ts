/**
 * docs/coming-from-express.md, step by step, with the application in express-application: it runs with Express and Mongoose, its
 * models are served as the guide says, and each of its routes is compared with the request that replaces it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type UpdateResult } from 'mongodb';
import { type CommandProcess, startCommand } from '../../packages/store/test/server/command-process.ts';
import { settingRows } from '../../src/settings/table.ts';
import { type Answer, send } from '../support/client.ts';
import { runHere } from '../support/command-here.ts';
import { bearer } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { newFolder } from '../transfer/folders.ts';
import { blocksOf, environmentOf } from './examples.ts';
import { type Person, type Replaced, replaced } from './express-requests.ts';
import { type ExpressApplication, loginOf, seed, startExpress, withIds } from './express-seed.ts';
import { rowsOf } from './tables.ts';

const guide = 'docs/coming-from-express.md';
const application = 'test/docs/express-application';
const text = readFileSync(guide, 'utf8');
const textsOf = (language: string): readonly string[] =>
  blocksOf(text).flatMap((block) => (block.language === language ? [block.text] : []));
/** The databases in the guide. */
const shown = /mongodb:\/\/127\.0\.0\.1:27017\/(\w+)/g;

let store: CommandProcess;
let client: MongoClient;
let express: ExpressApplication;
let server: TestServer;
let folder: string;
let ids: ReadonlyMap<string, string>;
const tokens = new Map<string, readonly [there: string, here: string]>();

/** A text of the guide with the databases of this test. */
const here = (line: string): string => line.replaceAll(shown, (_url, name: string) => databaseUrl(name));
function databaseUrl(name: string): string {
  const url = new URL(store.url);
  url.pathname = name;
  url.searchParams.set('authSource', 'admin');
  return url.href;
}
const environment = (): Record<string, string> => {
  const all = environmentOf(text);
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, here(value)]));
};

beforeAll(async () => {
  folder = await newFolder();
  store = await startCommand(['--port', '0', '--data', await newFolder()]);
  client = await new MongoClient(store.url).connect();
  await cp(application, folder, { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  express = await startExpress(folder, { DATABASE: databaseUrl('shop'), JWT_SECRET: 'secret of the application' });
  ids = await seed(express, client.db('shop'));
});

afterAll(async () => {
  express.child.kill('SIGTERM');
  await server.close();
  await client.close();
  store.child.kill('SIGTERM');
  await store.ended;
});

/** Runs a line such as `NAME=value npx dossier check`, with the variables of the guide's `.env` as well. */
function run(line: string, variables: Readonly<Record<string, string>> = {}): ReturnType<typeof runHere> {
  const words = here(line).split(' ');
  const own = words.slice(0, words.indexOf('npx')).map((word) => word.split(/=(.*)/).slice(0, 2));
  return runHere(folder, words.slice(words.indexOf('dossier') + 1), {
    environment: { ...variables, ...(Object.fromEntries(own) as Record<string, string>) },
  });
}
const commandWith = (part: string): string =>
  textsOf('sh')
    .flatMap((block) => block.split('\n'))
    .find((line) => line.includes(part)) ?? '';

test('1. the database is copied', async () => {
  const { code, output } = await run(commandWith('dossier copy'));
  expect(code).toBe(0);
  expect(output).toMatch(/^users: 5 documents/m);
});

test('2. the models start as they are, and the check prints the lines that the guide shows', async () => {
  const { output } = await run(commandWith('dossier check'), environment());
  const lines = textsOf('text').flatMap((block) => block.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(4);
  expect(output.trim().split('\n')).toEqual(expect.arrayContaining(lines));
  expect(output).not.toMatch(/^(Setting|Model file|Document|Link|Unknown path)/m);
});

test('3. the models get their permissions', async () => {
  const changes = textsOf('diff').map((block) => block.split('\n').slice(0, -1));
  expect(changes.length).toBeGreaterThan(5);
  for (const [head = '', ...lines] of changes) {
    const file = join(folder, head.replace(/^ \/\/ /, ''));
    const [before, after] = ['+', '-'].map((other) =>
      lines.flatMap((line) => (line.startsWith(other) ? [] : [line.slice(1)])).join('\n'),
    );
    const old = await readFile(file, 'utf8');
    // each change applies at one place
    expect({ head, places: old.split(String(before)).length - 1 }).toEqual({ head, places: 1 });
    await writeFile(
      file,
      old.replace(String(before), () => String(after)),
    );
  }
});

test('4. the users get their rights', async () => {
  const database = client.db('shop_copy');
  const [commands = ''] = textsOf('js').filter((block) => block.startsWith('db.'));
  const updates: Promise<UpdateResult>[] = [];
  // what mongosh gives its commands
  const collection = (name: string): object => ({
    updateMany: (filter: object, update: object) =>
      void updates.push(database.collection(name).updateMany(filter, update)),
  });
  runInNewContext(commands, { db: new Proxy({}, { get: (_target, name) => collection(String(name)) }) });
  expect((await Promise.all(updates)).map(({ modifiedCount }) => modifiedCount)).toEqual([1, 1, 1, 1]);
});

test('5. the service starts', async () => {
  const { MONGODB_URL: url, ...settings } = environment();
  server = await startServer({
    models: join(folder, 'models'),
    environment: { ...settings, MONGODB_URL: String(url) },
    mongodb_url: undefined,
    inMemory: false,
  });
  for (const name of ['ada', 'lea', 'uma', 'ben']) {
    const answers = [
      await send('POST', `${express.url}/users/login`, { body: loginOf(name) }),
      await server.post('/login', loginOf(name)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    tokens.set(name, answers.map(({ body }) => String(body['token'])) as [string, string]);
  }
});

test.each(replaced.map((one) => [`${one.what}: ${one.route}`, one] as const))(
  '6. %s',
  async (_title, one: Replaced) => {
    const there = await sent(one.route, one.body, one.as, 0);
    const answer = await sent(one.request, one.requestBody ?? one.body, one.as, 1);
    const answers = { statuses: [there.status, answer.status], texts: [there.text, answer.text] };
    expect(answers).toMatchObject({ statuses: one.statuses ?? [200, 200] });
    if (one.shown !== undefined) {
      const shown = shownIn(there, one.shown);
      // the same nothing in both would be equal, too
      expect(shown.flatMap(Object.values)).toContainEqual(expect.anything());
      expect(shownIn(answer, one.shown)).toEqual(shown);
    }
    if (one.what === 'change my password') await renew(one.as, there);
  },
);

/** Sends a request such as `GET /tours` to the application (0) or to the service (1). */
function sent(line: string, body: unknown, as: Person | undefined, at: 0 | 1): Promise<Answer> {
  const [method = '', path = ''] = withIds(line, ids).split(' ');
  const token = as === undefined ? undefined : tokens.get(as)?.[at];
  const base = at === 0 ? express.url : server.url;
  return send(method, base + path, {
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: withIds(body ?? {}, ids) }),
    headers: token === undefined ? {} : bearer(token),
  });
}

/** A new password ends the sessions in both. */
async function renew(who: Person | undefined, { body }: Answer): Promise<void> {
  const again = { ...loginOf(who ?? ''), password: `new-pass-of-${who}` };
  const { body: login } = await server.post('/login', again);
  tokens.set(who ?? '', [String(body['token']), String(login['token'])]);
}

/** The values at these paths in the documents of an answer. */
function shownIn({ body }: Answer, paths: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const { data } = body as { readonly data: unknown };
  const documents: unknown[] = Array.isArray(data) ? data : [data];
  return documents.map((document) =>
    Object.fromEntries(paths.map((path) => [path, valueAt(document, path.split('.'))])),
  );
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((member) => valueAt(member, [name, ...rest]));
  return valueAt((value as Readonly<Record<string, unknown>> | null | undefined)?.[name], rest);
}

test('the rights are those of the application', async () => {
  const as = (name: Person): { headers: Readonly<Record<string, string>> } => ({
    headers: bearer(tokens.get(name)?.[1] ?? ''),
  });
  const order = {
    user: ids.get('ben'),
    items: [{ product: ids.get('parka'), quantity: 1, price: 1 }],
    shipping: { city: 'x' },
  };
  expect((await server.post('/api/order', order, as('uma'))).status).toBe(403);
  expect((await server.get(`/api/order/${ids.get('other')}`, as('uma'))).status).toBe(404);
  expect((await server.put(`/api/order/${ids.get('order')}`, { total: 1 }, as('uma'))).status).toBe(403);
  for (const path of ['coupon', 'counter', 'payment'])
    expect((await server.get(`/api/${path}`, as('uma'))).status).toBe(403);

  // the guide's public user, and what is private of the others
  const { rows: guides } = await server.get('/api/user');
  expect(guides).toEqual([expect.objectContaining({ name: 'Lea', role: 'lead-guide', photo: 'default.jpg' })]);
  const hidden = ['email', 'admin', 'groups', 'addresses', 'wishlist', 'active', 'password'];
  const { rows: seen } = await server.get('/api/user', as('ben'));
  const others = seen.filter(({ _id }) => _id !== ids.get('ben'));
  expect(others.length).toBeGreaterThan(2);
  for (const row of [...guides, ...others])
    expect(Object.keys(row).filter((name) => hidden.includes(name))).toEqual([]);
  const eve = { name: 'Eve', email: 'eve@trails.test', password: 'pass-of-eve' };
  for (const more of [{ role: 'admin' }, { active: true }])
    expect((await server.post('/api/user', { ...eve, ...more })).status).toBe(403);
  expect((await server.post('/api/user', { ...eve, admin: true, groups: ['lead-guide'] })).status).toBe(201);
  expect(await client.db('shop_copy').collection('users').findOne({ email: eve.email })).toMatchObject({
    ...{ admin: false, groups: [], role: 'user' },
  });
  expect((await server.put(`/api/user/${ids.get('uma')}`, { role: 'admin' }, as('uma'))).status).toBe(403);
});

test('the application runs with the changed files', async () => {
  const again = await startExpress(folder, { DATABASE: databaseUrl('shop'), JWT_SECRET: 'secret of the application' });
  const { status, rows } = await send('GET', `${again.url}/tours?sort=price`);
  again.child.kill('SIGTERM');
  expect({ status, first: rows[0]?.['name'] }).toEqual({ status: 200, first: 'Night on the Ridge' });
});

test('the guide has these requests', () => {
  const withoutNames = (line: string): string => `\`${line.replaceAll(/\{[a-z]+\}/g, '{id}')}\``;
  const expected = replaced.map(({ what, route, request }) => [what, withoutNames(route), withoutNames(request)]);
  expect(rowsOf(guide, 'What', 'Route', 'Request')).toEqual(expected);
});

test('the guide names the models of the application, and settings that exist', () => {
  const files = readdirSync(join(application, 'models'));
  const named = rowsOf(guide, 'File', 'What is in it').map(([file = '']) => file.replaceAll('`', ''));
  expect(named.sort()).toEqual(files.map((file) => `models/${file}`).sort());
  const settings = new Set<string>(settingRows.map(({ variable }) => variable));
  const others = rowsOf(guide, 'In the application', 'Setting').flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  );
  expect(others.length).toBeGreaterThan(4);
  expect(others.filter((name) => !settings.has(name))).toEqual([]);
});
