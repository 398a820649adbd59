/** A text index reads a field `language` as the language of the words: a value that is none is a 400 (docs/models.md, "Warnings at the start"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect } from '@jest/globals';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import type { Answer } from '../support/client.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from '../transfer/folders.ts';

const textTest = needs('text search');

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      repository: ({ Schema }) => {
        const schema = new Schema(
          {
            code: { type: String, unique: true },
            name: String,
            language: {},
            files: [{ name: String, language: String }],
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        );
        schema.index({ name: 'text', 'files.name': 'text' });
        return schema;
      },
      other: ({ Schema }) => {
        const schema = new Schema({ name: String, language: String, tongue: String }, {
          perms: { all: 'crud' },
        } as object);
        schema.index({ name: 'text' }, { language_override: 'tongue' });
        return schema;
      },
    },
  });
  await makeUsers(server, ['root']);
});

let count = 0;
type Way = (body: Record<string, unknown>, id: string, code: string) => Promise<Answer>;
const bulk = (operation: object): Promise<Answer> =>
  server.post('/bulkwrite/repository', [{ insertOne: { document: { code: `kept${count}` } } }, operation], {
    headers: rootBasic,
  });
const ways: Readonly<Record<string, Way>> = {
  POST: (body) => server.post('/api/repository', body),
  PUT: (body, id) => server.put(`/api/repository/${id}`, body),
  '/update': (body, id) => server.post(`/update/repository/${id}`, body),
  PATCH: (body, id) =>
    server.send('PATCH', `/api/repository/${id}`, {
      body: { $set: body },
      headers: { 'content-type': 'application/json' },
    }),
  'upsert, new': (body, _id, code) => server.put('/api/repository?on=code', { code: `${code}-new`, ...body }),
  'upsert, existing': (body, _id, code) => server.put('/api/repository?on=code', { code, ...body }),
  insertOne: (body) => bulk({ insertOne: { document: body } }),
  updateOne: (body, _id) => bulk({ updateOne: { filter: { _id }, update: { $set: body } } }),
  updateMany: (body, _id) => bulk({ updateMany: { filter: { _id }, update: { $set: body } } }),
  replaceOne: (body, _id) => bulk({ replaceOne: { filter: { _id }, replacement: body } }),
  batch: (body) => server.post('/batch', { operations: [{ method: 'POST', path: '/api/repository', body }] }),
};
const bodies = [
  { language: 'JavaScript', name: 'a' },
  { language: 'en-US', name: 'a' },
  { language: 5, name: 'a' },
  { files: [{ name: 'a', language: 'pl' }], name: 'a' },
];

for (const [way, write] of Object.entries(ways))
  for (const body of bodies)
    (way === 'batch' ? needs('transactions') : textTest)(`${way}: ${JSON.stringify(body)}`, async () => {
      const code = `c${(count += 1)}`;
      const { data } = (await server.post('/api/repository', { code, name: 'before' })).body;
      const { status, body: answer } = await write(body, data._id, code);
      expect([status, answer.err, answer.errors]).toEqual([
        400,
        expect.stringContaining('language must be a language of text indexes'),
        [expect.objectContaining({ path: expect.stringMatching(/^(files\.(0\.)?)?language$/), kind: 'language' })],
      ]);
      expect((await server.get(`/api/repository/${data._id}`)).body.data.name).toBe('before');
    });

textTest('the field that language_override names is the one that is named', async () => {
  const { status, body } = await server.post('/api/other', { name: 'a', language: 'JavaScript', tongue: 'Klingon' });
  expect([status, body.errors[0].path]).toEqual([400, 'tongue']);
  expect((await server.post('/api/other', { name: 'a', language: 'JavaScript', tongue: 'english' })).status).toBe(201);
});

textTest('imports list the record', async () => {
  const folder = await newFolder();
  const path = join(folder, 'repository.ndjson');
  await writeFile(path, bodies.map((body, at) => `${JSON.stringify({ code: `i${at}`, ...body })}\n`).join(''));
  const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
  await importSources(server.dossier.services, sources, options);
  const list = linesOf((await textsIn(folder))['refused.ndjson'] ?? '');
  expect(list).toEqual(
    bodies.map((_, at) => expect.objectContaining({ line: at + 1, path: at === 3 ? 'files.0.language' : 'language' })),
  );
});
