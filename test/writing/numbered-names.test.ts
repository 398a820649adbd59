/** Names of digits, such as years, are names in every write, and numbers after lists are positions. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const plan = (code = ''): string => `export default ({ Schema }) => {
  const part = new Schema({ site: String, 5: Number }, { _id: false });
  const inner = new Schema({ 3: { 4: { site: String } }, 4: String }, { _id: false });
  const plan = new Schema(
    {
      plain: { 7: { site: String } },
      2024: { years: { 7: { site: String, 9: Number } }, list: [part], 5: part },
      list: [{ name: String, 8: { site: String }, years: { 7: { site: String } } }],
      2030: [part],
      one: inner,
      missing: inner,
      grid: [[inner]],
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
  ${code}
  return plan;
};`;

const document = {
  plain: { 7: { site: 'a' } },
  2024: { years: { 7: { site: 'a', 9: 1 } }, list: [{ site: 'a' }], 5: { site: 'a' } },
  list: [{ years: { 7: { site: 'a' } } }],
  2030: [{ site: 'a' }],
  one: { 3: { 4: { site: 'a' } } },
  grid: [[{ 3: { 4: { site: 'a' } } }]],
};

const models = ['plan', 'hooked'] as const;
let server: TestServer;
let callers: Callers<'ann'>;
/** Ids of documents that no test has changed, by model. */
const fresh: Record<string, string[]> = {};

beforeAll(async () => {
  const middleware = "plan.pre('updateOne', () => {}); plan.pre('findOneAndUpdate', () => {});";
  server = await startServer({ models: { 'plan.ts': plan(), 'hooked.ts': plan(middleware) } });
  callers = await makeCallers(server, ['ann']);
  const inserts = writes.flatMap(() => values.map(() => ({ insertOne: { document } })));
  for (const model of models) {
    const { document: first } = await server.post(`/api/${model}`, document, callers.ann);
    const { body } = await server.post(`/bulkwrite/${model}`, inserts.slice(1), callers.ann);
    const { insertedIds } = body['data'] as { insertedIds: Readonly<Record<string, string>> };
    fresh[model] = [String(first['_id']), ...Object.values(insertedIds)];
  }
});

type Write = (path: string, id: string, body: object) => Promise<Answer>;

const writes: readonly (readonly [string, Write])[] = [
  [
    'PATCH',
    (model, id, body) => {
      const headers = { ...callers.ann.headers, 'content-type': 'application/json' };
      return server.send('PATCH', `/api/${model}/${id}`, { body, headers });
    },
  ],
  ['PUT', (model, id, body) => server.put(`/api/${model}/${id}`, body, callers.ann)],
  ['PUT /update', (model, id, body) => server.put(`/update/${model}/${id}`, body, callers.ann)],
  [
    'POST /bulkwrite',
    (model, id, body) =>
      server.post(`/bulkwrite/${model}`, [{ updateOne: { filter: { _id: id }, update: { $set: body } } }], callers.ann),
  ],
];

const values: readonly (readonly [string, unknown])[] = [
  ['plain.7.site', 'x'],
  ['2024.years.7.site', 'x'],
  ['2024.years.7.9', 4],
  ['2024.years', { 7: { site: 'x' } }],
  ['2024.list.0.site', 'x'],
  ['2024.5.site', 'x'],
  ['2024.5.5', 5],
  ['list.0.8.site', 'x'],
  ['list.0.years.7.site', 'x'],
  ['list.2.years.7.site', 'x'],
  ['2030.0.site', 'x'],
  ['2030.0.5', 3],
  ['one.3.4.site', 'x'],
  ['missing.3.4.site', 'x'],
  ['missing.4', 'x'],
  ['grid.0.0.3.4.site', 'x'],
];

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], value);

describe.each(writes)('%s', (_, write) => {
  test.each(values)('sets %s', async (path, value) => {
    for (const model of models) {
      const id = fresh[model]?.pop() ?? '';
      const { status, text } = await write(model, id, { [path]: value });
      expect([status, text]).toEqual([200, expect.any(String)]);
      const answered = (await server.get(`/api/${model}/${id}`, callers.ann)).document;
      expect(valueAt(answered, path)).toEqual(value);
    }
  });
});
