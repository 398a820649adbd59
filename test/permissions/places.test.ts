/**
 * Letters of paths wherever the schema has a path: in lists of lists, in nested documents, in discriminators, and below names of digits,
 * which are not positions (docs/permissions.md, "Fields"). Where they could not hold, the start stops.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { type EventStream, listen } from '../support/event-stream.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let callers: Callers<'root' | 'ann'>;
let stream: EventStream;
let id: string;

const plan = `export default ({ Schema }) => {
  const hidden = { type: Number, perms: { admin: 'cru' } };
  const job = () => new Schema({ title: String, cost: { ...hidden, alias: 'price' } }, { _id: false, discriminatorKey: 'kind' });
  const plan = new Schema(
    {
      name: String,
      nested: [[job()]],
      deep: [[[job()]]],
      numbers: [[hidden]],
      parts: [job()],
      one: new Schema({ title: String, two: job() }, { _id: false }),
      years: { 2024: { ...hidden, alias: 'years.7' }, 2025: Number, 2026: { title: String, cost: hidden } },
      2027: new Schema({ title: String, cost: { ...hidden, alias: '8' } }, { _id: false }),
      map: { type: Map, of: Number, perms: { admin: 'cru' } },
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
  plan.path('parts').discriminator('more', new Schema({ extra: { ...hidden, alias: 'surplus' } }, { _id: false }));
  return plan;
};`;

/** The values that only admins read are 77. */
const document = {
  name: 'a',
  nested: [[{ title: 't', cost: 77 }]],
  deep: [[[{ title: 't', cost: 77 }]]],
  numbers: [[77]],
  parts: [
    { title: 't', cost: 77 },
    { kind: 'more', title: 't', extra: 77 },
  ],
  one: { title: 't', two: { title: 't', cost: 77 } },
  years: { 2024: 77, 2025: 1, 2026: { title: 't', cost: 77 } },
  2027: { title: 't', cost: 77 },
  map: { k: 77 },
};

beforeAll(async () => {
  server = await startServer({ models: { 'plan.ts': plan } });
  callers = await makeCallers(server, ['root', 'ann']);
  stream = await listen(`${server.url}/events/plan`, { 'x-api-key': callers.ann.apikey });
  const made = await server.post('/api/plan', document, callers.root);
  if (made.status !== 201) throw new Error(made.text);
  id = String(made.document['_id']);
});
afterAll(() => stream.close());

const stored = async (): Promise<unknown> => server.dossier.services.connection.collection('plans').findOne({});
const patch = (body: unknown, by: 'root' | 'ann', type = 'application/json'): Promise<Answer> =>
  server.send('PATCH', `/api/plan/${id}`, {
    body,
    headers: { ...callers[by].headers, 'content-type': type },
  });

