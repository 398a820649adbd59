/** Operations on more documents than one command changes: in steps, within the time limit, and then a 503 with what is done. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Change } from '../../src/realtime/changes/contract.ts';
import type { Answer } from '../support/client.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Milliseconds: the default of `QUERY_LIMITS_MAX_TIME_MS`. */
const limit = 10_000;
/** Documents of a step. */
const piece = 1000;
const all = 2500;
const models = {
  'note-part.ts': `export default ({ Schema, ObjectId }) => new Schema({ note_id: { type: ObjectId, link: 'note' } }, { perms: { user: 'crud' } });`,
  'note.ts': `export default ({ Schema }) => new Schema({ title: String, n: Number }, { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } });`,
};

let server: TestServer;
let root: Caller;
let database: MonitoredDatabase;
/** The command that takes all the time; undefined for none. */
let slow: string | undefined;
/** Milliseconds that have passed in the view of the server. */
let passed = 0;
let published: Change[] = [];
let listens = false;

beforeAll(async () => {
  database = await openMonitored();
  const { mongodb_url } = database;
  server = await startServer({ models, mongodb_url, elapsed: () => performance.now() + passed });
  root = await makeRoot(server);
  const { connection, bus } = server.dossier.services;
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === slow && command[commandName] === 'notes') passed += 3 * limit;
  });
  bus.subscribe(
    (changes) => published.push(...changes),
    () => listens,
  );
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const notes = () => server.dossier.services.connection.collection('notes');
const removals = (): Promise<number> => {
  const { connection, registry } = server.dossier.services;
  return connection.collection(registry.internal('_audit').collection).countDocuments({ what: 'document.removed' });
};
beforeEach(async () => {
  await notes().deleteMany({});
  await notes().insertMany(Array.from({ length: all }, (_, n) => ({ title: 'x', n, _deleted: false, __v: 0 })));
  published = [];
});

const bulk = (operation: object, query = ''): Promise<Answer> =>
  server.post(`/bulkwrite/note${query}`, [operation], root);
const remove = { deleteMany: { filter: { n: { $gte: 0 } } } };
const change = { updateMany: { filter: { n: { $gte: 0 } }, update: { $set: { title: 'y' } } } };
const partly = (answer: Answer): unknown => [
  answer.status,
  answer.body['message'],
  answer.headers.get('retry-after'),
  answer.body['index'],
];

test.each([
  ['deleteMany with _permaDelete', remove, '?_permaDelete=1', 'delete', false],
  ['deleteMany with subscribers', remove, '', 'update', true],
  ['updateMany with subscribers', change, '', 'update', true],
] as const)(
  '%s stops after a step, and says what is done',
  async (_name, operation, query, command, hasSubscribers) => {
    listens = hasSubscribers;
    slow = command;
    const before = await removals();
    const answer = await bulk(operation, query);
    expect(partly(answer)).toEqual([503, 'Took too long', null, 0]);
    expect(answer.body['err']).toContain('may have been done, wholly or in part');
    const { nRemoved, nModified } = answer.body['data'] as Record<string, number>;
    expect([nRemoved, nModified]).toEqual(command === 'delete' || operation === remove ? [piece, 0] : [0, piece]);
    const done = await notes().countDocuments({ n: { $gte: 0 }, $or: [{ title: 'y' }, { _deleted: true }] });
    const isPermanent = query !== '';
    expect([await notes().countDocuments({}), done]).toEqual(isPermanent ? [all - piece, 0] : [all, piece]);
    expect((await removals()) - before).toBe(isPermanent ? piece : 0);
    expect(published).toHaveLength(piece);
    slow = undefined;
    const rest = await bulk(operation, query);
    expect(rest.status).toBe(200);
    expect(await removals()).toBe(before + (isPermanent ? all : 0));
  },
);

test('a command without steps has the time limit in the database', async () => {
  listens = false;
  const limits: unknown[] = [];
  const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
    if (command[commandName] === 'notes' && commandName === 'update') limits.push(command['maxTimeMS']);
  };
  server.dossier.services.connection.getClient().on('commandStarted', note);
  expect((await bulk(change)).status).toBe(200);
  server.dossier.services.connection.getClient().off('commandStarted', note);
  expect(limits).toEqual([expect.any(Number)]);
  expect(Number(limits[0])).toBeGreaterThan(0);
  expect(Number(limits[0])).toBeLessThanOrEqual(3 * limit);
});

test('a cascade over too many documents is refused before it deletes any', async () => {
  const { connection, registry } = server.dossier.services;
  const parts = connection.collection(registry.get('note-part').collection);
  const note = await notes().findOne({ n: 0 });
  const many = 20_000;
  for (let made = 0; made < many; made += 5000)
    await parts.insertMany(Array.from({ length: 5000 }, () => ({ note_id: note?._id })));
  const answer = await server.remove(`/api/note/${String(note?._id)}?_cascade=1`, root);
  expect([answer.status, answer.body['err']]).toEqual([
    400,
    `at most ${many} documents that a cascade deletes are allowed`,
  ]);
  expect(await parts.countDocuments({ _deleted: true })).toBe(0);
  expect(await notes().countDocuments({ _deleted: true })).toBe(0);
});
