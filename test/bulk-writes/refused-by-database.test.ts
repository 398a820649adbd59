/** What only the database can refuse, since it depends on the stored values, is a 400 with the reason. */
import { beforeAll, expect, test } from '@jest/globals';
import { onMongo } from '../support/database.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const plan = `export default ({ Schema }) =>
  new Schema({ meta: {}, price: Number }, { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } });`;

const stored = { meta: { word: 'a', number: 5, none: null } };

const unnamed = 'the database does not accept this request';

let server: TestServer;
let callers: Callers<'ann'>;

beforeAll(async () => {
  server = await startServer({ models: { 'plan.ts': plan } });
  callers = await makeCallers(server, ['ann']);
});

test.each([
  [{ $inc: { 'meta.word': 1 } }, 'an operator does not fit the type of a value'],
  [{ $mul: { 'meta.word': 2 } }, 'an operator does not fit the type of a value'],
  [{ $set: { 'meta.word.x': 1 } }, 'a path goes through a stored value that is neither an object nor a list'],
  [{ $set: { 'meta.none.x': 1 } }, 'a path goes through a stored value that is neither an object nor a list'],
  [
    { $set: { 'meta.number': 1 }, $inc: { 'meta.number': 1 } },
    'two operators change the same path, or one of them a part of it',
  ],
  [
    { $set: { meta: {} }, $inc: { 'meta.number': 1 } },
    'two operators change the same path, or one of them a part of it',
  ],
  [{ $push: { 'meta.word': 1 } }, unnamed],
])('%j', async (update, reason) => {
  const { document } = await server.post('/api/plan', stored, callers.ann);
  const filter = { _id: document['_id'] };
  const { status, body } = await server.post('/bulkwrite/plan', [{ updateOne: { filter, update } }], callers.ann);
  // not every engine has MongoDB's codes
  const reasons = onMongo ? [reason, unnamed] : [reason];
  expect([status, reasons.map((one) => `operation 0: ${one}`)]).toEqual([400, expect.arrayContaining([body['err']])]);
  const after = await server.get(`/api/plan/${String(document['_id'])}`, callers.ann);
  expect(after.document).toMatchObject(stored);
});