describe('reading', () => {
  test('an admin sees all values', async () => {
    const { _id, ...answered } = (await server.get(`/api/plan/${id}`, callers.root)).document;
    expect(answered).toMatchObject(document);
  });

  const answers: readonly (readonly [string, () => Promise<Answer>])[] = [
    ['one', () => server.get(`/api/plan/${id}`, callers.ann)],
    ['a list', () => server.get('/api/plan', callers.ann)],
    ['chosen fields', () => server.get('/api/plan?fields=nested,deep,parts,one,years,2027', callers.ann)],
    ['a query', () => server.post('/query/plan', { query: {} }, callers.ann)],
    ['an aggregation', () => server.post('/aggregate/plan', [{ $match: {} }], callers.ann)],
    [
      'a projection',
      () => server.post('/aggregate/plan', [{ $project: { c: '$nested.cost', y: '$years' } }], callers.ann),
    ],
    ['CSV', () => server.get('/csv/plan', callers.ann)],
    ['the answer of a change', () => server.put(`/api/plan/${id}`, { name: 'a' }, callers.ann)],
  ];
  test.each(answers)('%s lacks what the caller may not read', async (_, ask) => {
    const { status, text } = await ask();
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(text).not.toMatch(/\b77\b/);
    expect(text).not.toMatch(/\bcost\b|\bprice\b|\bextra\b|\b2024\b|map/);
  });

  test('so do events and descriptions', async () => {
    await stream.until(1);
    expect(JSON.stringify(stream.received)).not.toMatch(/\b77\b|\bcost\b/);
    for (const path of ['/openapi.json', '/model/plan', '/model/plan/rights'])
      expect((await server.get(path, callers.ann)).text).not.toMatch(
        /"cost"|\.cost"|"price"|"extra"|"2024"|years\.2024/,
      );
    expect((await server.get('/openapi.json', callers.root)).text).toMatch(/"cost"/);
  });

  const names = [
    ...[
      'nested.cost',
      'nested.0.cost',
      'nested.0.0.cost',
      'nested.0.0.price',
      'deep.0.0.0.cost',
      'numbers',
      'numbers.0.0',
    ],
    ...['parts.cost', 'parts.0.extra', 'parts.0.surplus', 'one.two.cost', 'one.two.price', 'years.2024', 'years.7'],
    ...['years.2026.cost', '2027.cost', '2027.8', 'map', 'map.k', 'map.5'],
  ];
  const asks: readonly (readonly [string, (name: string) => Promise<Answer>])[] = [
    ['filter', (name) => server.get(`/api/plan?filter[${name}]=77`, callers.ann)],
    ['sort', (name) => server.get(`/api/plan?sort=${name}`, callers.ann)],
    ['query', (name) => server.post('/query/plan', { query: { [name]: { $exists: true } } }, callers.ann)],
    ['leading $match', (name) => server.post('/aggregate/plan', [{ $match: { [name]: 77 } }], callers.ann)],
    ['distinct', (name) => server.get(`/distinct/plan/${name}`, callers.ann)],
  ];
  test.each(asks)('a path that the caller may not read is unknown in a %s', async (_, ask) => {
    for (const name of names) expect([name, (await ask(name)).status]).toEqual([name, 400]);
  });

  test('names of digits that have no letters are found as any other', async () => {
    for (const name of ['years.2025', 'years.2026.title', '2027.title']) {
      const value = name === 'years.2025' ? 1 : 't';
      expect((await server.get(`/api/plan?filter[${name}]=${value}`, callers.ann)).rows).toHaveLength(1);
      expect((await server.get(`/distinct/plan/${name}`, callers.ann)).rows).toEqual([{ value, count: 1 }]);
    }
  });
});

