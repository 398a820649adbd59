/** Importing files: validation, refused records, CSV, existing documents, and hostile files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../src/models/mongoose.ts';
import { type ImportOptions, type ImportResult, importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from './folders.ts';
import { models } from './models.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models });
  await makeUsers(server, ['root']);
});

const collection = (name: string) => modelOf(server.dossier.services.registry.internal(name)).collection;
beforeEach(async () => {
  await collection('thing').deleteMany({});
});
const things = (): Promise<any[]> =>
  collection('thing')
    .find({}, { sort: { title: 1 } })
    .toArray();

interface Imported extends ImportResult {
  /** The lines of `refused.ndjson`, with file names without folders. */
  readonly list: readonly any[];
}

const options = { on: [], raw: false, strict: false, onProgress: () => undefined };
/** Writes and imports a file. */
async function load(
  name: string,
  text: string,
  more: Partial<ImportOptions> & { model?: string } = {},
): Promise<Imported> {
  const folder = await newFolder();
  const path = join(folder, name);
  await writeFile(path, text);
  const sources = await sourcesOf({ path, model: more.model, input: Readable.from([]) });
  const result = await importSources(server.dossier.services, sources, { ...options, folder, ...more });
  const { 'refused.ndjson': list = '' } = await textsIn(folder);
  expect(list === '').toBe(result.refusedFile === undefined);
  return { ...result, list: linesOf(list).map((one) => ({ ...one, file: one.file.replace(`${folder}/`, '') })) };
}
const lines = (...documents: readonly unknown[]): string =>
  documents.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
const id = (digit: number): { $oid: string } => ({ $oid: String(digit).repeat(24) });

describe('records that are refused', () => {
  test('are listed with file, line, path and reason, and the others are stored', async () => {
    await collection('thing').insertOne({ title: 'taken', code: 'c1' });
    const {
      models: stored,
      refused,
      list,
    } = await load(
      'thing.ndjson',
      lines(
        { title: 'a', count: 1 },
        { title: 'b', count: 'many' },
        { count: -1 },
        '{"title":',
        { title: 'c', colour: 'red' },
        { title: 'd', code: 'c1' },
        { title: 'e'.repeat(41) },
        '[1]',
        { title: 'f', address: 5 },
        { _id: 'short', title: 'g' },
        { title: 'z' },
      ),
    );
    expect({ stored, refused }).toEqual({ stored: { thing: 2 }, refused: 9 });
    const file = 'thing.ndjson';
    expect(list).toEqual([
      { file, line: 2, path: 'count', reason: 'count must be a finite number' },
      { file, line: 3, path: 'title', reason: expect.stringMatching(/title is required.*count must be at least 0/) },
      {
        file,
        line: 4,
        path: '',
        reason: 'the record is not Extended JSON: line 1, column 10: expected a value, got the end',
      },
      { file, line: 5, path: 'colour', reason: 'colour is not in the schema' },
      { file, line: 6, path: 'code', reason: 'code must be unique' },
      { file, line: 7, path: 'title', reason: 'title must have at most 40 characters, got 41' },
      { file, line: 8, path: '', reason: 'the record is not an object' },
      { file, line: 9, path: 'address', reason: 'address must be an object' },
      { file, line: 10, path: '_id', reason: expect.stringContaining('_id') },
    ]);
    expect((await things()).map(({ title }) => title)).toEqual(['a', 'taken', 'z']);
  });

  test('end the import with --strict: nothing after the first is stored', async () => {
    const text = lines({ title: 'a' }, { title: 'b' }, { count: 1 }, { title: 'c' }, { count: 'x' });
    expect(await load('thing.ndjson', text, { strict: true })).toMatchObject({
      models: { thing: 2 },
      list: [{ line: 3, path: 'title' }],
    });
    expect((await things()).map(({ title }) => title)).toEqual(['a', 'b']);
    await load('thing.ndjson', lines({ title: 'x', code: '1' }, { title: 'y', code: '1' }, { title: 'z' }), {
      strict: true,
    });
    expect((await things()).map(({ title }) => title)).toEqual(['a', 'b', 'x']);
  });

  test('include all with names that have a special meaning', async () => {
    const hostile = [
      '{"title":"a","__proto__":{"admin":true}}',
      '{"title":"a","any":{"$where":"1"}}',
      '{"title":"a","$set":{"x":1}}',
      '{"title":"a","any":{"constructor":{"prototype":{"x":1}}}}',
      '{"title":"a","any":{"_bsontype":"ObjectId","id":"x"}}',
      '{"title":"a","any":{"a\\u0000b":1}}',
      '{"title":"a","address":{"city.name":"Rome"}}',
      '{"title":"a","address.__proto__.x":"Rome"}',
      '{"title":"a","address":{"zip":1},"address.city":"Rome"}',
      `{"title":"a","any":${'['.repeat(150)}${']'.repeat(150)}}`,
    ];
    expect(await load('thing.ndjson', lines(...hostile))).toMatchObject({
      models: { thing: 0 },
      refused: hostile.length,
    });
    const raw = await load('thing.ndjson', lines(...hostile.slice(0, 6)), { raw: true });
    // MongoDB stores nested names that begin with $
    expect(raw.list.map(({ line }) => line)).toEqual([1, 3, 5, 6]);
    expect(({} as any).admin).toBeUndefined();
  });
});

