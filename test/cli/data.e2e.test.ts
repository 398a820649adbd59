/** `dossier user`, `export` and `import`, on a data folder of their own. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { lockFolder, open } from 'dossier-store';
import { MongoClient } from 'mongodb';
import type { Run } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { startServer } from '../support/server.ts';
import { linesOf, newProject, textsIn } from '../transfer/folders.ts';

let folder: string;
beforeAll(async () => {
  folder = await newProject('required: true');
});

const run = (args: readonly string[], input = ''): Promise<Run> => runHere(folder, args, { input });

test('users are added, listed, given passwords and deleted', async () => {
  expect(await run(['user', 'add', 'root@x.test', '--admin', '--name', 'Root'], 'pw-root-123\n')).toEqual({
    code: 0,
    output: expect.stringMatching(/^root@x\.test added with the id [0-9a-f]{24}\n$/),
    messages: '',
  });
  const added = await run(['user', 'add', 'Ann@x.test', '--group', 'a', '--group', 'b', '--json'], 'pw-ann-123');
  expect(JSON.parse(added.output)).toMatchObject({ email: 'ann@x.test', groups: ['a', 'b'], admin: false });
  expect(added.output).not.toContain('pw-ann');
  expect(await run(['user', 'add', 'ann@x.test'], 'pw-ann-123')).toMatchObject({
    code: 1,
    messages: 'error: email must be unique, and this value exists already\n',
  });
  expect(await run(['user', 'add', 'bob@x.test'])).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/no password/),
  });
  expect(await run(['user', 'password', 'ANN@x.test'], 'pw-ann-456')).toMatchObject({ code: 0, messages: '' });
  expect(await run(['user', 'delete', 'root@x.test'])).toMatchObject({
    code: 1,
    messages: 'error: the last admin cannot be deleted or demoted\n',
  });
  expect(await run(['user', 'delete', 'ann@x.test', '--json'])).toEqual({
    code: 0,
    output: '{"status":"ok","email":"ann@x.test"}\n',
    messages: '',
  });
  expect((await run(['user', 'list'])).output).toMatch(/^[0-9a-f]{24}\troot@x\.test\tRoot\tadmin\n$/);
});

test('users are named by the field that signs in', async () => {
  const project = await newProject('required: true');
  const user = "import { Schema } from 'mongoose';\nexport default new Schema({ username: String });";
  await writeFile(join(project, 'models/user.ts'), user);
  const here = (args: readonly string[], input = '') =>
    runHere(project, ['user', ...args], { input, environment: { LOGIN_FIELD: 'username' } });
  expect(await here(['add', 'root', '--email', 'root@x.test', '--admin'], 'pw-root-123')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^root added with the id [0-9a-f]{24}\n$/),
  });
  expect(await here(['add', 'ann', '--json'], 'pw-ann-123')).toMatchObject({ code: 0 });
  expect(await here(['add', 'ann'], 'pw-ann-123')).toMatchObject({
    code: 1,
    messages: 'error: username must be unique, and this value exists already\n',
  });
  expect(await here(['password', ' ann '], 'pw-ann-456')).toMatchObject({ code: 0, messages: '' });
  expect((await here(['list'])).output).toMatch(/^[0-9a-f]{24}\tann\t\t\n[0-9a-f]{24}\troot\t(admin)?\tadmin\n$/);
  expect((await here(['delete', 'ann', '--json'])).output).toBe('{"status":"ok","username":"ann"}\n');
});

test('documents are imported and exported; the exit code shows whether all were stored', async () => {
  await writeFile(join(folder, 'book.csv'), 'title\nOne\nTwo\n');
  expect(await run(['import', 'book.csv'])).toEqual({ code: 0, output: 'book: 2 documents\n', messages: '' });
  const piped = await run(['import', '-', '--model', 'book', '--json'], '{"title":"Three"}\n{"titel":"Four"}\n');
  expect(piped).toMatchObject({ code: 1, messages: '1 record was refused; refused.ndjson says why\n' });
  expect(JSON.parse(piped.output)).toEqual({ models: { book: 1 }, refused: 1, refusedFile: 'refused.ndjson' });
  const { 'refused.ndjson': refused = '' } = await textsIn(folder);
  expect(linesOf(refused)).toEqual([
    {
      file: '-',
      line: 2,
      path: 'titel',
      reason: expect.stringMatching(/titel is not in the schema.*did you mean "title"/),
    },
  ]);
  const exported = await run(['export', 'book', '--out', 'out', '--json']);
  expect(JSON.parse(exported.output)).toMatchObject({ models: { book: { file: 'book.ndjson', count: 3 } } });
  expect(Object.keys(await textsIn(join(folder, 'out')))).toEqual(['book.ndjson', 'manifest.json']);
  expect(await run(['export', 'bok', '--out', 'out'])).toMatchObject({
    code: 1,
    messages: 'error: no model is named "bok"\n',
  });
  expect(await run(['export'])).toMatchObject({ code: 2 });
});

test('an export writes nothing: neither a secret nor indexes, which may be impossible to create', async () => {
  const environment = {
    DATA_DIR: join(folder, 'indexed'),
    MODELS_DIR: join(folder, 'changed'),
    SHARED_SECRET: 's'.repeat(32),
  };
  const here = (args: readonly string[], more: object = {}): Promise<Run> =>
    runHere(folder, args, { environment: { ...environment, ...more } });
  await mkdir(environment.MODELS_DIR);
  await writeFile(join(folder, 'twice.csv'), 'title\nOne\nOne\n');
  await here(['import', 'twice.csv', '--model', 'book'], { MODELS_DIR: join(folder, 'models') });
  const model =
    "import { Schema } from 'mongoose';\nexport default new Schema({ title: { type: String, unique: true } });\n";
  await writeFile(join(environment.MODELS_DIR, 'book.ts'), model);
  expect(await here(['export', 'book', '--out', 'unindexed'], { SHARED_SECRET: '' })).toEqual({
    code: 0,
    output: 'book: 2 documents in unindexed/book.ndjson\n',
    messages: '',
  });
  expect((await here(['check'])).output).toMatch(/^Index book: the collection lacks \{"title":1\}/);
  expect(await readdir(environment.DATA_DIR)).not.toContain('secret');
});

/** What a check without faults prints of the project. */
const sound = (documents: string): RegExp =>
  new RegExp(
    `^Right book: there are no perms.*\n(?:Advice .*\n)*Model book \\(.*\\): changes are one atomic update\nNo faults in 2 models and ${documents}\n$`,
  );

