/** What update operators compute obeys the bounds of its path, by every way (docs/writing.md, "PATCH"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (name: string, options: string): string => `
  const mongoose = require('mongoose');
  const { Schema } = mongoose;
  const count = { type: Number, max: 5 };
  const schema = new Schema({
    code: String,
    n: { type: Number, min: 0, max: 10 },
    free: Number,
    day: { type: Date, max: new Date('2020-01-01') },
    word: { type: String, enum: ['a', 'bb'], maxlength: 2 },
    long: String,
    tags: [{ type: String, enum: ['a', 'b'] }],
    lines: [{ qty: { type: Number, min: 1 } }],
    by: { type: Map, of: count },
    nest: { by: { type: Map, of: count } },
    lists: { type: Map, of: [count] },
    parts: { type: Map, of: new Schema({ qty: { type: Number, min: [1, 'at least {MIN}, not {VALUE}'] } }, { _id: false }) },
    grid: [[count]],
  }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, discriminatorKey: 'sort', ${options} });
  schema.discriminator('${name}Box', new Schema({ size: { type: Number, min: 0 }, sizes: [count] }), 'box');
  schema.discriminator('${name}Bag', new Schema({ size: { type: Number, min: -10 } }), 'bag');
  module.exports = mongoose.model('${name}', schema);`;

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({
    models: {
      'part.js': model('part', ''),
      'kept.js': model('kept', 'history: true'),
      'saved.js': model('saved', 'save_on_put: true'),
    },
  });
  root = await makeRoot(server);
});

const before = {
  ...{ n: 3, free: 50, long: 'long', word: 'a', tags: ['a'], lines: [{ qty: 2 }], by: { x: 4 } },
  ...{ grid: [[1]], parts: { x: { qty: 2 } }, sort: 'box', size: 2, sizes: [1] },
};
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
  [{ $min: { word: 'A' } }, 'word', 'enum'],
  [{ $max: { 'tags.0': 'z' } }, 'tags.0', 'enum'],
  [{ $inc: { 'by.new': 6 } }, 'by.new', 'max'],
  [{ $set: { by: { x: 9 } } }, 'by.x', 'max'],
  [{ $set: { nest: { by: { x: 9 } } } }, 'nest.by.x', 'max'],
  [{ $set: { lists: { x: [1, 9] } } }, 'lists.x.1', 'max'],
  [{ $set: { parts: { y: { qty: 0 } } } }, 'parts.y.qty', 'min'],
  [{ $inc: { 'parts.x.qty': -2 } }, 'parts.x.qty', 'min'],
  [{ $push: { grid: [9] } }, 'grid.1.0', 'max'],
  [{ $inc: { 'grid.0.0': 9 } }, 'grid.0.0', 'max'],
];
/** Fields that one kind of documents has, which is known where a filter names the document by its id. */
const refusedOfKind: typeof refused = [
  [{ $inc: { size: -3 } }, 'size', 'min'],
  [{ $inc: { 'sizes.0': 5 } }, 'sizes.0', 'max'],
];
const accepted: readonly object[] = [
  { $inc: { n: -3 } },
  { $inc: { n: 7, free: 1 } },
  { $mul: { n: 3 } },
  { $max: { n: 10 } },
  { $inc: { 'lines.0.qty': -1 } },
  { $inc: { 'by.x': 1 } },
  { $push: { tags: 'b' } },
  { $set: { by: { y: 5 } } },
  { $push: { grid: [5] } },
];

type Send = (name: string, id: string, update: object) => Promise<Answer>;
const bulk =
  (kind: string): Send =>
  (name, id, update) =>
    server.post(
      `/bulkwrite/${name}`,
      [{ [kind]: { filter: kind === 'updateOne' ? { _id: id } : { code: id }, update } }],
      root,
    );
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
  describe.each(ways)('%s', (way, send, faults) => {
    // history changes how a write is committed, and not what is refused
    test.each(name === 'kept' ? refused.filter((_, at) => at % 4 === 0) : refused)(
      '%j is refused, and nothing is written',
      async (update, path, kind) => {
        const id = await made(name);
        const was = await stored(name, id);
        const answer = await send(name, id, update);
        expect([answer.status, faults(answer)]).toMatchObject([400, [{ kind }]]);
        const [fault] = faults(answer) as [{ path: string }];
        expect(fault.path.startsWith(path.split('.')[0] ?? '')).toBe(true);
        expect(await stored(name, id)).toEqual(was);
      },
    );

    test.each(refusedOfKind)('%j of a kind is refused, and nothing is written', async (update, path, kind) => {
      const id = await made(name);
      const answer = await send(name, id, update);
      // what changes many documents does not know their kinds
      const fault = way === 'updateMany' ? { path, kind: 'path' } : { path, kind };
      expect([answer.status, faults(answer)]).toMatchObject([400, [fault]]);
      expect(await stored(name, id)).toMatchObject(before);
    });

    test.each(accepted)('%j is carried out', async (update) => {
      const id = await made(name);
      expect((await send(name, id, update)).status).toBe(200);
      expect(await stored(name, id)).not.toMatchObject(before);
    });
  });

  test.each(ways)('of twenty at once by %s, ten are a 400', async (_way, send, faults) => {
    const id = await made(name);
    await server.put(`/api/${name}/${id}`, { n: 10 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(name, id, { $inc: { n: -1 } })));
    expect(answers.filter(({ status }) => status !== 200 && status !== 400).map(({ body }) => body)).toEqual([]);
    const refusals = answers.filter(({ status }) => status === 400);
    expect(refusals.map(faults)).toMatchObject(Array.from({ length: 10 }, () => [{ path: 'n', kind: 'min' }]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await stored(name, id)).toMatchObject({ n: 0 });
  });

  test.each([
    [{ $inc: { n: -1 } }, [{ path: 'n', kind: 'min', message: 'n must be at least 0, got -1' }]],
    [{ $inc: { n: 2 } }, undefined],
    [{ $set: { parts: { x: { qty: 0 } } } }, [{ path: 'parts.x.qty', kind: 'min', message: 'at least 1, not 0' }]],
  ])('an upsert by %j', async (update, errors) => {
    const filter = { code: `${name} ${JSON.stringify(update)}` };
    const { status, body } = await server.post(
      `/bulkwrite/${name}`,
      [{ updateOne: { filter, update, upsert: true } }],
      root,
    );
    expect([status, body['errors']]).toEqual([errors === undefined ? 200 : 400, errors]);
    const { body: found } = await server.get(`/api/${name}?filter[code]=${encodeURIComponent(filter.code)}`);
    expect(found['data']).toHaveLength(errors === undefined ? 1 : 0);
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

// where documents are loaded and saved, Mongoose validates all of their paths
describe.each(['part', 'kept'])('a model: %s, with values that are out of bounds', (name) => {
  test.each(ways)('other changes are carried out: %s', async (_way, send) => {
    const id = await made(name);
    const values = { n: 50, by: { x: 9, y: 1 }, grid: [[9]] };
    await server.dossier.services.connection.collection(`${name}s`).updateOne({ code: id }, { $set: values });
    const done = [
      { $inc: { free: 1 } },
      { $set: { long: 'x' } },
      { $max: { n: 5 }, $inc: { free: 1 } },
      { $inc: { 'by.y': 1 } },
    ];
    for (const update of done)
      expect([update, (await send(name, id, update)).body]).toMatchObject([update, { status: 'ok' }]);
    expect((await send(name, id, { $inc: { n: 1 } })).status).toBe(400);
    expect(await stored(name, id)).toMatchObject({ ...values, by: { x: 9, y: 2 }, free: 52, long: 'x' });
  });
});
