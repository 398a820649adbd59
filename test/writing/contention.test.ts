/** Many requests that change one document at the same time: each computes its change once, and all of them are kept. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startPair } from '../support/workers.ts';

const model = (options: string): string => `export default ({ Schema, Mixed }) => new Schema(
  { title: String, open: { type: Boolean, default: true }, meta: Mixed, tags: [String] },
  { perms: { user: 'crud' }, ${options} },
);`;
const models = {
  'book.ts': model(''),
  'saved.ts': model('save_on_put: true'),
  // as another server does, which does not share the mutex
  'overtaken.ts': `export default ({ Schema, Mixed }) => {
    const schema = new Schema({ title: String, meta: Mixed }, { perms: { user: 'crud' } });
    schema.pre('findOneAndUpdate', async function () { await this.model.collection.updateMany({}, { $inc: { __v: 1 } }); });
    return schema;
  };`,
  'judged.ts': `export default ({ Schema, Mixed }) => new Schema({ title: String, open: { type: Boolean, default: true }, meta: Mixed, tags: [String] },
    { perms: { user: { c: true, r: true, d: true, u: { where: { open: true } } } } });`,
};
const atOnce = 20;
const merge = 'application/merge-patch+json';
const patch = 'application/json-patch+json';

let server: TestServer;
let callers: Callers<'ann'>;
let database: MonitoredDatabase;
/** Names of the commands on documents. */
let sent: string[] = [];

beforeAll(async () => {
  database = await openMonitored();
  server = await startServer({
    models,
    mongodb_url: database.mongodb_url,
  });
  callers = await makeCallers(server, ['ann']);
  server.dossier.services.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (['books', 'saveds', 'judgeds'].includes(String(command[commandName]))) sent.push(commandName);
  });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const made = async (name: string, at = server): Promise<string> =>
  String((await at.post(`/api/${name}`, { title: 'x', meta: { first: 0 } }, callers.ann)).document['_id']);

type Send = (at: TestServer, name: string, id: string, n: number) => Promise<Answer>;
const send =
  (type: string, body: (n: number) => unknown, more: (n: number) => Record<string, string> = () => ({})): Send =>
  (at, name, id, n) =>
    at.send('PATCH', `/api/${name}/${n % 2 === 0 ? id : id.toUpperCase()}`, {
      raw: JSON.stringify(body(n)),
      headers: { ...callers.ann.headers, 'content-type': type, ...more(n) },
    });

const mergePatch = send(merge, (n) => ({ meta: { [`k${n}`]: n } }));
const jsonPatch = send(patch, (n) => [{ op: 'add', path: `/meta/k${n}`, value: n }]);
const ways: Readonly<Record<string, Send>> = {
  'merge patches': mergePatch,
  'JSON Patches': jsonPatch,
  fields: send('application/json', (n) => ({ [`meta.k${n}`]: n })),
};

const kept = async (name: string, id: string): Promise<unknown> =>
  Object.keys((await server.get(`/api/${name}/${id}`, callers.ann)).document['meta'] as object).sort();
const expected = ['first', ...Array.from({ length: atOnce }, (_, n) => `k${n}`)].sort();
const ofEach = (answers: readonly Answer[]): number[] => [...new Set(answers.map(({ status }) => status))];
const numbers = Array.from({ length: atOnce }, (_, n) => n);
/** The commands that write a document. */
const writes = (): number => sent.filter((name) => name === 'findAndModify' || name === 'update').length;

describe.each(['book', 'saved', 'judged'])('%s', (name) => {
  test.each(Object.entries(ways))(`${atOnce} %s at once`, async (_way, sendOne) => {
    const id = await made(name);
    sent = [];
    const answers = await Promise.all(numbers.map((n) => sendOne(server, name, id, n)));
    expect(ofEach(answers)).toEqual([200]);
    expect(writes()).toBe(atOnce);
    expect(await kept(name, id)).toEqual(expected);
  });
});

needs('transactions')('requests with an Idempotency-Key run one at a time, instead of conflicting', async () => {
  const id = await made('book');
  const run = randomBytes(6).toString('hex');
  sent = [];
  const keyed = send(
    merge,
    (n) => ({ meta: { [`k${n}`]: n } }),
    (n) => ({ 'idempotency-key': `${run}-${n}` }),
  );
  const answers = await Promise.all(numbers.map((n) => keyed(server, 'book', id, n)));
  expect(ofEach(answers)).toEqual([200]);
  expect(writes()).toBe(atOnce);
  expect(await kept('book', id)).toEqual(expected);
});

test('a patch that others overtake each time is a 503 that may be sent again', async () => {
  const id = await made('overtaken');
  const answer = await mergePatch(server, 'overtaken', id, 0);
  expect([answer.status, answer.body['message'], answer.headers.get('retry-after')]).toEqual([503, 'Busy', '1']);
  expect(await kept('overtaken', id)).toEqual(['first']);
});

test('workers of one server patch one document one at a time', async () => {
  const pair = await startPair({ models });
  const people = await makeCallers(pair.first, ['ann']);
  const own: Send = (at, name, id, n) =>
    at.send('PATCH', `/api/${name}/${id}`, {
      raw: JSON.stringify({ meta: { [`k${n}`]: n } }),
      headers: { ...people.ann.headers, 'content-type': merge },
    });
  const id = String((await pair.first.post('/api/book', { meta: { first: 0 } }, people.ann)).document['_id']);
  const answers = await Promise.all(numbers.map((n) => own(n % 2 === 0 ? pair.first : pair.second, 'book', id, n)));
  expect(ofEach(answers)).toEqual([200]);
  const { meta, __v } = (await pair.second.get(`/api/book/${id}`, people.ann)).document;
  expect(Object.keys(meta as object).sort()).toEqual(expected);
  expect(__v).toBe(atOnce);
  await pair.close();
});
