/** Each kind of documents has fields of its own: they are written to documents of their kind only (docs/models.md, "Discriminators"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import type { Answer } from '../support/client.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from '../transfer/folders.ts';

type Json = Record<string, unknown>;

const options = `discriminatorKey: 'type', perms: { all: 'crud' }, advanced_queries: { bulkwrite: true, aggregate: true, query: true }`;
const task = (name: string, more: string): string => `module.exports = ({ Schema }) => {
  const step = new Schema({ n: Number }, { _id: false, discriminatorKey: 'form' });
  const task = new Schema({ code: { type: String, unique: true, sparse: true }, name: String, steps: [step], first: step }, { ${options} });
  task.discriminator('${name} habit', new Schema({ up: Boolean, tags: [String], level: Number }), 'habit');
  task.discriminator('${name} daily', new Schema({ streak: Number, due: Date, bytes: Buffer, level: String, at: { hour: Number } }), 'daily');
  for (const path of ['steps', 'first']) {
    task.path(path).discriminator('${name} walk ' + path, new Schema({ km: Number, at: Date }, { _id: false }), 'walk');
    task.path(path).discriminator('${name} rest ' + path, new Schema({ hours: Number }, { _id: false }), 'rest');
  }
  ${more}
  return task;
};`;

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  const models = { 'task.js': task('task', ''), 'saved.js': task('saved', `task.set('save_on_put', true);`) };
  server = await startServer({ models });
  root = await makeRoot(server);
});

const bulk = (model: string, operation: object): Promise<Answer> =>
  server.post(`/bulkwrite/${model}`, [operation], root);
const patched = (path: string, type: string, body: unknown): Promise<Answer> =>
  server.send('PATCH', `/api/${path}`, { headers: { 'content-type': type }, raw: JSON.stringify(body) });

/** The lines that an import refuses, with the reasons. */
async function imported(
  model: string,
  document: object,
  on: readonly string[] = [],
): Promise<Pick<Answer, 'status' | 'body'>> {
  const folder = await newFolder();
  const path = join(folder, 'a.ndjson');
  await writeFile(path, JSON.stringify(document));
  const sources = await sourcesOf({ path, model, input: Readable.from([]) });
  const moving = { on, raw: false, strict: false, onProgress: () => undefined, folder };
  const { refused } = await importSources(server.dossier.services, sources, moving);
  const { 'refused.ndjson': list = '' } = await textsIn(folder);
  return {
    status: refused === 0 ? 200 : 400,
    body: {
      errors: linesOf(list).map(({ path: at, reason }) => ({ path: at, kind: 'discriminator', message: reason })),
    },
  };
}

type Creation = (model: string, document: Json) => Promise<Pick<Answer, 'status' | 'body'>>;
const creations: Readonly<Record<string, Creation>> = {
  POST: (model, document) => server.post(`/api/${model}`, document),
  'PUT ?on=': (model, document) => server.put(`/api/${model}?on=code`, { code: String(Math.random()), ...document }),
  insertOne: (model, document) => bulk(model, { insertOne: { document } }),
  'an upsert of replaceOne': (model, document) =>
    bulk(model, { replaceOne: { filter: { name: 'none' }, replacement: document, upsert: true } }),
  '/batch': (model, body) => server.post('/batch', { operations: [{ method: 'POST', path: `/api/${model}`, body }] }),
  'an import': imported,
};

type Write = (model: string, _id: string, set: Json) => Promise<Pick<Answer, 'status' | 'body'>>;
const writes: Readonly<Record<string, Write>> = {
  'PUT /api': (model, _id, set) => server.put(`/api/${model}/${_id}`, set),
  'PUT /update': (model, _id, set) => server.put(`/update/${model}/${_id}`, set),
  'PUT ?on=': (model, _id, set) => server.put(`/api/${model}?on=code`, { code: _id, ...set }),
  'PATCH with fields': (model, _id, set) => patched(`${model}/${_id}`, 'application/json', set),
  'PATCH with $set': (model, _id, set) => patched(`${model}/${_id}`, 'application/json', { $set: set }),
  'a merge patch': (model, _id, set) => patched(`${model}/${_id}`, 'application/merge-patch+json', set),
  'a JSON Patch': (model, _id, set) =>
    patched(
      `${model}/${_id}`,
      'application/json-patch+json',
      Object.entries(set).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    ),
  updateOne: (model, _id, set) => bulk(model, { updateOne: { filter: { _id }, update: { $set: set } } }),
  '/batch': (model, _id, body) =>
    server.post('/batch', { operations: [{ method: 'PUT', path: `/api/${model}/${_id}`, body }] }),
  'an import': (model, _id, set) => imported(model, { code: _id, ...set }, ['code']),
};

