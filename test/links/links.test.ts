/** `check_links` and `on_referenced_delete`: links to missing documents, and deletions of documents that others link to, are refused. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { bearer, type Caller, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (fields: string, options: string): string => `import { Schema } from 'mongoose';
const id = (link: string) => ({ type: Schema.Types.ObjectId, link });
export default new Schema({ name: String, ${fields} } as object,
  { advanced_queries: { bulkwrite: true }, ${options} } as object);`;

const unknownId = '0123456789abcdef01234567';
let server: TestServer;
let callers: Callers;
let root: Caller;
beforeAll(async () => {
  server = await startServer({
    models: {
      person: model('', "perms: { user: 'crud' }, on_referenced_delete: 'refuse'"),
      topic: model("up_id: id('topic')", "perms: { user: 'crud' }, on_referenced_delete: 'refuse'"),
      book: model(
        `author_id: id('person'), by: [id('person')], parts: [{ who_id: id('person'), deep: { topic_id: id('topic') } }],
         next_id: id('book'), people: { type: Map, of: id('person') }`,
        "perms: { user: 'crud' }, check_links: true",
      ),
      free: model("author_id: id('person')", "perms: { user: 'crud' }"),
      secret: model("person_id: id('person')", "perms: { admin: 'crud' }"),
    },
  });
  callers = await makeCallers(server);
  root = callers.root;
});

const made = async (name: string, body: object = {}): Promise<string> => {
  const answer = await server.post(`/api/${name}`, body, root);
  if (answer.status !== 201) throw new Error(answer.text);
  return String(answer.document['_id']);
};
const faults = ({ body }: Answer): unknown =>
  (body['errors'] as { path: string; kind: string }[] | undefined)?.map(({ path, kind }) => `${path} ${kind}`);

describe('check_links', () => {
  test.each<[string, object, readonly string[]]>([
    ['an id', { author_id: unknownId }, ['author_id link']],
    ['a member of a list', { by: [unknownId] }, ['by link']],
    ['documents in a list', { parts: [{ who_id: unknownId }] }, ['parts.who_id link']],
    [
      'several models',
      { author_id: unknownId, parts: [{ deep: { topic_id: unknownId } }] },
      ['author_id link', 'parts.deep.topic_id link'],
    ],
    ['a map', { people: { a: unknownId } }, ['people.$* link']],
    ['the model itself', { next_id: unknownId }, ['next_id link']],
    ['the owner', { _owner_id: unknownId }, ['_owner_id link']],
  ])('%s that does not exist is a 400 everywhere', async (_what, body, expected) => {
    const id = await made('book');
    const bulk = (operation: object): Promise<Answer> => server.post('/bulkwrite/book', [operation], root);
    const answers = [
      await server.post('/api/book', body, root),
      await server.put(`/api/book/${id}`, body, root),
      await server.put(`/update/book/${id}`, body, root),
      await bulk({ insertOne: { document: body } }),
      await bulk({ updateOne: { filter: { _id: id }, update: { $set: body } } }),
      await bulk({ replaceOne: { filter: { _id: id }, replacement: body } }),
    ];
    for (const answer of answers) {
      expect([answer.status, faults(answer)]).toEqual([400, expected]);
      expect(answer.text).toContain(unknownId);
    }
    expect((await server.get(`/api/book/${id}`, root)).document['__v']).toBe(0);
  });

  test.each<[string, object]>([
    ['dotted names', { 'parts.0.who_id': unknownId }],
    ['positions', { 'by.0': unknownId }],
    ['keys of a map', { 'people.a': unknownId }],
    ['a nested object', { 'parts.0': { who_id: unknownId } }],
  ])('%s are checked', async (_what, body) => {
    const id = await made('book', { parts: [{}], by: [] });
    for (const path of ['/api', '/update'])
      expect((await server.put(`${path}/book/${id}`, body, root)).status).toBe(400);
  });

  test.each<[string, object]>([
    ['$push', { $push: { by: unknownId } }],
    ['$addToSet', { $addToSet: { by: { $each: [unknownId] } } }],
    ['$setOnInsert', { $setOnInsert: { author_id: unknownId } }],
  ])('%s of a bulk write is checked', async (_what, update) => {
    const id = await made('book');
    const answer = await server.post('/bulkwrite/book', [{ updateOne: { filter: { _id: id }, update } }], root);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(unknownId);
  });

  test('an upsert does not take a link from its filter', async () => {
    const update = { updateOne: { filter: { author_id: unknownId }, update: { $set: { name: 'x' } }, upsert: true } };
    expect((await server.post('/bulkwrite/book', [update], root)).status).toBe(400);
  });

  test('deleted documents count as missing, existing ones and null are accepted', async () => {
    const author = await made('person');
    const other = await made('person');
    await server.remove(`/api/person/${other}`, root);
    expect((await server.post('/api/book', { author_id: other }, root)).status).toBe(400);
    const id = await made('book', { author_id: author, by: [author.toUpperCase()], next_id: null });
    expect((await server.put(`/api/book/${id}`, { name: 'a', author_id: null }, root)).status).toBe(200);
    expect((await server.post('/api/free', { author_id: unknownId }, root)).status).toBe(201);
  });

  test('an operation may link to a document that an earlier one creates, not a later one', async () => {
    const first = { insertOne: { document: { _id: '6123456789abcdef01234561' } } };
    const second = { insertOne: { document: { next_id: '6123456789abcdef01234561' } } };
    expect((await server.post('/bulkwrite/book', [second, first], root)).status).toBe(400);
    expect((await server.post('/bulkwrite/book', [first, second], root)).status).toBe(200);
  });
});

describe("on_referenced_delete: 'refuse'", () => {
  const deletions: readonly [string, (id: string) => Promise<Answer>][] = [
    ['DELETE', (id) => server.remove(`/api/person/${id}`, root)],
    ['DELETE, permanently', (id) => server.remove(`/api/person/${id}?_permaDelete=1`, root)],
    ['PUT of _deleted', (id) => server.put(`/api/person/${id}`, { _deleted: true }, root)],
    ['/update of _deleted', (id) => server.put(`/update/person/${id}`, { _deleted: true }, root)],
    ['deleteOne', (id) => server.post('/bulkwrite/person', [{ deleteOne: { filter: { _id: id } } }], root)],
    ['deleteMany', (id) => server.post('/bulkwrite/person', [{ deleteMany: { filter: { _id: id } } }], root)],
    [
      'deleteMany, permanently',
      (id) => server.post('/bulkwrite/person?_permaDelete=1', [{ deleteMany: { filter: { _id: id } } }], root),
    ],
    [
      'updateOne of _deleted',
      (id) =>
        server.post(
          '/bulkwrite/person',
          [{ updateOne: { filter: { _id: id }, update: { $set: { _deleted: true } } } }],
          root,
        ),
    ],
  ];

  test.each(deletions)('%s is a 409 that names model and path while something links to it', async (_what, remove) => {
    const id = await made('person');
    const book = await made('book', { by: [id] });
    const answer = await remove(id);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('book.by');
    expect((await server.get(`/api/person/${id}`, root)).status).toBe(200);
    await server.remove(`/api/book/${book}?_permaDelete=1`, root);
    expect((await remove(id)).status).toBe(200);
    expect((await server.get(`/api/person/${id}`, root)).status).toBe(404);
  });

  test('deleted documents prevent only permanent deletions', async () => {
    const id = await made('person');
    await server.remove(`/api/book/${await made('book', { author_id: id })}`, root);
    expect((await server.remove(`/api/person/${id}?_permaDelete=1`, root)).status).toBe(409);
    expect((await server.remove(`/api/person/${id}`, root)).status).toBe(200);
  });

  test('a cascade deletes what links to the document', async () => {
    const id = await made('person');
    await made('free', { author_id: id });
    const answer = await server.remove(`/api/person/${id}?_cascade=1`, root);
    expect([answer.status, answer.body['deleted']]).toEqual([200, { person: 1, free: 1 }]);
  });

  test('documents that are deleted together, and links to themselves, prevent nothing', async () => {
    const up = await made('topic');
    const below = await made('topic', { up_id: up });
    await server.put(`/api/topic/${up}`, { up_id: up }, root);
    expect((await server.remove(`/api/topic/${up}`, root)).status).toBe(409);
    const both = [{ deleteMany: { filter: { _id: { $in: [up, below] } } } }];
    expect((await server.post('/bulkwrite/topic', both, root)).status).toBe(200);
  });

  test('operations are checked in their order', async () => {
    const up = await made('topic');
    const below = await made('topic', { up_id: up });
    const one = (id: string): object => ({ deleteOne: { filter: { _id: id } } });
    expect((await server.post('/bulkwrite/topic', [one(up), one(below)], root)).status).toBe(409);
    expect((await server.post('/bulkwrite/topic', [one(below), one(up)], root)).status).toBe(200);
  });

  test('models hidden from the caller are not named, and a missing document stays a 404', async () => {
    const id = await made('person');
    await made('secret', { person_id: id });
    const answer = await server.remove(`/api/person/${id}`, { headers: bearer(callers.ann.token) });
    expect(answer.status).toBe(409);
    expect(answer.text).not.toMatch(/secret|person_id/);
    expect((await server.remove(`/api/person/${unknownId}`, root)).status).toBe(404);
  });
});
