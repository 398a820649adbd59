/** Round trips of reads through links: ids of linked documents first, then the list; one query for all linking documents of a page. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ObjectId } from '../../src/models/object-id.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models: ModelFiles = {
  film: ({ Schema, ObjectId: id }) =>
    new Schema(
      {
        title: String,
        director_id: { type: id, link: 'person', reverse: 'films' },
        tag_id: [{ type: id, link: 'tag', reverse: 'films' }],
      },
      { perms: { all: 'r' } } as object,
    ),
  person: ({ Schema, ObjectId: id }) =>
    new Schema({ name: String, age: Number, town_id: { type: id, link: 'town' } }, { perms: { all: 'r' } } as object),
  town: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'r' } } as object),
  tag: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'r' } } as object),
};

let server: TestServer;
let database: MonitoredDatabase;
/** The collections that were read, in the order of the queries. */
let queries: unknown[] = [];

beforeAll(async () => {
  database = await openMonitored();
  const { mongodb_url } = database;
  // plans of slow reads are asked for besides
  server = await startServer({ models, mongodb_url, slow_ms: 0 });
  const { connection, registry } = server.dossier.services;
  const base = { _deleted: false, createdAt: new Date(0), updatedAt: new Date(0), __v: 0 };
  const fill = async (name: string, rows: readonly object[]): Promise<void> => {
    await connection.collection(registry.get(name).collection).insertMany(rows.map((row) => ({ ...base, ...row })));
  };
  const ids = (count: number): ObjectId[] => Array.from({ length: count }, () => new ObjectId());
  const [towns, people, tags] = [ids(2), ids(3), ids(3)];
  await fill(
    'town',
    towns.map((_id, n) => ({ _id, name: `Town ${n}` })),
  );
  await fill(
    'person',
    people.map((_id, n) => ({ _id, name: `Person ${n}`, age: n, town_id: towns[n % 2] })),
  );
  await fill(
    'tag',
    tags.map((_id, n) => ({ _id, name: `Tag ${n}` })),
  );
  await fill(
    'film',
    Array.from({ length: 600 }, (_, n) => ({ title: `F${n}`, director_id: people[n % 3], tag_id: [tags[n % 3]] })),
  );
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const collection: unknown = command[commandName];
    // the server reads its own collections by itself, such as the active webhooks
    const isOwn = String(collection).startsWith('_dossier_');
    if ((commandName === 'find' || commandName === 'aggregate') && !isOwn) queries.push(collection);
  });
});
// the server is already closed
afterAll(() => database.close());

test.each<[what: string, path: string, expected: readonly string[]]>([
  ['no link', '/api/film?filter[title]=F1', ['films']],
  ['one link', '/api/film?filter[director.name]=Person 1&limit=5', ['people', 'films']],
  ['two fields of one link', '/api/film?filter[director.name]=Person 1&filter[director.age]=1', ['people', 'films']],
  ['two links', '/api/film?filter[director.name]=Person 1&filter[tag.name]=Tag 1', ['people', 'tags', 'films']],
  ['a link of a link', '/api/film?filter[director.town.name]=Town 1&limit=5', ['towns', 'people', 'films']],
  ['a count', '/count/film?filter[director.name]=Person 1', ['people', 'films']],
  ['a CSV', '/csv/film?filter[director.name]=Person 1', ['people', 'films']],
  ['a populated link', '/api/film?limit=50&populate=director', ['films', 'people']],
  ['a reverse link', '/api/person?populate[films]=title', ['people', 'people']],
  ['reverse links behind links', '/api/film?limit=9&populate=tag.films', ['films', 'tags', 'tags']],
])('%s: %s', async (_what, path, expected) => {
  queries = [];
  const { status, text } = await server.get(path);
  expect([status, text]).toEqual([200, expect.any(String)]);
  // queries of one round begin in any order
  const inOrder = [...queries.slice(0, -1).sort(), queries.at(-1)];
  expect(inOrder).toEqual([...expected.slice(0, -1).toSorted(), expected.at(-1)]);
});