/** A document without the field, the field, and the reason. */
const foreign: readonly (readonly [name: string, document: Json, set: Json, message: string])[] = [
  ['another kind', { type: 'habit' }, { streak: 1 }, 'streak is a field of kind daily, this document is of kind habit'],
  ['a kind, in the base', {}, { streak: 1 }, 'streak is a field of kind daily, this document is of no kind'],
  [
    'two kinds, in the base',
    {},
    { level: 1 },
    'level is a field of the kinds habit, daily, this document is of no kind',
  ],
  [
    'another kind, with fields',
    { type: 'habit' },
    { at: { hour: 5 } },
    'at is a field of kind daily, this document is of kind habit',
  ],
  [
    'another kind, a list',
    { type: 'daily' },
    { tags: ['a'] },
    'tags is a field of kind habit, this document is of kind daily',
  ],
  [
    'another nested kind',
    {},
    { first: { form: 'rest', km: 1 } },
    'first.km is a field of kind walk, this object is of kind rest',
  ],
  [
    'a nested kind, in no kind',
    {},
    { first: { km: 1 } },
    'first.km is a field of kind walk, this object is of no kind',
  ],
  [
    'another kind in a list',
    {},
    {
      steps: [
        { form: 'rest', hours: 1 },
        { form: 'rest', km: 1 },
      ],
    },
    'steps.1.km is a field of kind walk, this object is of kind rest',
  ],
  [
    'a nested kind in a kind',
    { type: 'habit' },
    { steps: [{ n: 1, km: 1 }] },
    'steps.0.km is a field of kind walk, this object is of no kind',
  ],
];

describe.each(foreign)('a field of %s', (_name, document, set, message) => {
  const [name = ''] = Object.keys(set);
  const path = message.split(' ', 1)[0] ?? '';
  const refused = { status: 400, body: { errors: [{ path, kind: 'discriminator', message }] } };

  test.each(Object.keys(creations))('is refused in a new document, by %s', async (way) => {
    for (const model of ['task', 'saved'])
      expect([way, await creations[way]?.(model, { ...document, name: 'new', ...set })]).toMatchObject([way, refused]);
  });

  test.each(Object.keys(writes))('is refused in a change, by %s', async (way) => {
    for (const model of ['task', 'saved']) {
      const _id = String((await server.post(`/api/${model}`, document)).document['_id']);
      await server.put(`/api/${model}/${_id}`, { code: _id });
      const answer = await writes[way]?.(model, _id, { name: 'changed', ...set });
      expect([way, answer?.status]).toEqual([way, 400]);
      const [fault] = answer?.body['errors'] as [{ path: string; message: string }];
      // a merge patch names what it changes within the object
      expect(fault.message).toMatch(way === 'a merge patch' ? /is a field of (the )?kinds?|discriminator/ : message);
      const stored = (await server.get(`/api/${model}/${_id}`)).document;
      expect([stored['name'], name === 'first' ? undefined : stored[name]]).not.toContain('changed');
      expect(stored).not.toHaveProperty('name');
    }
  });
});

