/** How many bulk writes and batches run at the same time, and how bulk writes of one document wait for each other. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import { type Caller, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Requests of one caller that run at a time, and that wait. */
const [permits, waiting] = [2, 20];

/** What the hooks hold. */
interface Held {
  /** Requests that run now, and the most that did. */
  running: number;
  most: number;
  readonly release: (() => void)[];
}
const held: Held = { running: 0, most: 0, release: [] };
let holds = false;
let arrived = (): void => undefined;

/** Holds a request that has begun to write. */
async function hold(value: unknown): Promise<unknown> {
  if (!holds) return value;
  held.running += 1;
  held.most = Math.max(held.most, held.running);
  arrived();
  await new Promise<void>((done) => held.release.push(done));
  held.running -= 1;
  return value;
}

let server: TestServer;
let callers: Callers<'ann' | 'bob'>;
let commands: string[] = [];
let database: MonitoredDatabase;
beforeAll(async () => {
  database = await openMonitored();
  server = await startServer({
    models: {
      'note.ts': `export default ({ Schema }) => {
        const schema = new Schema({ title: String, tags: [String] }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });
        schema.pre('validate', async () => { await globalThis.holdNote?.(); });
        return schema;
      };`,
      'judged.ts': `export default ({ Schema }) => new Schema({ title: String, open: { type: Boolean, default: true }, tags: [String] },
        { perms: { user: { c: true, r: true, u: { where: { open: true } } } }, advanced_queries: { bulkwrite: true } });`,
    },
    mongodb_url: database.mongodb_url,
  });
  Object.assign(globalThis, { holdNote: () => hold(undefined) });
  callers = await makeCallers(server, ['ann', 'bob']);
  server.dossier.services.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (command[commandName] === 'judgeds') commands.push(commandName);
  });
});
afterAll(async () => {
  Reflect.deleteProperty(globalThis, 'holdNote');
  await server.close();
  await database.close();
});
beforeEach(() => {
  Object.assign(held, { running: 0, most: 0 });
  holds = true;
});

const bulk = (as?: Caller): Promise<Answer> =>
  server.post('/bulkwrite/note', [{ insertOne: { document: { title: 'x' } } }], as);
const batch = (as?: Caller, atomic = false): Promise<Answer> =>
  server.post('/batch', { atomic, operations: [{ method: 'POST', path: '/api/note', body: { title: 'x' } }] }, as);

/** Requests of both kinds together. */
let sent = 0;

/** Resolves when so many requests run. */
const untilRunning = (count: number): Promise<void> =>
  new Promise((done) => {
    arrived = () => {
      if (held.running >= count) done();
    };
    arrived();
  });

/** Releases all requests, and holds none from now on. */
function releaseAll(): void {
  holds = false;
  for (const release of held.release.splice(0)) release();
}

describe.each([
  ['bulk writes', bulk],
  ['batches', batch],
  ['bulk writes and batches together', (as?: Caller) => (++sent % 2 === 0 ? bulk(as) : batch(as))],
] as const)('%s', (_name, sendOne) => {
  test.each(['ann', undefined] as const)(
    `of one caller (%s): ${permits} run, ${waiting} wait, the rest is a 503`,
    async (name) => {
      const as = name && callers[name];
      const tooMany = 8;
      const refused: Answer[] = [];
      let allRefused = (): void => undefined;
      const refusals = new Promise<void>((done) => (allRefused = done));
      const all = Array.from({ length: permits + waiting + tooMany }, async () => {
        const answer = await sendOne(as);
        if (answer.status !== 200 && refused.push(answer) === tooMany) allRefused();
        return answer.status;
      });
      await untilRunning(permits);
      // at once, while the others are held
      await refusals;
      // another caller does not wait
      const other = bulk(callers.bob);
      await untilRunning(permits + 1);
      expect(held.most).toBe(permits + 1);
      releaseAll();
      expect((await other).status).toBe(200);
      expect((await Promise.all(all)).filter((status) => status === 200)).toHaveLength(permits + waiting);
      for (const { status, body, headers } of refused)
        expect([status, body['message'], headers.get('retry-after')]).toEqual([503, 'Busy', '1']);
    },
  );
});

needs('transactions')('no more transactions of one caller run than it may have', async () => {
  const all = Array.from({ length: permits + 3 }, () => batch(callers.ann, true));
  await untilRunning(permits);
  expect(held.most).toBe(permits);
  releaseAll();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array.from(all, () => 200));
});

test('judged bulk writes of one document wait for each other: one attempt for each operation', async () => {
  holds = false;
  const [id, each] = [String((await server.post('/api/judged', { title: 'x' }, callers.ann)).document['_id']), 30];
  const operations = Array.from({ length: each }, (_, n) => ({
    updateOne: { filter: { _id: id }, update: { $push: { tags: `tag ${n}` } } },
  }));
  commands = [];
  const answers = await Promise.all(
    [callers.ann, callers.bob, callers.ann].map((as) => server.post('/bulkwrite/judged', operations, as)),
  );
  expect(answers.map(({ status, body }) => [status, body['data']?.nModified])).toEqual(
    [1, 2, 3].map(() => [200, each]),
  );
  expect((await server.get(`/api/judged/${id}`, callers.ann)).document['tags']).toHaveLength(3 * each);
  // one that waited is judged once more, by the document as it is then
  expect(commands.filter((name) => name === 'update').length).toBeLessThanOrEqual(2 * 3 * each);
});