test('commands that read create no data folder; only a check succeeds without one, as in a new project', async () => {
  const here = (...args: string[]): Promise<Run> => runHere(folder, args, { environment: { DATA_DIR: './typo' } });
  const refused = { code: 1, output: '', messages: expect.stringMatching(/^error: there is no data in .*typo\.?\n$/i) };
  expect(await here('export', '--out', 'of-typo')).toEqual(refused);
  expect(await here('copy', '--to', 'copy-of-typo')).toEqual(refused);
  expect(await here('backup', 'typo.backup')).toEqual(refused);
  expect(await here('check')).toEqual({ code: 0, output: expect.stringMatching(sound('0 documents')), messages: '' });
  const names = await readdir(folder);
  expect(names.filter((name) => name.includes('typo'))).toEqual([]);
});

test('a running server is backed up; the backup is restored after it has stopped', async () => {
  const environment = { DATA_DIR: join(folder, 'served') };
  const server = await startServer({ data_dir: environment.DATA_DIR, inMemory: false, mongodb_url: undefined });
  const { user_id: id } = (await server.post('/setup', { email: 'root@x.test', password: 'pw-root-1' })).body;
  const here = (...args: string[]): Promise<Run> => runHere(folder, args, { environment });
  expect(await here('backup', 'a.backup', '--json')).toEqual({
    code: 0,
    output: expect.stringMatching(/^\{"file":"a\.backup","size":\d+\}\n$/),
    messages: '',
  });
  expect(await here('backup', 'a.backup')).toMatchObject({ code: 1, messages: 'error: a.backup exists already.\n' });
  expect(await here('restore', 'a.backup')).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/in use by another process/),
  });
  // commands that only read work on a copy
  const living = `snapshot-${randomUUID()}`;
  const lock = lockFolder(join(environment.DATA_DIR, living));
  // as killed commands have left them: in a container each has the same process id
  for (const name of [process.pid, randomUUID()]) await mkdir(join(environment.DATA_DIR, `snapshot-${name}`));
  const ofUsers = { models: { user: { count: 1, file: 'user.ndjson' } } };
  const exported = await here('export', 'user', '--out', 'beside', '--json');
  expect(exported).toMatchObject({ code: 0, messages: '' });
  expect(JSON.parse(exported.output)).toMatchObject(ofUsers);
  expect((await here('copy', '--to', 'copied-beside')).output).toMatch(/^users: 1 document, /m);
  expect(await here('check')).toMatchObject({ code: 0, output: expect.stringMatching(sound('1 document')) });
  expect((await readdir(environment.DATA_DIR)).filter((name) => name.startsWith('snapshot-'))).toEqual([living]);
  lock.release();
  expect((await here('user', 'list')).output).toBe(`${id}\troot@x.test\tadmin\tadmin\n`);
  const elsewhere = { environment: { DATA_DIR: 'copied-beside' } };
  expect(await runHere(folder, ['copy', '--to', environment.DATA_DIR], elsewhere)).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/in use by another process/),
  });
  await server.dossier.close();
  expect((await here('restore', 'a.backup')).output).toMatch(
    /served has the data of a\.backup; what was there is in .*before-restore-/,
  );
  expect((await here('user', 'list')).output).toBe(`${id}\troot@x.test\tadmin\tadmin\n`);
  const onMongo = await runHere(folder, ['backup', 'b.backup'], {
    environment: { MONGODB_URL: 'mongodb://127.0.0.1:1/' },
  });
  expect(onMongo).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/"MONGODB_URL= npx dossier \w+ <file>".* use mongodump/),
  });
});

