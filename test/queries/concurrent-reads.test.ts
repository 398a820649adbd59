/** Reads of one document by concurrent requests share commands, and each has an answer of its own. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../src/models/mongoose.ts';
import { rowsTogether } from '../../src/read/rows-together.ts';
import type { Services } from '../../src/services.ts';
import { type MonitoredDatabase, onMongo, openMonitored } from '../support/database.ts';
import { startServer, type TestServer } from '../support/server.ts';

let database: MonitoredDatabase;
let server: TestServer;
/** The numbers of documents that commands ask for. */
let sent: number[] = [];
const ids = Array.from({ length: 40 }, () => new ObjectId());
const [first, second] = ids as [ObjectId, ObjectId];
const missing = new ObjectId();

beforeAll(async () => {
  database = await openMonitored();
  server = await startServer({
    mongodb_url: database.mongodb_url,
    models: {
      'page.js': `module.exports = new (require('mongoose').Schema)({ n: Number, text: String, note: String },
        { perms: { all: 'r', admin: 'crud' }, collection: 'pages' });`,
    },
  });
  server.dossier.services.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find' && command['find'] === 'pages') sent.push(command['limit'] as number);
  });
  await pages().insertMany(ids.map((_id, n) => ({ _id, n, note: 'x', ...(n === 39 ? { _deleted: true } : {}) })));
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const page = (): ReturnType<Services['registry']['get']> => server.dossier.services.registry.get('page');
const pages = () => modelOf(page()).collection;

/** The numbers of the documents with these ids, which are read in one turn; undefined for one that does not exist. */
async function read(...wanted: readonly ObjectId[]): Promise<readonly unknown[]> {
  sent = [];
  const { connection } = server.dossier.services;
  const plan = (id: ObjectId) => ({ model: page(), filter: { _id: id }, projection: undefined, maxTimeMS: 5000 });
  const rows = await Promise.all(
    wanted.map(
      (id) => rowsTogether(plan(id), { connection, session: undefined }) ?? Promise.reject(new Error('apart')),
    ),
  );
  return rows.map(([row]) => row && row.readInt32LE(row.indexOf('\x10n\0', 'latin1') + 3));
}

describe('reads of one turn', () => {
  test.each<[string, readonly ObjectId[], readonly unknown[], readonly number[]]>([
    ['one is a command', [first], [0], [1]],
    ['several are one command', ids.slice(0, 3), [0, 1, 2], [3]],
    ['one document is read once', [second, first, second], [1, 0, 1], [2]],
    ['one that does not exist does not concern the others', [first, missing, second], [0, undefined, 1], [3]],
    ['32 are one command', ids, ids.map((_, n) => n), [32, 8]],
  ])('%s', async (_, wanted, numbers, commands) => {
    expect(await read(...wanted)).toEqual(numbers);
    expect(sent).toEqual(commands);
  });

  test('what does not fit into one message is read alone', async () => {
    const large = Array.from({ length: 5 }, () => new ObjectId());
    const text = 'x'.repeat(5 * 1024 * 1024);
    for (const [n, _id] of large.entries()) await pages().insertOne({ _id, n, text });
    expect(await read(...large, missing)).toEqual([0, 1, 2, 3, 4, undefined]);
    expect(sent.slice(0, 1)).toEqual([6]);
    // another engine may send more in one message
    expect(sent.length).toBeGreaterThan(onMongo ? 0 : 1);
    await pages().deleteMany({ _id: { $in: large } });
  });
});

test.each<[string, object]>([
  ['with other conditions', { filter: { _id: first, n: 0 } }],
  ['with several ids', { filter: { _id: { $in: [first] } } }],
  ['of some fields', { projection: { n: 1 } }],
])('a read %s is a command of its own', (_, others) => {
  const { connection } = server.dossier.services;
  const plan = { model: page(), filter: { _id: first }, projection: undefined, maxTimeMS: 5000, ...others };
  expect(rowsTogether(plan, { connection, session: undefined })).toBeUndefined();
});

test('concurrent requests have their own answers', async () => {
  const last = ids.at(-1);
  const paths = [
    ...ids.slice(0, 20).map((id, n) => [`/api/page/${id.toHexString()}`, 200, n] as const),
    [`/api/page/${missing.toHexString()}`, 404, undefined],
    [`/api/page/${last?.toHexString()}`, 404, undefined],
    [`/api/page/${last?.toHexString()}?showDeleted=true`, 200, 39],
    ['/api/page/nothing', 400, undefined],
    [`/api/page/${first.toHexString()}?fields=n`, 200, 0],
    [`/api/page/${first.toHexString()}`, 200, 0],
  ] as const;
  const answers = await Promise.all(paths.map(([path]) => server.get(path)));
  expect(
    answers.map(({ status, document }, at) => [paths[at]?.[0], status, status === 200 ? document['n'] : undefined]),
  ).toEqual(paths);
});