const own: readonly (readonly [name: string, document: Json, set: Json, shown: Json])[] = [
  ['a number', { type: 'daily' }, { streak: '5' }, { streak: 5 }],
  ['a time without a zone', { type: 'daily' }, { due: '2026-01-05T10:00' }, { due: '2026-01-05T10:00:00.000Z' }],
  ['bytes', { type: 'daily' }, { bytes: 'aGk=' }, { bytes: 'aGk=' }],
  ['a type that another kind has not', { type: 'habit' }, { level: '5' }, { level: 5 }],
  ['the type of its kind', { type: 'daily' }, { level: 'five' }, { level: 'five' }],
  [
    'a nested time',
    {},
    { first: { form: 'walk', at: '2026-01-05T10:00' } },
    { first: { at: '2026-01-05T10:00:00.000Z' } },
  ],
];

describe.each(own)('the fields of its own kind: %s', (_name, document, set, shown) => {
  test.each(Object.keys(creations))('is read by its type in a new document, by %s', async (way) => {
    if (way === 'an import' && 'bytes' in set) return;
    for (const model of ['task', 'saved']) {
      const name = `${way} ${JSON.stringify(set)}`;
      const made = await creations[way]?.(model, { ...document, name, ...set });
      expect([way, made?.status, made?.body['errors'] ?? []]).toEqual([way, expect.any(Number), []]);
      const { rows } = await server.get(`/api/${model}?filter[name]=${encodeURIComponent(name)}`);
      expect([way, rows]).toMatchObject([way, [shown]]);
    }
  });

  test.each(Object.keys(writes))('is read by its type in a change, by %s', async (way) => {
    if (way === 'an import' && 'bytes' in set) return;
    for (const model of ['task', 'saved']) {
      const _id = String((await server.post(`/api/${model}`, document)).document['_id']);
      await server.put(`/api/${model}/${_id}`, { code: _id });
      const changed = await writes[way]?.(model, _id, set);
      expect([way, changed?.status, changed?.body['errors'] ?? []]).toEqual([way, 200, []]);
      expect([way, (await server.get(`/api/${model}/${_id}`)).document]).toMatchObject([way, shown]);
    }
  });
});

test.each([
  ['$inc', 'streak', 'daily', 'habit'],
  ['$min', 'streak', 'daily', 'habit'],
  ['$unset', 'streak', 'daily', 'habit'],
  ['$push', 'tags', 'habit', 'daily'],
])('%s of %s of a %s is refused in a %s', async (operator, path, owner, type) => {
  const _id = String((await server.post('/api/task', { type })).document['_id']);
  const update = { [operator]: { [path]: 1 } };
  for (const answer of [
    await patched(`task/${_id}`, 'application/json', update),
    await bulk('task', { updateOne: { filter: { _id }, update } }),
  ])
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining(`${path} is a field of kind ${owner}`) }] },
    });
});

test.each([
  ['habit', { $inc: { level: 2 } }, { level: 3 }],
  ['habit', { $min: { level: 0 } }, { level: 0 }],
  ['habit', { $pull: { tags: { $in: ['a', 'c'] } } }, { tags: ['b'] }],
  ['daily', { $max: { level: '2' } }, { level: '2' }],
])('operators by the type that a field has in a %s: %j', async (type, update, then) => {
  const stored = { type, level: type === 'habit' ? 1 : '1', ...(type === 'habit' ? { tags: ['a', 'b'] } : {}) };
  const _id = String((await server.post('/api/task', stored)).document['_id']);
  expect(await patched(`task/${_id}`, 'application/json', update)).toMatchObject({ status: 200, document: then });
  const { status } = await patched(`task/${_id}`, 'application/json', { $push: { level: 1 } });
  expect(status).toBe(400);
});

test('an import does not change the kind of a document', async () => {
  const { document } = await server.post('/api/task', { type: 'habit', code: 'kept', up: true });
  const answer = await imported('task', { code: 'kept', type: 'daily' }, ['code']);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'type' }] } });
  expect((await server.get(`/api/task/${String(document['_id'])}`)).document).toMatchObject({
    type: 'habit',
    up: true,
  });
});

test('a field of some kinds is named with these where an update does not name one document', async () => {
  const update = { $set: { streak: 1 } };
  const answer = await bulk('task', { updateMany: { filter: { type: 'daily' }, update } });
  const message = 'streak is a field of kind daily: name the document by its _id to change it';
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'streak', message }] } });
});