describe('documents', () => {
  test('without an id are completed like new ones, and are the same when they are imported again', async () => {
    const text = lines({ title: 'a' }, { title: 'a' });
    await load('thing.ndjson', text);
    const first = await things();
    expect(first).toHaveLength(2);
    expect(first[0]).toMatchObject({
      title: 'a',
      count: 7,
      tags: [],
      _deleted: false,
      __v: 0,
      createdAt: expect.any(Date),
    });
    await load('thing.ndjson', text);
    expect(await things()).toEqual(first);
  });

  test('keep ids and stamps; existing ones change in the given fields only', async () => {
    const createdAt = { $date: '2001-01-01T00:00:00Z' };
    await load('thing.ndjson', lines({ _id: id(1), title: 'a', count: 3, createdAt, tags: ['x'] }));
    await load('thing.json', `[${JSON.stringify({ _id: id(1), count: 4 })}]`);
    expect(await things()).toEqual([
      expect.objectContaining({
        _id: new ObjectId('1'.repeat(24)),
        title: 'a',
        count: 4,
        tags: ['x'],
        createdAt: new Date('2001-01-01'),
        __v: 1,
      }),
    ]);
    expect((await load('thing.ndjson', lines({ _id: id(1), count: -4 }))).list).toMatchObject([{ path: 'count' }]);
  });

  test('are found by a unique key with --on', async () => {
    await load('thing.ndjson', lines({ _id: id(1), title: 'a', code: 'c1' }));
    const text = lines(
      { code: 'c1', count: 5 },
      { code: 'c2', title: 'new' },
      { code: 'c2', count: 6 },
      { title: 'none' },
    );
    const { list } = await load('thing.ndjson', text, { on: ['code'] });
    expect(list).toMatchObject([{ line: 4, reason: expect.stringContaining('code') }]);
    expect(await things()).toMatchObject([
      { _id: new ObjectId('1'.repeat(24)), title: 'a', count: 5 },
      { title: 'new', code: 'c2', count: 6 },
    ]);
    await expect(load('thing.ndjson', text, { on: ['title'] })).rejects.toThrow('Bad parameter');
  });

  test('come from standard input, and from files that name no model, with --model', async () => {
    const sources = await sourcesOf({
      path: '-',
      model: 'thing',
      input: Readable.from([Buffer.from('{"title":"in"}')]),
    });
    await importSources(server.dossier.services, sources, { ...options, folder: await newFolder() });
    await load('elsewhere.json', '{\n  "title": "pretty"\n}\n', { model: 'Thing' });
    expect((await things()).map(({ title }) => title)).toEqual(['in', 'pretty']);
    await expect(load('elsewhere.json', '')).rejects.toThrow(/no model is named "elsewhere"; there are .*thing/);
    await expect(load('_session.json', '[]')).rejects.toThrow(/no model is named/);
    await expect(load('thing.txt', '')).rejects.toThrow(/must be a file of/);
  });
});

