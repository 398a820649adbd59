/**
 * Each update operator works on paths of a fitting type, and is a 400 elsewhere: never a 500, nor a value that the schema does not
 * allow.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Body = Record<string, unknown>;

const fields = `{
  n: Number,
  s: String,
  on: Boolean,
  at: Date,
  nums: [Number],
  dates: [Date],
  sub: { x: Number },
  one: new Schema({ q: Number }),
  items: [{ q: Number, names: [String] }],
  map: { type: Map, of: Number },
  parts: { type: Map, of: new Schema({ q: Number }) },
  other_id: { type: Schema.ObjectId, link: 'part' },
  free: Schema.Types.Mixed,
}`;
const options = `{ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, discriminatorKey: 'kind' }`;

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({
    models: {
      'part.cjs': `const { Schema } = require('mongoose');
module.exports = new Schema(${fields}, ${options});`,
      'piece.cjs': `const { Schema } = require('mongoose');
module.exports = new Schema({}, ${options});
module.exports.discriminator('whole', new Schema(${fields}), 'whole');`,
    },
  });
  root = await makeRoot(server);
});

const full: Body = {
  n: 1,
  s: 'a',
  on: true,
  at: '2020-01-01T00:00:00.000Z',
  nums: [1, 2, 3],
  dates: ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
  sub: { x: 1 },
  one: { q: 1 },
  items: [{ q: 1, names: ['a', 'b'] }, { q: 5 }],
  map: { k: 1 },
  parts: { k: { q: 1 } },
  free: [1, 2, { a: 1 }],
};

const scalars = ['n', 's', 'on', 'at', 'other_id', 'nums.0', 'sub.x', 'one.q', 'items.0.q', 'map.k'];
const lists = ['nums', 'dates', 'items', 'items.0.names'];
const documents = ['sub', 'one', 'items.0', 'map', 'parts', 'parts.k'];
const each = (name: string, paths: readonly string[], value: unknown): Body[] =>
  paths.map((path) => ({ [name]: { [path]: value } }));
const without = (...paths: string[]): string[] => scalars.filter((path) => !paths.includes(path));
const numbers = ['n', 'nums.0', 'sub.x', 'one.q', 'items.0.q', 'map.k'];

describe.each([
  ['part', 'fields of all documents', {}],
  ['piece', 'fields of a kind', { kind: 'whole' }],
])('in a %s, with %s,', (model, _fields, kind) => {
  const made = async (values: Body): Promise<string> =>
    String((await server.post(`/api/${model}`, { ...kind, ...values })).document['_id']);
  const shown = async (id: string): Promise<Body> => (await server.get(`/api/${model}/${id}`)).document;
  const change = (id: string, update: Body): ReturnType<TestServer['post']> =>
    server.post(`/bulkwrite/${model}`, [{ updateOne: { filter: { _id: id }, update } }], root);

  describe.each([
    ['with all fields', full],
    ['without fields', {}],
  ])('of a document %s', (_what, stored) => {
    let id: string;
    let before: unknown;
    beforeAll(async () => {
      id = await made(stored);
      before = await shown(id);
    });

    test.each<Body>([
      ...each('$inc', [...without(...numbers), ...lists, ...documents], 1),
      ...each('$mul', [...without(...numbers), ...lists, ...documents], 2),
      ...each('$currentDate', [...without('at'), ...lists, ...documents], true),
      { $currentDate: { at: { $type: 'timestamp' } } },
      ...['$push', '$addToSet', '$pull'].flatMap((name) => each(name, [...scalars, ...documents], 1)),
      ...each('$pop', [...scalars, ...documents], 1),
      ...['$push', '$addToSet'].flatMap((name) => each(name, ['map', 'parts', 'one', 's'], { $each: [{ q: 1 }] })),
      ...['$min', '$max'].flatMap((name) => [
        ...each(name, [...scalars, ...lists, ...documents], { x: 1 }),
        ...each(name, [...scalars, 'items', 'sub', 'map'], [1]),
        ...each(name, [...lists, ...documents], 1),
        ...each(name, without('s'), 'text'),
      ]),
      ...each('$pull', ['items', 'nums'], [{ q: 1 }]),
      ...each('$pull', ['items'], 5),
      ...each('$pull', ['nums', 'dates'], { q: 1 }),
      { $pull: { nums: { $gte: 'x' } } },
      { $pull: { nums: { $where: '1' } } },
      { $pull: { items: { $or: [] } } },
    ])('%j is refused', async (update) => {
      const { status, text } = await change(id, update);
      expect({ status, text }).toMatchObject({ status: 400 });
      expect(text).not.toMatch(/Cast to|cannot read/i);
      expect(await shown(id)).toEqual(before);
    });
  });

  test.each<[update: Body, then: Body]>([
    [{ $inc: { n: 1, 'nums.0': 1, 'map.k': 1, 'items.0.q': 1 } }, { n: 2, nums: [2, 2, 3], map: { k: 2 } }],
    [{ $mul: { 'sub.x': 3 } }, { sub: { x: 3 } }],
    [{ $min: { n: 0, s: 'A', at: '2019-01-01' } }, { n: 0, s: 'A', at: '2019-01-01T00:00:00.000Z' }],
    [{ $max: { n: '7', on: false, 'one.q': 9 } }, { n: 7, on: true, one: { q: 9 } }],
    [{ $max: { free: 0 } }, { free: [1, 2, { a: 1 }] }],
    [{ $push: { nums: 4, free: { b: 1 } } }, { nums: [1, 2, 3, 4], free: [1, 2, { a: 1 }, { b: 1 }] }],
    [{ $addToSet: { 'items.0.names': { $each: ['b', 'c'] } } }, { items: [{ names: ['a', 'b', 'c'] }, { q: 5 }] }],
    [{ $pop: { nums: 1, dates: -1 } }, { nums: [1, 2], dates: ['2021-01-01T00:00:00.000Z'] }],
    [{ $pull: { nums: 2 } }, { nums: [1, 3] }],
    [{ $pull: { nums: { $gte: 2 } } }, { nums: [1] }],
    [{ $pull: { nums: { $gt: 1, $lt: 3 } } }, { nums: [1, 3] }],
    [{ $pull: { nums: { $in: [1, 3] } } }, { nums: [2] }],
    [{ $pull: { nums: { $nin: [1, 3] } } }, { nums: [1, 3] }],
    [{ $pull: { nums: { $ne: 3 } } }, { nums: [3] }],
    [{ $pull: { dates: { $lt: '2020-06-01' } } }, { dates: ['2021-01-01T00:00:00.000Z'] }],
    [{ $pull: { items: { q: 5 } } }, { items: [{ q: 1 }] }],
    [{ $pull: { items: { q: { $gte: 1 }, names: 'a' } } }, { items: [{ q: 5 }] }],
    [{ $pull: { items: { $or: [{ q: 1 }, { q: { $in: [5, 6] } }] } } }, { items: [] }],
    [{ $pull: { 'items.0.names': { $regex: '^a' } } }, { items: [{ names: ['b'] }, { q: 5 }] }],
    [{ $pull: { free: 1 } }, { free: [2, { a: 1 }] }],
    [{ $pull: { free: { a: 1 } } }, { free: [1, 2] }],
  ])('%j changes the document', async (update, then) => {
    const id = await made(full);
    const { status, text } = await change(id, update);
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(await shown(id)).toMatchObject(then);
  });

  test('$currentDate sets the current time in a date and in a free-form field', async () => {
    const id = await made({});
    expect((await change(id, { $currentDate: { at: { $type: 'date' }, free: true } })).status).toBe(200);
    const { at, free } = await shown(id);
    for (const time of [at, free]) expect(Math.abs(Date.now() - Date.parse(String(time)))).toBeLessThan(60_000);
  });
});
