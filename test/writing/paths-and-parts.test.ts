/** A path beside another one that it is a part of: no write takes both, since which value holds would depend on their order. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const plan = (code = ''): string => `const { Schema } = require('mongoose');
  const plan = new Schema(
    { code: { type: String, unique: true }, size: { low: Number, high: { from: Number, to: Number } }, tags: [String], meta: {} },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } });
  ${code}
  module.exports = plan;`;

const stored = { size: { low: 9, high: { from: 8, to: 7 } }, tags: ['t'], meta: { b: 1 } };
const bodies: readonly (readonly [body: object, outer: string, path: string])[] = [
  [{ size: { low: 1 }, 'size.high.from': 2 }, 'size', 'size.high.from'],
  [{ 'size.high.from': 2, size: { low: 1 } }, 'size', 'size.high.from'],
  [{ 'size.high': { to: 1 }, 'size.high.from': 2 }, 'size.high', 'size.high.from'],
  [{ meta: { a: 1 }, 'meta.b': 2 }, 'meta', 'meta.b'],
  [{ tags: ['x'], 'tags.0': 'y' }, 'tags', 'tags.0'],
];

let server: TestServer;
let callers: Callers<'ann'>;
beforeAll(async () => {
  server = await startServer({ models: { 'plan.js': plan(), 'saved.js': plan("plan.pre('save', () => {});") } });
  callers = await makeCallers(server, ['ann']);
});

interface Made {
  readonly id: string;
  readonly code: string;
}

let count = 0;
async function makeOne(model: string): Promise<Made> {
  const code = String((count += 1));
  const { document } = await server.post(`/api/${model}`, { ...stored, code }, callers.ann);
  return { id: String(document['_id']), code };
}

type Write = (model: string, made: Made, body: object) => Promise<Answer>;
const writes: readonly (readonly [string, Write])[] = [
  ['PUT /api', (model, { id }, body) => server.put(`/api/${model}/${id}`, body, callers.ann)],
  ['PUT /update', (model, { id }, body) => server.put(`/update/${model}/${id}`, body, callers.ann)],
  ['PUT ?on=', (model, { code }, body) => server.put(`/api/${model}?on=code`, { code, ...body }, callers.ann)],
  [
    'PATCH',
    (model, { id }, body) => server.send('PATCH', `/api/${model}/${id}`, { body: { $set: body }, ...callers.ann }),
  ],
  [
    '/bulkwrite',
    (model, { id }, body) =>
      server.post(`/bulkwrite/${model}`, [{ updateOne: { filter: { _id: id }, update: { $set: body } } }], callers.ann),
  ],
];

describe.each(['plan', 'saved'])('of %s', (model) => {
  describe.each(writes)('%s', (_, write) => {
    test.each(bodies)('%j', async (body, outer, path) => {
      const made = await makeOne(model);
      const { status, body: answer } = await write(model, made, body);
      expect([status, answer['err'] ?? JSON.stringify(answer)]).toEqual([
        400,
        expect.stringContaining(`${outer}, and ${path}, which is a part of it, cannot be written together`),
      ]);
      expect((await server.get(`/api/${model}/${made.id}`, callers.ann)).document).toMatchObject(stored);
    });
  });

  test('names that begin alike are not parts of each other', async () => {
    const body = { 'size.low': 1, 'size.high.from': 2, 'meta.b': 3, 'meta.bb': 4 };
    const { id } = await makeOne(model);
    const answer = await server.put(`/api/${model}/${id}`, body, callers.ann);
    expect([answer.status, answer.document['size'], answer.document['meta']]).toEqual([
      200,
      { low: 1, high: { from: 2, to: 7 } },
      { b: 3, bb: 4 },
    ]);
  });
});
