/** A setter that throws is a 400 that names the path, by every way of writing (docs/writing.md, "Values"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from '@jest/globals';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import type { Answer } from '../support/client.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from '../transfer/folders.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      person: ({ Schema, mongoose }) => {
        const lower = { type: String, set: (given: any) => given.toLowerCase() };
        const contact = new Schema({ email: lower }, { _id: false });
        return new Schema(
          {
            code: { type: String, unique: true, sparse: true },
            email: lower,
            amount: {
              type: Number,
              set(given: unknown) {
                if (given === 13) throw new Error('no luck');
                return given;
              },
            },
            nested: { email: lower },
            contact,
            contacts: [contact],
            emails: [lower],
            words: { type: [String], set: (given: any) => (given.length === 0 ? given : given.split(' ')) },
            named: { type: Map, of: lower },
            choice: {
              type: String,
              set(given: unknown) {
                if (given !== 'no') return given;
                throw new mongoose.Error.ValidatorError({
                  path: 'choice',
                  type: 'mine',
                  message: 'choose something else',
                });
              },
            },
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        );
      },
    },
  });
  await makeUsers(server, ['root']);
});

/** A path with a value on which its setter throws. */
const faults: readonly (readonly [path: string, value: unknown])[] = [
  ['email', 5],
  ['amount', 13],
  ['nested.email', true],
  ['contact.email', 5],
  ['contacts.0.email', 5],
  ['emails.0', 5],
];
const nest = (path: string, value: unknown): any =>
  path.split('.').reduceRight((inner: unknown, key) => (key === '0' ? [inner] : { [key]: inner }), value);

type Way = (path: string, value: unknown, id: string, code: string) => Promise<Answer>;
const patch = (id: string, body: unknown, type: string): Promise<Answer> =>
  server.send('PATCH', `/api/person/${id}`, { body, headers: { 'content-type': type } });
const jsonPatch = 'application/json-patch+json';
const bulk = (operation: object): Promise<Answer> =>
  server.post('/bulkwrite/person', [operation], { headers: rootBasic });
const batch = (operation: object): Promise<Answer> => server.post('/batch', { operations: [operation] });

const ways: Readonly<Record<string, Way>> = {
  POST: (path, value) => server.post('/api/person', nest(path, value)),
  PUT: (path, value, id) => server.put(`/api/person/${id}`, nest(path, value)),
  'PUT with a dotted path': (path, value, id) => server.put(`/api/person/${id}`, { [path]: value }),
  '/update': (path, value, id) => server.post(`/update/person/${id}`, nest(path, value)),
  'PATCH with fields': (path, value, id) => patch(id, nest(path, value), 'application/json'),
  'PATCH with $set': (path, value, id) => patch(id, { $set: nest(path, value) }, 'application/json'),
  'PATCH with $min': (path, value, id) => patch(id, { $min: { [path]: value } }, 'application/json'),
  'merge patch': (path, value, id) => patch(id, nest(path, value), 'application/merge-patch+json'),
  'JSON Patch': (path, value, id) => {
    const [first = ''] = path.split('.');
    return patch(id, [{ op: 'add', path: `/${first}`, value: nest(path, value)[first] }], jsonPatch);
  },
  'upsert of an existing document': (path, value, _id, code) =>
    server.put('/api/person?on=code', { code, ...nest(path, value) }),
  'upsert of a new document': (path, value) => server.put('/api/person?on=code', { code: 'new', ...nest(path, value) }),
  insertOne: (path, value) => bulk({ insertOne: { document: nest(path, value) } }),
  updateOne: (path, value, _id) => bulk({ updateOne: { filter: { _id }, update: { $set: nest(path, value) } } }),
  'updateOne with upsert': (path, value, _id, code) =>
    bulk({ updateOne: { filter: { code }, update: { $set: nest(path, value) }, upsert: true } }),
  updateMany: (path, value, _id) => bulk({ updateMany: { filter: { _id }, update: { $set: nest(path, value) } } }),
  replaceOne: (path, value, _id) => bulk({ replaceOne: { filter: { _id }, replacement: nest(path, value) } }),
  'batch: PUT': (path, value, id) => batch({ method: 'PUT', path: `/api/person/${id}`, body: nest(path, value) }),
  'batch: POST': (path, value) => batch({ method: 'POST', path: '/api/person', body: nest(path, value) }),
};
let count = 0;
for (const [way, write] of Object.entries(ways))
  for (const [path, value] of faults)
    (way.startsWith('batch') ? needs('transactions') : test)(`${way}: ${path}: ${String(value)}`, async () => {
      const code = `c${(count += 1)}`;
      const { data } = (
        await server.post('/api/person', { code, email: 'A', contact: { email: 'a' }, contacts: [{ email: 'a' }] })
      ).body;
      const { status, body } = await write(path, value, data._id, code);
      const errors: readonly any[] = body.errors ?? [];
      expect([status, body.err, errors.map((one) => one.path)]).toEqual([
        400,
        expect.stringContaining(path),
        [expect.stringContaining(path)],
      ]);
      const after = (await server.get(`/api/person/${data._id}`)).body.data;
      expect(after).toEqual(data);
    });

test('a null on which a setter throws is a 400, too', async () => {
  const { data } = (await server.post('/api/person', { code: 'null', email: 'A' })).body;
  for (const write of [ways['POST'], ways['PUT'], ways['updateOne'], ways['upsert of an existing document']]) {
    const { status, body } = (await write?.('email', null, data._id, data.code)) as Answer;
    expect([status, body.err]).toEqual([400, expect.stringContaining('email must be text')]);
  }
});

test.each<[string, object, string]>([
  ['member of a list', { emails: ['A', 5] }, 'emails.1 must be text'],
  ['whole list', { words: ['a b'] }, 'words must be a list, of which each member must be text'],
  ['value of a map', { named: { work: 5 } }, 'must be text'],
  ['value that it refuses by an error of validation', { choice: 'no' }, 'choose something else'],
])('a setter of a %s: no words of its own error are shown', async (_name, values, sentence) => {
  const { data } = (await server.post('/api/person', { email: 'A' })).body;
  for (const answer of [
    await server.post('/api/person', values),
    await server.put(`/api/person/${data._id}`, values),
    await bulk({ updateOne: { filter: { _id: data._id }, update: { $set: values } } }),
  ]) {
    expect([answer.status, answer.body.err]).toEqual([400, expect.stringContaining(sentence)]);
    expect(answer.text).not.toMatch(/function|split|toLowerCase/);
  }
});

test('a member that is pushed, and on which the setter throws, is a 400', async () => {
  const { data } = (await server.post('/api/person', { email: 'A' })).body;
  const { status, body } = await patch(data._id, { $push: { emails: 5 } }, 'application/json');
  expect([status, body.err]).toEqual([400, expect.stringContaining('emails must be text')]);
});

test('imports list the record with its path', async () => {
  const folder = await newFolder();
  const path = join(folder, 'person.ndjson');
  await writeFile(path, faults.map((one) => `${JSON.stringify(nest(...one))}\n`).join(''));
  const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
  await importSources(server.dossier.services, sources, options);
  const list = linesOf((await textsIn(folder))['refused.ndjson'] ?? '');
  expect(list.map((one) => one.path)).toEqual(faults.map(([at]) => at));
});
