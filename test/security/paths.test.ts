/** Long and deep paths in every part of a request: a 400 that names the limit, never a 500 and never a long wait. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operatorRows } from '../../src/query/operators.ts';
import { stageRows } from '../../src/query/stages.ts';
import { updateRows } from '../../src/query/updates.ts';
import type { Answer } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = `import { Schema } from 'mongoose';
const { Mixed } = Schema.Types;
export default new Schema(
  { title: String, n: Number, sub: { a: String }, list: [{ a: String }], meta: Mixed, map: { type: Map, of: Mixed } },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
);`;

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startServer({ models: { thing: model } });
  id = String((await server.post('/api/thing', { title: 'first', meta: { x: 1 } })).document['_id']);
});

const names = (count: number): string => `a${'.a'.repeat(count - 1)}`;
/** The first names of paths: free-form, a document in a list, and a name that the schema does not have. */
const roots = ['meta', 'list.0', 'nosuch'];
/** From 101 names or 501 characters on, paths are refused. */
const shapes = [
  ['100 names', (root: string) => `${root}.${names(100 - root.split('.').length)}`, false],
  ['101 names', (root: string) => `${root}.${names(101 - root.split('.').length)}`, true],
  ['200 names', (root: string) => `${root}.${names(200)}`, true],
  ['501 characters', (root: string) => `${root}.${'b'.repeat(500 - root.length)}`, true],
  ['100,000 names', (root: string) => `${root}.${names(100_000)}`, true],
] as const;

type Ask = (path: string) => Promise<Answer>;
const get =
  (path: (encoded: string) => string): Ask =>
  (given) =>
    server.get(path(encodeURIComponent(given)));
const bulk =
  (operation: (path: string) => object): Ask =>
  (path) =>
    server.post('/bulkwrite/thing', [operation(path)]);
const stage =
  (made: (path: string) => object): Ask =>
  (path) =>
    server.post('/aggregate/thing', [made(path)]);
const update = (change: object): object => ({ updateOne: { filter: { title: 'first' }, update: change } });
const operands: Readonly<Record<string, unknown>> = { date: true, end: 1, path: 'n' };
const joined = { from: 'thing', as: 'x' };
const graph = { ...joined, startWith: '$_id', connectFromField: '_id', connectToField: '_id' };

/** Another rule limits URLs to 16 KB. */
const byAddress: Readonly<Record<string, Ask>> = {
  filter: get((path) => `/api/thing?filter[${path}]=1`),
  sort: get((path) => `/api/thing?sort=${path}`),
  fields: get((path) => `/api/thing?fields=${path}`),
  'fields to leave out': get((path) => `/api/thing?fields=-${path}`),
  search: get((path) => `/api/thing?search[${path}]=x`),
  populate: get((path) => `/api/thing?populate=${path}`),
  CSV: get((path) => `/csv/thing?fields=${path}`),
};
const byBody: Readonly<Record<string, Ask>> = {
  PUT: (path) => server.put(`/api/thing/${id}`, { [path]: 1 }),
  'PUT of a deep value': (path) =>
    server.put(`/api/thing/${id}`, { [path]: JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`) }),
  '/update': (path) => server.put(`/update/thing/${id}`, { [path]: 1 }),
  '/query': (path) => server.post('/query/thing', { query: { [path]: 1 } }),
  ...Object.fromEntries(
    operatorRows
      .filter(({ operand }) => operand !== 'options')
      .map(({ name, operand }) => [
        `/query ${name}`,
        (path: string) =>
          server.post('/query/thing', {
            query:
              operand === 'filters'
                ? { [name]: [{ [path]: 1 }] }
                : { [path]: { [name]: filterOperands[operand] ?? 1 } },
          }),
      ]),
  ),
  'a bulk filter': bulk((path) => ({ updateOne: { filter: { [path]: 1 }, update: { n: 1 }, upsert: true } })),
  ...Object.fromEntries(
    updateRows.map(({ name, operand }) => [
      `a bulk ${name}`,
      bulk((path) => update({ [name]: { [path]: operands[operand] ?? 1 } })),
    ]),
  ),
  'a bulk $rename to it': bulk((path) => update({ $rename: { 'meta.x': path } })),
  'a bulk $push $sort': bulk((path) => update({ $push: { list: { $each: [{ a: 'x' }], $sort: { [path]: 1 } } } })),
  $match: stage((path) => ({ $match: { [path]: 1 } })),
  $project: stage((path) => ({ $project: { [path]: 1 } })),
  'an expression': stage((path) => ({ $project: { x: `$${path}` } })),
  'a variable': stage((path) => ({ $project: { x: `$$ROOT.${path}` } })),
  $addFields: stage((path) => ({ $addFields: { [path]: 1 } })),
  $set: stage((path) => ({ $set: { [path]: 1 } })),
  $unset: stage((path) => ({ $unset: path })),
  $sort: stage((path) => ({ $sort: { [path]: 1 } })),
  $unwind: stage((path) => ({ $unwind: `$${path}` })),
  $count: stage((path) => ({ $count: path })),
  $group: stage((path) => ({ $group: { _id: `$${path}` } })),
  $lookup: stage((path) => ({ $lookup: { ...joined, localField: path, foreignField: path } })),
  $graphLookup: stage((path) => ({ $graphLookup: { ...graph, connectToField: path } })),
  restrictSearchWithMatch: stage((path) => ({ $graphLookup: { ...graph, restrictSearchWithMatch: { [path]: 1 } } })),
  $densify: stage((path) => ({ $densify: { field: path, range: { step: 1, bounds: 'full' } } })),
  $fill: stage((path) => ({ $fill: { output: { [path]: { value: 1 } } } })),
};
const filterOperands: Readonly<Record<string, unknown>> = {
  list: [1],
  switch: true,
  pattern: 'x',
  modulo: [2, 0],
  type: 'string',
  condition: { $eq: 1 },
  element: { $eq: 1 },
};

describe.each(shapes)('%s', (_name, made, refused) => {
  test.each(Object.keys({ ...byAddress, ...byBody }))('%s', async (name) => {
    const ask = { ...byAddress, ...byBody }[name] as Ask;
    for (const root of roots) {
      const path = made(root);
      if (name in byAddress && path.length > 15_000) continue;
      const { status, text } = await ask(path);
      expect([root, status, text]).toEqual([root, expect.any(Number), expect.any(String)]);
      expect(status).toBeLessThan(500);
      // the field of $densify is a text that only the database reads as a path
      if (refused && name !== '$densify') expect([root, status]).toEqual([root, 400]);
    }
  });
});

test('a path and a value together do not nest a document deeper than the limit', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) as object;
  const { status, body } = await server.put(`/api/thing/${id}`, { [`meta.${names(50)}`]: deep });
  expect([status, body['err']]).toEqual([400, 'a document must have at most 100 levels']);
});

test('every stage that takes a path is tested', () => {
  const tried = Object.keys(byBody).join();
  for (const { name, operand } of stageRows)
    if (['sort', 'name', 'names', 'unwind', 'lookup', 'graph', 'filter'].includes(operand))
      expect(tried).toContain(name);
});
