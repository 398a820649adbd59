/** Building and dropping indexes by `POST /server/indexes`. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import type { Answer, Document } from '../support/client.ts';
import { onMongo } from '../support/database.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

let server: PeopledServer<'root' | 'eve'>;
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], {
    models: {
      film: ({ Schema }) => {
        const schema = new Schema(
          {
            ...{ title: { type: String, unique: true }, year: { type: Number, index: true }, genre: String },
            ...{ tags: [String], cast: [{ name: String }], crew: [{ name: String }], more: Schema.Types.Mixed },
            ...{ door: { password: String }, until: { type: Date, expires: 60 } },
          },
          { perms: { user: 'r', admin: 'crud' }, discriminatorKey: 'kind' } as object,
        );
        schema.index({ year: 1, genre: -1 });
        return schema;
      },
      'short.js': `const { Schema } = require('mongoose');
        const schema = new Schema({ minutes: Number }, { perms: { admin: 'crud' }, discriminatorKey: 'kind' });
        schema.discriminator('Silent', new Schema({ pianist: { type: String, index: true } }));
        module.exports = schema;`,
    },
  });
});

const change = (body: object, as: 'root' | 'eve' | 'anonymous' = 'root'): Promise<Answer> =>
  server.as(as, 'POST', '/server/indexes', { body });
const collectionOf = (name: string) => modelOf(server.dossier.services.registry.get(name)).collection;
const namesOf = async (name: string): Promise<readonly unknown[]> =>
  (await collectionOf(name).indexes()).map((one) => one.name);
/** Whether an index may be dropped, as the list of them says; undefined for one that is not listed. */
const droppable = async (model: string, name: string): Promise<unknown> =>
  ((await server.as('root', 'GET', '/server/indexes')).body['data'] as Document[]).find(
    (one) => one['model'] === model && one['name'] === name,
  )?.['droppable'];
const recorded = async (): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', '/audit?sort=_id&limit=1000')).rows
    .filter(({ what }) => String(what).startsWith('index.'))
    .map(({ what, whom, model, who }) => ({ what, whom, model, isRoot: who === server.callers.root.user_id }));

test('an index is built once, listed, and dropped', async () => {
  const index = { genre: 1, year: -1 };
  const data = { model: 'film', name: 'genre_1_year_-1', index };
  for (const outcome of ['built', 'present']) {
    const { status, body } = await change({ model: 'film', index });
    expect([status, body]).toEqual([200, { status: 'ok', data: { ...data, outcome } }]);
  }
  const listed = (await server.as('root', 'GET', '/server/indexes')).body['data'] as Document[];
  expect(listed).toContainEqual(expect.objectContaining({ model: 'film', name: data.name, key: index }));
  const dropped = await change({ model: 'film', drop: data.name });
  expect([dropped.status, dropped.body]).toEqual([200, { status: 'ok', data: { ...data, outcome: 'dropped' } }]);
  expect(await namesOf('film')).not.toContain(data.name);
  expect((await change({ model: 'film', drop: data.name })).status).toBe(404);
  const about = { whom: data.name, model: 'film', isRoot: true };
  expect(await recorded()).toEqual([
    { what: 'index.build', ...about },
    { what: 'index.drop', ...about },
  ]);
});

test('of requests at the same time one builds or drops, and all succeed', async () => {
  await collectionOf('short').insertMany(Array.from({ length: 500 }, (_, minutes) => ({ minutes })));
  const before = (await recorded()).length;
  const outcomes = async (body: object): Promise<readonly unknown[]> => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => change({ model: 'short', ...body })));
    return answers.map((one) => (one.body['data'] as Document | undefined)?.['outcome'] ?? one.text).sort();
  };
  expect(await outcomes({ index: { minutes: 1 } })).toEqual(['built', 'present', 'present', 'present']);
  expect(await outcomes({ drop: 'minutes_1' })).toEqual(['dropped', 'dropped', 'dropped', 'dropped']);
  expect(await recorded()).toHaveLength(before + 2);
});

test('an index with another name is present by that name', async () => {
  await collectionOf('film').createIndex({ 'cast.name': 1 }, { name: 'players' });
  const { body } = await change({ model: 'film', index: { 'cast.name': 1 } });
  expect(body['data']).toMatchObject({ name: 'players', outcome: 'present' });
  const unique = await change({ model: 'film', index: { title: 1 } });
  expect(unique.body['data']).toMatchObject({ name: 'title_1', outcome: 'present' });
});

describe('an index stays', () => {
  test.each([
    ['that of ids', 'film', '_id_', 'index of ids'],
    ['a unique one', 'film', 'title_1', 'is unique'],
    ['one that removes documents', 'film', 'until_1', 'by their age'],
    ['a declared one', 'film', 'year_1', 'model file'],
    ['a declared one of two paths', 'film', 'year_1_genre_-1', 'model file'],
    ['one of a discriminator', 'short', 'pianist_1', 'model file'],
    ['one of the server', 'user', '_owner_id_1', 'next start'],
  ])('%s', async (_title, model, name, reason) => {
    expect(await droppable(model, name)).toBe(false);
    const { status, body } = await change({ model, drop: name });
    expect([status, body['err']]).toEqual([409, expect.stringContaining(reason)]);
    expect(await namesOf(model)).toContain(name);
  });

  test('and one with other options is not built again', async () => {
    await collectionOf('film').createIndex({ tags: 1 }, { sparse: true, name: 'few' });
    const { status, body } = await change({ model: 'film', index: { tags: 1 } });
    expect([status, body['err']]).toEqual([409, expect.stringContaining('few with other options')]);
    expect(await droppable('film', 'few')).toBe(true);
    expect((await change({ model: 'film', drop: 'few' })).status).toBe(200);
    await collectionOf('film').createIndex({ crew: 1 }, { name: 'genre_1' });
    expect((await change({ model: 'film', index: { genre: 1 } })).status).toBe(409);
  });
});

