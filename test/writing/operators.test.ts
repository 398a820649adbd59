/** Operators that do not suit the stored values: the same 400 wherever the server computes the changed document itself, too. */
import { beforeAll, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Body = Record<string, unknown>;

const model = (options: string): string => `export default ({ Schema, Mixed }) => new Schema(
  { n: Number, m: Number, tags: [String], free: Mixed },
  { advanced_queries: { bulkwrite: true }, ${options} },
);`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      plain: model(`perms: { all: 'crud' }`),
      ruled: model(`perms: { all: { c: true, r: true, u: { where: { tags: 'a' } }, d: true } }`),
      saved: model(`perms: { all: 'crud' }, save_on_put: true`),
    },
  });
  await makeRoot(server);
});

const stored: Body = { n: null, m: 1, tags: ['a'], free: 'text' };
const ways: Record<string, (model: string, id: string, update: Body) => Promise<{ status: number; text: string }>> = {
  PATCH: (model, id, body) => server.send('PATCH', `/api/${model}/${id}`, { body }),
  'a bulk write': (model, id, update) =>
    server.post(`/bulkwrite/${model}`, [{ updateOne: { filter: { _id: id }, update } }]),
};
const updates: readonly Body[] = [
  { $inc: { n: 1 } },
  { $mul: { n: 2 } },
  { $push: { free: 1 } },
  { $pop: { free: 1 } },
  { $set: { 'free.x': 1 } },
  { $set: { m: 5 }, $inc: { m: 1 } },
  { $set: { 'free.x': 5 }, $unset: { free: 1 } },
  { $inc: { m: 1 }, $mul: { m: 2 } },
];
const cases = updates.flatMap((update) =>
  ['plain', 'ruled', 'saved'].flatMap((model) => Object.keys(ways).map((way) => [way, model, update] as const)),
);

test.each(cases)('by %s to %s: %j is a 400, and nothing is written', async (way, model, update) => {
  const id = String((await server.post(`/api/${model}`, stored)).document['_id']);
  const { status, text } = await ways[way]!(model, id, update);
  expect([status, text]).toEqual([400, expect.any(String)]);
  expect((await server.get(`/api/${model}/${id}`)).document).toMatchObject({ ...stored, __v: 0 });
});