describe('CSV', () => {
  test('is cast by the schema, with dotted names for nested documents', async () => {
    const header = '_id,title,count,born,open,address.city,address.zip,tags,labels,any,price\r\n';
    const row = `${'2'.repeat(24)},"a, ""b""",5,2020-02-29,true,Rome,00100,"[""x"",""y""]","{""k"":1}",text,1.50\r\n`;
    const { list } = await load('thing.csv', `${header}${row},b,5,2020-02-30,perhaps,,,,,,\r\n,,1,,,,,,,,\r\n`);
    expect(list.map(({ line, path }) => [line, path])).toEqual([
      [3, 'born'],
      [4, 'title'],
    ]);
    const [thing] = await things();
    expect(thing).toMatchObject({
      _id: new ObjectId('2'.repeat(24)),
      title: 'a, "b"',
      count: 5,
      born: new Date('2020-02-29'),
      open: true,
      address: { city: 'Rome', zip: 100 },
      tags: ['x', 'y'],
      labels: { k: 1 },
      any: 'text',
    });
    const { list: cells } = await load('thing.csv', `title,tags\nc,"[""x"",]"\n`);
    expect(cells).toMatchObject([
      {
        line: 2,
        path: 'tags',
        reason: 'tags is not Extended JSON: line 1, column 6: expected a value, got "]"',
      },
    ]);
    // one field of a nested document changes, and the other stays
    await load('thing.csv', `_id,address.city\n${'2'.repeat(24)},Paris\n`);
    expect((await things())[0]).toMatchObject({ address: { city: 'Paris', zip: 100 }, title: 'a, "b"' });
  });

  test('that the server has exported can be imported', async () => {
    await load('thing.ndjson', lines({ title: '=1+1', count: 2, tags: ['a', 'b'], address: { city: 'x' } }));
    const [before] = await things();
    const csv = await server.get('/csv/thing', { headers: rootBasic });
    await collection('thing').deleteMany({});
    expect(await load('thing.csv', csv.text)).toMatchObject({ refused: 0 });
    const { title, count, tags, address, createdAt } = before;
    expect(await things()).toMatchObject([{ title, count, tags, address, createdAt }]);
  });

  test('with an invalid header stores nothing', async () => {
    await expect(load('thing.csv', '__proto__,title\n1,a\n')).rejects.toThrow(/thing\.csv: .*__proto__/);
    await expect(load('thing.csv', 'title,title\n1,a\n')).rejects.toThrow(/two columns named "title"/);
  });

  test('of users has its plain passwords hashed and its hashes kept, and changed rights are recorded', async () => {
    const hash = (await collection('user').findOne({ email: 'root@x.test' }))?.['password'] as string;
    const csv = `email,password,admin,groups\nann@x.test,plain-secret-1,true,"[""editors""]"\nbob@x.test,${hash},,\n`;
    expect(
      await load('user.csv', `${csv}cat@x.test,${'x'.repeat(80)},,\ndan@x.test,long-enough-1,,owner\n`),
    ).toMatchObject({
      models: { user: 2 },
      list: [
        { line: 4, path: 'password' },
        { line: 5, path: 'groups' },
      ],
    });
    const login = (email: string, password: string) => server.post('/login', { email, password });
    expect((await login('ann@x.test', 'plain-secret-1')).status).toBe(200);
    expect((await login('bob@x.test', 'pw-root-1')).status).toBe(200);
    const audit = await server.get('/audit?filter[address]=command line&sort=what', { headers: rootBasic });
    expect(audit.body['data'].map(({ what }: any) => what)).toEqual(['admin.granted', 'groups.changed']);
    // a replaced user is compared with the previous state
    const ann = (await collection('user').findOne({ email: 'ann@x.test' }))?._id;
    await load('user.ndjson', lines({ _id: { $oid: String(ann) }, email: 'ann@x.test', admin: false }), { raw: true });
    const revoked = await server.get('/audit?filter[what]=admin.revoked', { headers: rootBasic });
    expect(revoked.body['data']).toMatchObject([{ whom: String(ann) }]);
  });
});

test('a field id of a model is imported, and exported, as any other', async () => {
  const ticket: ModelFiles = {
    ticket: ({ Schema }) =>
      new Schema({ id: { type: Number, unique: true }, text: String }, { perms: { admin: 'crud' } }),
  };
  const tickets = await startServer({ models: ticket });
  await makeUsers(tickets, ['root']);
  const folder = await newFolder();
  const files = { 'a.ndjson': lines({ id: 1, text: 'a' }, { id: 2 }, { id: 2 }), 'b.csv': 'id,text\n3,c\nx,d\n' };
  const imported: ImportResult[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, text);
    const sources = await sourcesOf({ path, model: 'ticket', input: Readable.from([]) });
    imported.push(await importSources(tickets.dossier.services, sources, { ...options, folder }));
  }
  expect(imported).toMatchObject([{ refused: 1 }, { refused: 1 }]);
  const sent = { headers: rootBasic };
  const { rows } = await tickets.get('/api/ticket?sort=id', sent);
  expect(rows.map(({ id: own }) => own)).toEqual([1, 2, 3]);
  const csv = (await tickets.get('/csv/ticket?sort=id&fields=id', sent)).text.split('\r\n');
  expect(csv.map((line) => line.split(',')[1])).toEqual(['id', '1', '2', '3', undefined]);
});