describe('a request is refused', () => {
  test.each<[title: string, body: unknown, status: number, reason: string]>([
    ['without a body', {}, 400, 'send {'],
    ['a list', [], 400, 'send {'],
    ['without a model', { index: { genre: 1 } }, 400, 'send {'],
    ['both', { model: 'film', index: { genre: 1 }, drop: 'genre_1' }, 400, 'send {'],
    ['neither', { model: 'film' }, 400, 'send {'],
    [
      'another field',
      { model: 'film', index: { genre: 1 }, unique: true },
      400,
      'unique is unknown; there are model, index, drop',
    ],
    ['an unknown model', { model: 'flim', index: { genre: 1 } }, 404, 'did you mean "film"?'],
    ['an internal model', { model: '_audit', index: { what: 1 } }, 404, '_audit'],
    ['an inherited name', { model: '__proto__', index: { genre: 1 } }, 404, '__proto__'],
    ['no paths', { model: 'film', index: {} }, 400, '1 to 32 paths'],
    ['a list of paths', { model: 'film', index: ['genre'] }, 400, '1 to 32 paths'],
    ['a text', { model: 'film', index: 'genre' }, 400, '1 to 32 paths'],
    [
      'too many paths',
      { model: 'film', index: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`more.p${at}`, 1])) },
      ...([400, '1 to 32 paths'] as const),
    ],
    ['an unknown path', { model: 'film', index: { gerne: 1 } }, 400, 'did you mean "genre"?'],
    ['a path of operators', { model: 'film', index: { $where: 1 } }, 400, '$where'],
    ['all paths', { model: 'film', index: { '$**': 1 } }, 400, '$**'],
    ['an operator within', { model: 'film', index: { 'more.$where': 1 } }, 400, '$where'],
    ['an inherited path', { model: 'film', index: { constructor: 1 } }, 400, 'constructor'],
    ['one within', { model: 'film', index: { 'more.__proto__': 1 } }, 400, '__proto__'],
    ['an empty part', { model: 'film', index: { 'more.': 1 } }, 400, '""'],
    ['a password', { model: 'film', index: { 'door.password': 1 } }, 400, 'door.password'],
    ['a position', { model: 'film', index: { 'cast.0.name': 1 } }, 400, 'position'],
    ['two lists', { model: 'film', index: { 'cast.name': 1, 'crew.name': 1 } }, 400, 'two lists'],
    ['words', { model: 'film', index: { genre: 'text' } }, 400, '1 or -1'],
    ['places', { model: 'film', index: { genre: '2dsphere' } }, 400, '1 or -1'],
    ['another number', { model: 'film', index: { genre: 2 } }, 400, '1 or -1'],
    ['an object', { model: 'film', index: { genre: { $gt: '' } } }, 400, '1 or -1'],
    ['the name of all', { model: 'film', drop: '*' }, 404, '"*"'],
    ['a list of names', { model: 'film', drop: ['year_1'] }, 400, 'name of an index'],
    ['a key', { model: 'film', drop: { year: 1 } }, 400, 'name of an index'],
    ['a misspelt name', { model: 'film', drop: 'yaer_1' }, 404, 'did you mean "year_1"?'],
  ])('%s', async (_title, body, status, reason) => {
    const before = await namesOf('film');
    const answer = await change(body as object);
    expect([answer.status, answer.body['err']]).toEqual([status, expect.stringContaining(reason)]);
    expect(await namesOf('film')).toEqual(before);
  });

  test('of callers who are no admins, whatever it is', async () => {
    for (const body of [{ model: 'film', index: { genre: 1 } }, { model: 'nothing' }]) {
      expect((await change(body, 'anonymous')).status).toBe(401);
      expect((await change(body, 'eve')).status).toBe(403);
    }
  });

  test('where the documents have lists at two paths, unless the database indexes them', async () => {
    await collectionOf('film').insertOne({ title: 'lists', more: { a: [1], b: [2] } });
    const { status, body } = await change({ model: 'film', index: { 'more.a': 1, 'more.b': 1 } });
    const isThere = (await namesOf('film')).includes('more.a_1_more.b_1');
    const refused = [400, expect.stringContaining('lists at two'), false];
    expect([status, body['err'], isThere]).toEqual(onMongo && isThere ? [200, undefined, true] : refused);
  });
});

test('an index beneath free-form values is built', async () => {
  const { body } = await change({ model: 'film', index: { 'more.colour': 1 } });
  expect(body['data']).toMatchObject({ name: 'more.colour_1', outcome: 'built' });
});
