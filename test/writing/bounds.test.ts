/** What update operators compute obeys the bounds of its path, by every way (docs/writing.md, "PATCH"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (options: string): string => `
  const { Schema } = require('mongoose');
  module.exports = new Schema({
    code: String,
    n: { type: Number, min: 0, max: 10 },
    free: Number,
    day: { type: Date, max: new Date('2020-01-01') },
    word: { type: String, enum: ['a', 'bb'], maxlength: 2 },
    long: String,
    tags: [{ type: String, enum: ['a', 'b'] }],
    lines: [{ qty: { type: Number, min: 1 } }],
    by: { type: Map, of: { type: Number, max: 5 } },
  }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, ${options} });`;

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({
    models: { 'part.js': model(''), 'kept.js': model('history: true'), 'saved.js': model('save_on_put: true') },
  });
  root = await makeRoot(server);
});

const before = { n: 3, free: 50, long: 'long', word: 'a', tags: ['a'], lines: [{ qty: 2 }], by: { x: 4 } };
const refused: readonly (readonly [update: object, path: string, kind: string])[] = [
  [{ $inc: { n: -4 } }, 'n', 'min'],
  [{ $inc: { n: 8, free: 1 } }, 'n', 'max'],
  [{ $mul: { n: 5 } }, 'n', 'max'],
  [{ $min: { n: -1 } }, 'n', 'min'],
  [{ $max: { n: 11 } }, 'n', 'max'],
  [{ $currentDate: { day: true } }, 'day', 'max'],
  [{ $inc: { 'lines.0.qty': -2 } }, 'lines.0.qty', 'min'],
  [{ $inc: { 'by.x': 2 } }, 'by.x', 'max'],
  [{ $set: { 'lines.0.qty': 0 } }, 'lines.0.qty', 'min'],
  [{ $set: { word: 'zz' } }, 'word', 'enum'],
  [{ $push: { tags: 'z' } }, 'tags.0', 'enum'],
  [{ $push: { tags: { $each: ['b', 'z'] } } }, 'tags.1', 'enum'],
  [{ $addToSet: { tags: 'z' } }, 'tags.0', 'enum'],
  [{ $push: { lines: { qty: 0 } } }, 'lines', 'min'],
];
const accepted: readonly object[] = [
  { $inc: { n: -3 } },
  { $inc: { n: 7, free: 1 } },
  { $mul: { n: 3 } },
  { $max: { n: 10 } },
  { $inc: { 'lines.0.qty': -1 } },
  { $inc: { 'by.x': 1 } },
  { $push: { tags: 'b' } },
];

type Send = (name: string, id: string, update: object) => Promise<Answer>;
const bulk =
  (kind: string): Send =>
  (name, id, update) =>
    server.post(`/bulkwrite/${name}`, [{ [kind]: { filter: { code: id }, update } }], root);
const ways: readonly (readonly [name: string, send: Send, faults: (answer: Answer) => unknown])[] = [
  ['PATCH', (name, id, body) => server.send('PATCH', `/api/${name}/${id}`, { body }), ({ body }) => body['errors']],
  ['updateOne', bulk('updateOne'), ({ body }) => body['errors']],
  ['updateMany', bulk('updateMany'), ({ body }) => body['errors']],
  [
    'a batch',
    (name, id, body) => server.post('/batch', { operations: [{ method: 'PATCH', path: `/api/${name}/${id}`, body }] }),
    ({ body }) => body['errors'],
  ],
];

/** The counts of a bulk write; undefined in other answers. */
const countsOf = ({ data }: Answer['body']): { readonly nModified?: number } | undefined =>
  data as { readonly nModified?: number } | undefined;

async function made(name: string, code?: string): Promise<string> {
  const id = String((await server.post(`/api/${name}`, before)).document['_id']);
  await server.put(`/api/${name}/${id}`, { code: code ?? id });
  return id;
}
const stored = async (name: string, id: string): Promise<unknown> => (await server.get(`/api/${name}/${id}`)).document;

describe.each(['part', 'kept', 'saved'])('a model: %s', (name) => {
  describe.each(ways)('%s', (_way, send, faults) => {
    test.each(refused)('%j is refused, and nothing is written', async (update, path, kind) => {
      const id = await made(name);
      const was = await stored(name, id);
      const answer = await send(name, id, update);
      expect([answer.status, faults(answer)]).toMatchObject([400, [{ kind }]]);
      const [fault] = faults(answer) as [{ path: string }];
      expect(fault.path.startsWith(path.split('.')[0] ?? '')).toBe(true);
      expect(await stored(name, id)).toEqual(was);
    });

    test.each(accepted)('%j is carried out', async (update) => {
      const id = await made(name);
      expect((await send(name, id, update)).status).toBe(200);
      expect(await stored(name, id)).not.toMatchObject(before);
    });
  });

  test('of twenty at once, no more are carried out than the bound allows', async () => {
    const id = await made(name);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (ways[n % ways.length] as (typeof ways)[number])[1](name, id, { $inc: { n: -1 } }),
      ),
    );
    // where a change loads and saves, one that others overtake is a 409 that may be sent again
    expect(answers.map(({ status }) => status).filter((status) => ![200, 400, 409, 503].includes(status))).toEqual([]);
    // `updateMany` leaves out what others change between its reading and its writing
    const done = answers.filter(({ status, body }) => status === 200 && countsOf(body)?.nModified !== 0).length;
    expect(await stored(name, id)).toMatchObject({ n: 3 - done });
    expect(done).toBeLessThanOrEqual(3);
  });
});
