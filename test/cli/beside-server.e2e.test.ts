/** Every command beside a server that uses the embedded store does what its row says. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hashSync } from 'bcryptjs';
import { besideServer } from '../../src/cli/beside-server.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import type { Run } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { emailOf, makeCallers, makeRoot, passwordOf } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newProject, textsIn } from '../transfer/folders.ts';

let folder: string;
let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await newProject('required: true, minlength: 2');
  await writeFile(join(folder, 'models', 'shelf.js'), shelf);
  const store = {
    data_dir: join(folder, 'data'),
    shared_secret: 's'.repeat(32),
    inMemory: false,
    mongodb_url: undefined,
  };
  server = await startServer({ models: join(folder, 'models'), ...store });
  root = await makeRoot(server);
  environment = { DATA_DIR: store.data_dir, SHARED_SECRET: store.shared_secret };
});
afterAll(() => server.close());

const shelf = `const { Schema } = require('mongoose');
const shelf = new Schema(
  { code: { type: String, unique: true }, width: Number, made: Date, tags: [String], size: { deep: Number, high: { of: Number } }, wide: BigInt, any: Schema.Types.Mixed },
  { perms: { user: 'cru' } });
shelf.pre('save', function () { this.set('any', { by: 'middleware' }); });
module.exports = shelf;`;

const run = (args: readonly string[], input = ''): Promise<Run> => runHere(folder, args, { input, environment });

/** What the command lines need besides their names, by the rows of the table. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  start: ['--port', '0'],
  init: ['new'],
  import: ['book.csv'],
  'import --url': ['book.csv'],
  export: ['--out', 'exported'],
  backup: ['a.backup'],
  restore: ['a.backup'],
  copy: ['--to', 'copied'],
  'indexes --drop': ['made_1'],
  'user add': ['ann@x.test'],
  'user password': ['admin@x.test'],
  'user delete': ['admin@x.test'],
  store: ['--port', '0', '--data', 'data'],
};

describe('every command', () => {
  const streams = { input: new PassThrough(), output: new PassThrough(), messages: new PassThrough() };
  const program = makeProgram({ ...streams, onStop: () => undefined });
  const names = (of: typeof program): readonly string[] =>
    of.commands.length === 0
      ? [of.name()]
      : of.commands.flatMap(names).map((name) => (of === program ? name : `${of.name()} ${name}`));

  test('has a row', () => {
    const rows = Object.keys(besideServer).filter((row) => !row.includes('--'));
    expect(rows.sort()).toEqual([...names(program)].sort());
  });

  test('is in the table of the documentation', async () => {
    const lines = (await readFile('docs/command.md', 'utf8')).matchAll(
      /^\| `dossier ([^`]+)`(?: with `(--[^`]+)`)? +\| [^|]+ \| ((?:yes|on a copy|no)\b)[^|]* \|[^|]+ \|$/gm,
    );
    const words = Object.entries(besideServer).map(([row, beside]) => [
      row,
      typeof beside === 'object' ? 'no' : beside === 'copy' ? 'on a copy' : 'yes',
    ]);
    expect([...lines].map(([, name, flag, word]) => [flag === undefined ? name : `${name} ${flag}`, word])).toEqual(
      words,
    );
  });

  // `dev` runs `start` in a process of its own until a signal
  test.each(Object.entries(besideServer).filter(([row]) => row !== 'dev'))('%s', async (row, beside) => {
    await writeFile(join(folder, 'book.csv'), 'title\nOne\n');
    const url = row.endsWith('--url') ? [server.url, '--key', root.apikey] : [];
    const value = row === 'indexes --drop' ? [] : url;
    const { code, messages } = await run([...row.split(' '), ...value, ...(argumentsOf[row] ?? [])], 'pw-ann-123\n');
    if (typeof beside !== 'object') expect({ code, messages }).toEqual({ code: 0, messages: '' });
    else
      expect({ code, messages }).toEqual({
        code: 1,
        messages: expect.stringContaining(`A server uses the data: ${beside.instead}\n`),
      });
  });
});

describe('an import by --url', () => {
  const load = async (name: string, text: string, ...flags: readonly string[]): Promise<Run & { refused: any[] }> => {
    await writeFile(join(folder, name), text);
    const done = await run(['import', name, '--url', server.url, '--key', root.apikey, ...flags]);
    const { 'refused.ndjson': refused = '' } = await textsIn(folder);
    return { ...done, refused: linesOf(refused) };
  };
  /** The import without --url, in the process of the server, since no other one may use its data. */
  const imported = async (name: string, text: string, on: readonly string[]): Promise<void> => {
    const path = join(folder, name);
    await writeFile(path, text);
    const sources = await sourcesOf({ path, model: undefined, delimiter: ',', input: new PassThrough() });
    const options = { on, raw: false, strict: true, folder, onProgress: () => undefined };
    expect((await importSources(server.dossier.services, sources, options)).refused).toBe(0);
  };
  const rows = (...all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  const shelves = async (): Promise<any[]> => (await server.get('/api/shelf?sort=code', root)).body.data;
  beforeEach(async () => {
    await server.dossier.services.connection.collection('shelves').deleteMany({});
  });

  test('stores by the rules of the server: middleware runs, and values are cast', async () => {
    const wide = '9007199254740993';
    const csv = `code,width,made,tags,size.deep,wide\n$a,5,2024-01-02,"[""x""]",7,${wide}\n`;
    const { code, output, messages } = await load('shelf.csv', csv);
    expect({ code, output, messages }).toEqual({ code: 0, output: 'shelf: 1 document\n', messages: '' });
    const stored = { code: '$a', width: 5, made: '2024-01-02T00:00:00.000Z', tags: ['x'], size: { deep: 7 }, wide };
    expect(await shelves()).toMatchObject([{ ...stored, any: { by: 'middleware' }, _owner_id: root.user_id }]);
  });

  test('names what is refused by its row, and stores the others', async () => {
    const all = [
      { code: 'a' },
      { code: 'a' },
      { code: 'b', width: 'wide' },
      { code: 'c', colour: 'red' },
      { code: 'd' },
      { code: 'e', size: { 'high.of': 1 } },
      { code: 'f', size: { deep: 1 }, 'size.high.of': 2 },
    ];
    const { code, output, messages, refused } = await load('shelf.ndjson', rows(...all));
    expect([code, output]).toEqual([1, 'shelf: 2 documents\n']);
    expect(messages).toBe('5 records were refused; refused.ndjson says why\n');
    expect(refused).toEqual([
      { file: 'shelf.ndjson', line: 2, path: 'code', reason: expect.stringContaining('must be unique') },
      { file: 'shelf.ndjson', line: 3, path: 'width', reason: expect.stringContaining('finite number') },
      { file: 'shelf.ndjson', line: 4, path: 'colour', reason: expect.stringContaining('not in the schema') },
      { file: 'shelf.ndjson', line: 6, path: 'size', reason: expect.stringContaining('high.of') },
      { file: 'shelf.ndjson', line: 7, path: '', reason: expect.stringContaining('size') },
    ]);
    expect((await shelves()).map((one) => one.code)).toEqual(['a', 'd']);
  });

  test('changes documents that exist, by their ids or by --on, also when it is run again', async () => {
    const _id = { $oid: '1'.repeat(24) };
    const first = rows({ _id, code: 'a', made: { $date: '2024-01-02T00:00:00Z' } }, { code: 'b' });
    for (let twice = 0; twice < 2; twice++)
      expect((await load('shelf.ndjson', first)).output).toBe('shelf: 2 documents\n');
    expect(await load('shelf.ndjson', rows({ _id, width: 4 }))).toMatchObject({ code: 0 });
    expect(await load('shelf.ndjson', rows({ code: 'b', width: 5 }), '--on', 'code')).toMatchObject({ code: 0 });
    expect(await shelves()).toMatchObject([
      { _id: _id.$oid, code: 'a', made: '2024-01-02T00:00:00.000Z', width: 4 },
      { code: 'b', width: 5 },
    ]);
  });

  test.each<readonly [string, readonly string[], (text: string, name: string) => Promise<unknown>]>([
    ['into the server, by --on', ['code'], (text, name) => load(name, text, '--on', 'code')],
    ['into the server, by ids', [], (text, name) => load(name, text)],
    ['into the database, by --on', ['code'], (text, name) => imported(name, text, ['code'])],
    ['into the database, by ids', [], (text, name) => imported(name, text, [])],
  ])('a name with dots is that of a nested field, which it changes alone: %s', async (_way, on, store) => {
    const _id = '3'.repeat(24);
    const ids = on.length === 0 ? ['_id,', `${_id},`] : ['', ''];
    const idOf = on.length === 0 ? { _id: { $oid: _id } } : {};
    await store(`${ids[0]}code,size.deep,size.high.of\n${ids[1]}n,7,1\n`, 'shelf.csv');
    expect(await shelves()).toMatchObject([{ code: 'n', size: { deep: 7, high: { of: 1 } } }]);
    await store(`${ids[0]}code,size.high.of\n${ids[1]}n,2\n`, 'shelf.csv');
    expect(await shelves()).toMatchObject([{ code: 'n', size: { deep: 7, high: { of: 2 } } }]);
    await store(`${ids[0]}code,size\n${ids[1]}n,"{""deep"":3}"\n`, 'shelf.csv');
    expect((await shelves()).map(({ size }) => size)).toEqual([{ deep: 3 }]);
    // JSON may have such names, too
    await store(rows({ ...idOf, code: 'n', 'size.high.of': 4 }), 'shelf.ndjson');
    expect((await shelves()).map(({ size }) => size)).toEqual([{ deep: 3, high: { of: 4 } }]);
    await store(rows({ code: 'o', 'size.deep': 5, 'size.high.of': 6 }), 'shelf.ndjson');
    expect((await shelves()).map(({ size }) => size)).toEqual([
      { deep: 3, high: { of: 4 } },
      { deep: 5, high: { of: 6 } },
    ]);
  });

  test('stores nothing after the first refused record with --strict', async () => {
    const all = [{ code: 'a' }, { code: 'b', width: 'wide' }, { code: 'c' }];
    const { code, refused } = await load('shelf.ndjson', rows(...all), '--strict');
    expect([code, refused.length, (await shelves()).length]).toEqual([1, 1, 1]);
  });

  test('takes more records than one request does, and refuses one that no request can hold', async () => {
    const all = Array.from({ length: 250 }, (_, at) => ({ code: `c${at}` }));
    const large = { code: 'large', any: 'x'.repeat(server.dossier.services.settings.max_body_size) };
    const { refused, output } = await load('shelf.ndjson', rows(...all.slice(0, 120), large, ...all.slice(120)));
    expect(output).toBe('shelf: 250 documents\n');
    expect(refused).toMatchObject([{ line: 121, reason: expect.stringContaining('the server accepts') }]);
  });

  test('gives documents no ids for callers who are no admins, and refuses given ones', async () => {
    const [ann] = Object.values(await makeCallers(server, ['ann']));
    const text = rows({ _id: { $oid: '2'.repeat(24) }, code: 'a' }, { code: 'b' });
    const { refused, output } = await load('shelf.ndjson', text, '--key', ann?.apikey ?? '');
    expect(output).toBe('shelf: 1 document\n');
    expect(refused).toMatchObject([{ line: 1, path: '_id', reason: expect.stringContaining('admins only') }]);
  });

  test('keeps the hashes of passwords', async () => {
    const password = hashSync(passwordOf('bob'), 4);
    expect(await load('user.ndjson', rows({ email: emailOf('bob'), password }))).toMatchObject({
      code: 0,
      messages: '',
    });
    expect((await server.post('/login', { email: emailOf('bob'), password: passwordOf('bob') })).status).toBe(200);
  });

  test('refuses what a server does not do, a wrong key, and an address without a server', async () => {
    await run(['export', 'shelf', '--out', 'of-shelf']);
    const send = (path: string, ...flags: readonly string[]) => run(['import', path, '--url', server.url, ...flags]);
    expect((await send('of-shelf', '--key', root.apikey)).messages).toContain('part of an export');
    expect(await send('shelf.ndjson', '--raw')).toMatchObject({
      code: 2,
      messages: expect.stringContaining('--raw stores without validation'),
    });
    expect(await send('shelf.ndjson', '--key', 'wrong')).toMatchObject({ code: 1, output: '' });
    const nowhere = await run(['import', 'shelf.ndjson', '--url', 'http://127.0.0.1:1', '--key', 'x']);
    expect(nowhere).toMatchObject({ code: 1, messages: expect.stringContaining('127.0.0.1:1') });
  });
});
