/** Reads of one document by concurrent requests share commands, and each has an answer of its own. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../src/models/mongoose.ts';
import type { Filter } from '../../src/query/filter.ts';
import { rowsTogether } from '../../src/read/rows-together.ts';
import type { Services } from '../../src/services.ts';
import { type MonitoredDatabase, onMongo, openMonitored } from '../support/database.ts';
import { openPeople } from '../support/fixtures/people.ts';
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

interface Asked {
  readonly filter?: Filter;
  readonly projection?: Readonly<Record<string, 0 | 1>>;
}

/** A plan of documents by their ids. */
const planOf = ({ filter = {}, projection }: Asked = {}) => ({ model: page(), filter, projection, maxTimeMS: 5000 });

/** The numbers of the documents that are read in one turn; undefined for one that does not exist. */
async function read(
  ...wanted: readonly (readonly [ReturnType<typeof planOf>, ObjectId])[]
): Promise<readonly unknown[]> {
  sent = [];
  const source = { connection: server.dossier.services.connection, session: undefined };
  const rows = await Promise.all(
    wanted.map(([plan, id]) => rowsTogether(plan, id, source) ?? Promise.reject(new Error('apart'))),
  );
  return rows.map(([row]) => row && row.readInt32LE(row.indexOf('\x10n\0', 'latin1') + 3));
}

/** The same by one plan. */
const readBy = (asked: Asked, ...wanted: readonly ObjectId[]): Promise<readonly unknown[]> => {
  const plan = planOf(asked);
  return read(...wanted.map((id) => [plan, id] as const));
};

describe('reads of one turn', () => {
  test.each<[string, readonly ObjectId[], readonly unknown[], readonly number[]]>([
    ['one is a command', [first], [0], [1]],
    ['several are one command', ids.slice(0, 3), [0, 1, 2], [3]],
    ['one document is read once', [second, first, second], [1, 0, 1], [2]],
    ['one that does not exist does not concern the others', [first, missing, second], [0, undefined, 1], [3]],
    ['32 are one command', ids, ids.map((_, n) => n), [32, 8]],
  ])('%s', async (_, wanted, numbers, commands) => {
    expect(await readBy({}, ...wanted)).toEqual(numbers);
    expect(sent).toEqual(commands);
  });

  test('what does not fit into one message is read alone', async () => {
    const large = Array.from({ length: 5 }, () => new ObjectId());
    const text = 'x'.repeat(5 * 1024 * 1024);
    for (const [n, _id] of large.entries()) await pages().insertOne({ _id, n, text });
    expect(await readBy({}, ...large, missing)).toEqual([0, 1, 2, 3, 4, undefined]);
    expect(sent.slice(0, 1)).toEqual([6]);
    // another engine may send more in one message
    expect(sent.length).toBeGreaterThan(onMongo ? 0 : 1);
    await pages().deleteMany({ _id: { $in: large } });
  });
});

describe('reads by plans with conditions', () => {
  const below = { n: { $lt: 2 } };
  const [, , third] = ids as [ObjectId, ObjectId, ObjectId];

  test.each<[string, Asked, readonly ObjectId[], readonly unknown[], readonly number[]]>([
    ['that hold for some', { filter: below }, [third, second, first], [undefined, 1, 0], [3]],
    ['on the id', { filter: { _id: { $ne: first } } }, [first, second], [undefined, 1], [2]],
    ['of some fields', { projection: { n: 1 } }, [first, second], [0, 1], [2]],
    ['without a field', { projection: { note: 0 } }, [first, second], [0, 1], [2]],
  ])('share a command where the plan is one: %s', async (_, asked, wanted, numbers, commands) => {
    expect(await readBy(asked, ...wanted)).toEqual(numbers);
    expect(sent).toEqual(commands);
  });

  test('do not where the plans differ, though equal', async () => {
    const plans = [planOf({ filter: below }), planOf({ filter: below })] as const;
    expect(await read([plans[0], first], [plans[1], second], [plans[0], third])).toEqual([0, 1, undefined]);
    expect(sent).toEqual([2, 1]);
  });

  test('a condition that fails for one document fails for no other', async () => {
    const failing = { $expr: { $gt: [{ $divide: [1, { $subtract: ['$n', 1] }] }, -2] } };
    const plan = planOf({ filter: failing });
    const outcomes = await Promise.allSettled([first, second, third].map((id) => read([plan, id])));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

test.each<[string, Asked, unknown, object]>([
  ['with another kind of id', {}, 'first', {}],
  ['without its id', { projection: { _id: 0 } }, first, {}],
  ['from another member', {}, first, { from: 'secondary' }],
])('a read %s is a command of its own', (_, asked, id, place) => {
  const { connection } = server.dossier.services;
  expect(rowsTogether(planOf(asked), id, { connection, session: undefined, ...place })).toBeUndefined();
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

test('concurrent requests under row rules and letters of fields have what their callers may see', async () => {
  const people = await openPeople(['root', 'eve', 'ann'], {
    models: {
      memo: `import { Schema } from 'mongoose';
const mine = { where: { for: '$user._id' } };
export default new Schema({ n: Number, for: String, note: { type: String, perms: { owner: 'r', admin: 'cru' } } },
  { perms: { user: { r: mine }, admin: 'crud' } });`,
    },
  });
  const names = ['eve', 'ann'] as const;
  const callers = ['root', ...names] as const;
  const memos = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const body = { n, for: people.callers[names[n % 2] ?? 'eve'].user_id, note: 'x' };
      return String((await people.as('root', 'POST', '/api/memo', { body })).document['_id']);
    }),
  );
  const asked = memos.flatMap((id, n) => callers.map((caller) => ({ id, n, caller })));
  const answers = await Promise.all(asked.map(({ id, caller }) => people.as(caller, 'GET', `/api/memo/${id}`)));
  expect(answers.map(({ status, document: { n, note } }) => (status === 200 ? { n, note } : status))).toEqual(
    asked.map(({ n, caller }) =>
      caller === 'root' ? { n, note: 'x' } : caller === names[n % 2] ? { n, note: undefined } : 404,
    ),
  );
});