describe('writing', () => {
  const changes: readonly (readonly [Document, string])[] = [
    [{ 'nested.0.0.cost': 1 }, 'nested.0.0.cost'],
    [{ 'nested.0.0.price': 1 }, 'nested.0.0.cost'],
    [{ 'nested.0.0': { title: 'x' } }, 'nested.0.0'],
    [{ 'nested.0': [] }, 'nested.0'],
    [{ nested: [] }, 'nested'],
    [{ 'deep.0.0.0.price': 1 }, 'deep.0.0.0.cost'],
    [{ numbers: [[1]] }, 'numbers'],
    [{ 'numbers.0.0': 1 }, 'numbers.0.0'],
    [{ 'parts.1.surplus': 1 }, 'parts.1.extra'],
    [{ 'one.two.price': 1 }, 'one.two.cost'],
    [{ one: { title: 'x' } }, 'one'],
    [{ 'years.2024': 1 }, 'years.2024'],
    [{ 'years.7': 1 }, 'years.2024'],
    [{ 'years.2026': { title: 'x' } }, 'years.2026'],
    [{ years: {} }, 'years'],
    [{ '2027': { title: 'x' } }, '2027'],
    [{ '2027.8': 1 }, '2027.cost'],
    [{ 'map.k': 1 }, 'map.k'],
    [{ 'map.5': 1 }, 'map.5'],
  ];
  test.each(changes)('%j is refused everywhere, naming %s', async (body, path) => {
    const before = await stored();
    const update = [{ updateOne: { filter: { _id: id }, update: { $set: body } } }];
    const answers = [
      await patch(body, 'ann'),
      await server.put(`/api/plan/${id}`, body, callers.ann),
      await server.put(`/update/plan/${id}`, body, callers.ann),
      await server.post('/bulkwrite/plan', update, callers.ann),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([403, expect.objectContaining({ errors: [expect.objectContaining({ path })] })]);
    expect(await stored()).toEqual(before);
  });

  const operators: readonly Document[] = [
    { $inc: { 'nested.0.0.cost': 1 } },
    { $push: { 'nested.0': { title: 'x' } } },
    { $unset: { 'nested.0': 1 } },
    { $pop: { nested: 1 } },
    { $pull: { 'nested.0': { price: { $gt: 1 } } } },
    { $rename: { 'years.2024': 'years.2025' } },
    { $rename: { 'years.2025': 'years.7' } },
    { $min: { 'years.7': 1 } },
    { $set: { 'nested.$[].$[].cost': 1 } },
    { $set: { 'nested.$[].0.price': 1 } },
  ];
  test.each(operators)('%j is refused', async (update) => {
    const before = await stored();
    expect([400, 403]).toContain((await patch(update, 'ann')).status);
    const operation = [{ updateOne: { filter: { _id: id }, update } }];
    expect([400, 403]).toContain((await server.post('/bulkwrite/plan', operation, callers.ann)).status);
    expect(await stored()).toEqual(before);
  });

  const patches: readonly (readonly Document[])[] = [
    [{ op: 'replace', path: '/nested/0/0/cost', value: 1 }],
    [{ op: 'test', path: '/nested/0/0/cost', value: 77 }],
    [{ op: 'copy', from: '/nested/0/0/cost', path: '/name' }],
    [{ op: 'move', from: '/years/2024', path: '/years/2025' }],
    [{ op: 'copy', from: '/years/2024', path: '/years/2025' }],
    [{ op: 'copy', from: '/years/2025', path: '/years/2024' }],
    [{ op: 'copy', from: '/2027/cost', path: '/years/2025' }],
  ];
  test.each(patches)('so is the JSON Patch %j', async (operation) => {
    const before = await stored();
    expect([400, 403, 409]).toContain((await patch([operation], 'ann', 'application/json-patch+json')).status);
    expect(await stored()).toEqual(before);
  });

  test('a copy of an object leaves out what the caller may not read', async () => {
    const operations = [{ op: 'copy', from: '/years/2026/title', path: '/name' }];
    expect((await patch(operations, 'ann', 'application/json-patch+json')).document).toMatchObject({ name: 't' });
  });

  const created: readonly Document[] = [
    { nested: [[{ price: 1 }]] },
    { deep: [[[{ cost: 1 }]]] },
    { numbers: [[1]] },
    { parts: [{ kind: 'more', surplus: 1 }] },
    { one: { two: { price: 1 } } },
    { years: { 7: 1 } },
    { years: { 2026: { cost: 1 } } },
    { 2027: { 8: 1 } },
    { map: { k: 1 } },
  ];
  test.each(created)('only an admin creates %j', async (body) => {
    expect((await server.post('/api/plan', body, callers.ann)).status).toBe(403);
    const inserted = await server.post('/bulkwrite/plan', [{ insertOne: { document: body } }], callers.ann);
    expect(inserted.status).toBe(403);
    expect((await server.post('/api/plan', body, callers.root)).status).toBe(201);
  });

  test('who may write changes them', async () => {
    const body = { 'nested.0.0.price': 78, 'years.7': 78, '2027.8': 78 };
    expect((await patch(body, 'root')).status).toBe(200);
    expect(await stored()).toMatchObject({
      nested: [[{ cost: 78 }]],
      years: { 2024: 78 },
      2027: { cost: 78 },
    });
    for (const free of [{ 'nested.0.0.title': 'x' }, { 'years.2025': 2 }, { '2027.title': 'x' }])
      expect((await patch(free, 'ann')).status).toBe(200);
  });
});

describe('the start stops for letters', () => {
  const model = (fields: string, more = ''): string => `export default ({ Schema }) => {
  const hidden = { type: Number, perms: { admin: 'cru' } };
  const inner = new Schema({ cost: hidden });
  const plan = new Schema({ ${fields} }, { perms: { user: 'crud' } });
  ${more}
  return plan;
};`;
  const map = /plan\.ts: m\.\$\*(\.\$\*)?(\.cost)? is in a map, where a field has no perms: set perms on m$/;
  test.each([
    ['in a map of documents', model('m: { type: Map, of: inner }'), map],
    ['in a map of lists', model('m: { type: Map, of: [inner] }'), map],
    ['in a map of lists of lists', model('m: { type: Map, of: [[inner]] }'), map],
    ['in a map of maps', model('m: { type: Map, of: { type: Map, of: inner } }'), map],
    ['in a list of maps', model('m: [{ type: Map, of: inner }]'), map],
    ['of the values of a map', model('m: { type: Map, of: hidden }'), map],
    [
      'in a union',
      model(`u: { type: 'Union', of: [Number, inner] }`),
      /plan\.ts: u\.cost is in a union, where a field has no perms: set perms on u$/,
    ],
    [
      'below a name of digits in a list',
      model('l: [new Schema({ 7: inner })]'),
      /plan\.ts: perms of l\.7\.cost: digits in a list are a position/,
    ],
    [
      'that a discriminator declares differently',
      model('cost: hidden', `plan.discriminator('x', new Schema({ cost: { type: Number, perms: { user: 'r' } } }));`),
      /plan\.ts: perms of cost are declared twice and differ/,
    ],
  ])('%s', async (_, file, reason) => {
    await expect(startServer({ models: { 'plan.ts': file } })).rejects.toThrow(reason);
  });
});
