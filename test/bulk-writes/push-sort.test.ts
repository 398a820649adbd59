/** The `$sort` of `$push` names fields of the members, also by their aliases. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const plan = `export default ({ Schema }) =>
  new Schema(
    {
      parts: [{ _id: false, cost: { type: Number, alias: 'price' }, size: { wide: { type: Number, alias: 'width' } } }],
      secret: [{ _id: false, cost: { type: Number, perms: { admin: 'cru', user: 'u' } } }],
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );`;

let server: TestServer;
let callers: Callers<'ann' | 'root'>;

beforeAll(async () => {
  server = await startServer({ models: { 'plan.ts': plan } });
  callers = await makeCallers(server, ['ann', 'root']);
});

async function push(stored: Document, list: string, operand: object) {
  const made = await server.post('/api/plan', stored, callers.root);
  const id = String(made.document['_id']);
  const operation = { updateOne: { filter: { _id: id }, update: { $push: { [list]: operand } } } };
  const answer = await server.post('/bulkwrite/plan', [operation], callers.ann);
  return { answer, after: (await server.get(`/api/plan/${id}`, callers.root)).document[list] };
}

const parts = [{ cost: 3 }, { cost: 1 }];

test.each<[string, Document, object, readonly object[]]>([
  ['parts', { parts }, { $each: [{ cost: 2 }], $sort: { cost: 1 } }, [{ cost: 1 }, { cost: 2 }, { cost: 3 }]],
  ['parts', { parts }, { $each: [{ price: 2 }], $sort: { price: -1 } }, [{ cost: 3 }, { cost: 2 }, { cost: 1 }]],
  [
    'parts',
    { parts: [{ size: { wide: 2 } }] },
    { $each: [{ size: { wide: 1 } }], $sort: { width: 1 } },
    [{ size: { wide: 1 } }, { size: { wide: 2 } }],
  ],
])('%s of %j: %j', async (list, stored, operand, then) => {
  const { answer, after } = await push(stored, list, operand);
  expect([answer.status, after]).toEqual([200, then.map((member) => expect.objectContaining(member))]);
});

test.each([
  ['parts', { $each: [], $sort: { nothing: 1 } }, /parts\.nothing is not in the schema/],
  ['parts', { $each: [], $sort: { cots: 1 } }, /parts\.cots is not in the schema.*cost/],
  ['secret', { $each: [], $sort: { cost: 1 } }, /secret\.cost is not in the schema/],
])('%s: %j is refused', async (list, operand, reason) => {
  const { answer, after } = await push({ [list]: parts }, list, operand);
  expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(reason)]);
  expect(after).toEqual(parts.map((member) => expect.objectContaining(member)));
});