test('a data folder is copied to another one', async () => {
  const environment = { DATA_DIR: join(folder, 'served') };
  expect(await runHere(folder, ['copy', '--to', 'copied'], { environment })).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^users: 1 document, \d+ indexes$/m),
    messages: '',
  });
  const again = await runHere(folder, ['copy', '--to', 'copied', '--json'], { environment });
  expect(again).toMatchObject({
    code: 1,
    output: '',
    messages: expect.stringMatching(/^error: the target is not empty/),
  });
  const listed = await runHere(folder, ['user', 'list'], { environment: { DATA_DIR: 'copied' } });
  expect(listed.output).toMatch(/root@x\.test/);
});

test('commands of a project refuse an unfinished copy', async () => {
  const dir = join(folder, 'half');
  const store = await open({ dir, thread: false });
  const client = new MongoClient(store.url);
  const mark = { _id: 'unfinished', from: 'mongodb://db.example.com/old' };
  await client.db().collection<typeof mark>('_dossier_copy').insertOne(mark);
  await client.close();
  await store.close();
  const refusal = `DATA_DIR: ${dir} is an unfinished copy of ${mark.from}. Run "dossier copy --to ${dir}" with MONGODB_URL=${mark.from}`;
  const environment = { DATA_DIR: dir };
  expect((await runHere(folder, ['check'], { environment })).output).toContain(refusal);
  for (const args of [
    ['user', 'list'],
    ['export', '--out', 'of-half'],
    ['import', 'book.csv'],
  ])
    expect(await runHere(folder, args, { environment })).toMatchObject({
      code: 1,
      messages: expect.stringContaining(refusal),
    });
});

// a system without /proc refuses these paths too, since users may not create folders in its root
test.each([
  [['init', '/proc/none']],
  [['export', '--out', '/proc/none/deep']],
  [['types', '--out', '/proc/none']],
  [['openapi', '--out', '/proc/none/api.json']],
  [['backup', '/proc/none']],
])('dossier %j ends with an error that names the path', async (args) => {
  const { code, messages } = await run(args);
  expect(code).toBe(1);
  expect(messages).toMatch(/^error: .*\/proc\/none/m);
});

test('a folder that cannot be created for the data ends a command', async () => {
  const { code, messages } = await runHere(folder, ['user', 'add', 'eve@x.test'], {
    input: 'pw-eve-123\n',
    environment: { DATA_DIR: '/proc/none' },
  });
  expect(code).toBe(1);
  expect(messages).toContain('/proc/none');
});
