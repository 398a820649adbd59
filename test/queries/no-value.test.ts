/** `null` in a query string is no value, on paths of every type; the text `null` is a member of a JSON list (docs/queries.md). */
import { beforeAll, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const values: Readonly<Record<string, unknown>> = {
  text: 'a',
  listed: 'full',
  count: 1,
  on: true,
  at: '2020-01-01',
  link_id: '6'.repeat(24),
  texts: ['a'],
  any: 'a',
  nested: { text: 'a' },
};
const paths = ['text', 'listed', 'count', 'on', 'at', 'link_id', 'any', 'nested.text'];

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      row: ({ Schema, ObjectId, Mixed }) =>
        new Schema(
          {
            name: String,
            text: String,
            listed: { type: String, enum: ['full', 'null'] },
            count: Number,
            on: Boolean,
            at: Date,
            link_id: ObjectId,
            texts: { type: [String], default: undefined },
            any: Mixed,
            nested: { text: String },
          },
          { perms: { all: 'crud' } },
        ),
    },
  });
  const nothing = Object.fromEntries(
    Object.keys(values).map((path) => [path, path === 'nested' ? { text: null } : null]),
  );
  await server.post('/api/row', { name: 'full', ...values });
  await server.post('/api/row', { name: 'missing' });
  await server.post('/api/row', { name: 'null', ...nothing });
  await server.post('/api/row', { name: 'text', text: 'null', listed: 'null', any: 'null', nested: { text: 'null' } });
});

const names = async (filter: string): Promise<readonly unknown[]> =>
  (await server.get(`/api/row?${filter}&sort=name`)).rows.map(({ name }) => name);

test.each(paths)('%s', async (path) => {
  const hasText = ['text', 'listed', 'any', 'nested.text'].includes(path);
  const without = hasText ? ['missing', 'null'] : ['missing', 'null', 'text'];
  const having = hasText ? ['full', 'text'] : ['full'];
  for (const none of ['=null', '=$eq:null', '=$in:null', '=$in:[null]', '[$in][]=null'])
    expect([none, await names(`filter[${path}]${none}`)]).toEqual([none, without]);
  for (const some of ['=$ne:null', '=$nin:null', '[$ne]=null'])
    expect([some, await names(`filter[${path}]${some}`)]).toEqual([some, having]);
  if (!hasText) return;
  expect(await names(`filter[${path}]=$in:["null"]`)).toEqual(['text']);
  expect(await names(`filter[${path}]=$nin:["null"]`)).toEqual(['full', ...without]);
  expect(await names(`filter[${path}]=$in:["null",null]`)).toEqual([...without, 'text']);
  expect(await names(`filter[${path}]=$in:[null,"null"]`)).toEqual([...without, 'text']);
  expect(await names(`filter[${path}]=$in:["full",null]`)).toEqual(path === 'listed' ? ['full', ...without] : without);
});
