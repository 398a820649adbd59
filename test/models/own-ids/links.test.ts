/** Links between documents with ids of one's own, in both directions (docs/models.md, "Ids of your own"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { type Callers, openPeople } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { idCases, modelsWith } from './types.ts';

type Json = Record<string, unknown>;

const encoded = (id: unknown): string => encodeURIComponent(String(id));

/** A model whose rows are computed. */
const crateOf = (type: string): string => `module.exports = ({ Schema }) => {
  const schema = new Schema({ name: String, item_id: { type: ${type}, link: 'item', reverse: 'crates' }, item_ids: { type: [{ type: ${type}, ref: 'item' }], map_to: 'items' } },
    { perms: { all: 'r', user: 'crud' } });
  schema.virtual('loud').get(function () { return this.name + '!'; });
  return schema;
};`;

describe.each(idCases)('$name', ({ type, ids, free, same, rule, refused }) => {
  const [first, second, third] = ids;
  let server: TestServer;
  let callers: Callers<'root' | 'ann'>;
  let part: string;
  const make = (model: string, body: object): Promise<Answer> => server.post(`/api/${model}`, body, callers.ann);

  beforeAll(async () => {
    const models = { ...modelsWith(type), 'crate.js': crateOf(type) };
    const started = await openPeople(['root', 'ann'], { models });
    server = started;
    callers = started.callers;
    for (const [at, _id] of ids.entries())
      await make('item', { _id, name: `item ${at}`, ...(at === 0 ? {} : { above_id: first }) });
    part = String((await make('part', { name: 'bolt', item_id: first, item_ids: [third, first] })).document['_id']);
    await make('part', { name: 'nut', item_id: second });
  });

  test('shows the linked documents', async () => {
    const expected = {
      item_id: first,
      item_ids: [third, first],
      item: { _id: first, name: 'item 0' },
      items: [{ _id: third }, { _id: first }],
    };
    for (const query of ['populate=item,items', 'autopopulate=1', 'populate[item]=name&populate[items]=name']) {
      expect((await server.get(`/api/part/${part}?${query}`)).document).toMatchObject(expected);
      expect((await server.get(`/api/part?${query}&filter[name]=bolt`)).rows).toMatchObject([expected]);
    }
    const { document } = await server.get(`/api/item/${encoded(second)}?populate=above`);
    expect(document).toMatchObject({ above: { _id: first, name: 'item 0' } });
  });
  test('shows the linked documents of a model with virtuals', async () => {
    const { document } = await make('crate', { name: 'box', item_id: second, item_ids: [third, first] });
    const expected = {
      loud: 'box!',
      item: { _id: second, name: 'item 1', above_id: first },
      items: [{ _id: third }, { _id: first }],
    };
    const path = `/api/crate/${String(document['_id'])}`;
    expect((await server.get(`${path}?populate=item,items`)).document).toMatchObject(expected);
    const linking = await server.get(`/api/item/${encoded(second)}?populate=crates`);
    expect(linking.document).toMatchObject({ crates: [{ name: 'box', loud: 'box!' }] });
  });
  test('shows the linking documents', async () => {
    const { document } = await server.get(`/api/item/${encoded(first)}?populate=below,parts`);
    expect(document).toMatchObject({ below: [{ _id: second }, { _id: third }], parts: [{ name: 'bolt' }] });
    const { rows } = await server.get('/api/item?populate=parts&fields=_id');
    expect(rows.map(({ parts }) => (parts as Json[]).map(({ name }) => name))).toEqual([['bolt'], ['nut'], []]);
    const deep = await server.get(`/api/part?filter[name]=nut&populate[item]=name,parts`);
    expect(deep.status).toBe(400);
  });
  test('filters by links and through them', async () => {
    const names = async (query: string): Promise<unknown[]> =>
      (await server.get(`/api/part?${query}`)).rows.map(({ name }) => name);
    for (const text of [String(first), ...same])
      expect(await names(`filter[item_id]=${encoded(text)}`)).toEqual(['bolt']);
    expect(await names(`filter[item_ids]=${encoded(third)}`)).toEqual(['bolt']);
    expect(await names('filter[item.name]=item 1')).toEqual(['nut']);
    expect(await names('filter[items.name]=item 2')).toEqual(['bolt']);
    expect(await names('filter[item.above.name]=item 0')).toEqual(['nut']);
    expect((await server.get(`/api/part?filter[item]=${encoded(first)}`)).status).toBe(400);
  });
  test('takes a linked document in the place of its id', async () => {
    const { status, document } = await make('part', {
      name: 'x',
      item: { _id: second, name: 'item 1' },
      items: [{ _id: third }],
    });
    expect([status, document]).toMatchObject([201, { item_id: second, item_ids: [third] }]);
    await server.remove(`/api/part/${String(document['_id'])}?_permaDelete=1`, callers.ann);
  });
  test('refuses links to what there is not', async () => {
    const { status, body } = await make('part', { name: 'x', item_id: free, item_ids: [first, free] });
    expect([status, body['errors'].map(({ path, kind }: Json) => [path, kind])]).toEqual([
      400,
      [
        ['item_id', 'link'],
        ['item_ids', 'link'],
      ],
    ]);
    const bulk = await server.post('/bulkwrite/part', [{ insertOne: { document: { item_id: free } } }], callers.ann);
    expect(bulk.status).toBe(400);
    // what is written together may be linked
    const itself = await make('item', { _id: free, above_id: free });
    expect(itself.status).toBe(201);
    await server.remove(`/api/item/${encoded(free)}?_permaDelete=1`, callers.ann);
    for (const item_id of refused.filter((value) => typeof value === 'string' && value.length < 100 && value !== '')) {
      const wrong = await make('part', { name: 'x', item_id });
      expect([wrong.status, item_id]).toEqual([400, item_id]);
    }
    expect(rule).not.toBe('');
  });
  test('deletes and restores with all that links', async () => {
    const path = `/api/item/${encoded(first)}`;
    const gone = await server.remove(`${path}?_cascade=1`, callers.root);
    expect(gone.body).toMatchObject({ deleted: { item: 3, part: 2 } });
    expect((await server.get('/api/item')).rows).toEqual([]);
    expect((await server.put(path, { _deleted: false }, callers.root)).status).toBe(200);
    expect((await server.get('/api/item')).rows.map(({ _id }) => _id)).toEqual(ids);
    const parts = (await server.get('/api/part?sort=name')).rows;
    expect(parts.map(({ item_id }) => item_id)).toEqual([first, second]);
    const lost = await server.remove(`/api/item/${encoded(third)}?_cascade=1`, callers.root);
    expect(lost.body).toMatchObject({ deleted: { item: 1 }, unlinked: { part: 1 } });
    expect((await server.get(`/api/part/${part}`)).document['item_ids']).toEqual([first]);
    expect((await server.put(`/api/item/${encoded(third)}`, { _deleted: false }, callers.root)).status).toBe(200);
    expect((await server.get(`/api/part/${part}`)).document['item_ids']).toHaveLength(2);
  });
});

describe('the start', () => {
  const fails = async (models: Readonly<Record<string, string>>): Promise<string> => {
    const error: unknown = await startServer({ models }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof Error ? error.message : 'started';
  };
  const file = (fields: string, options = '{}'): string =>
    `module.exports = ({ Schema }) => new Schema({ name: String, ${fields} }, ${options});`;

  test.each([
    ['a compound id', { 'one.js': file('_id: { a: String, b: String }') }, /_id/],
    ['a Date', { 'one.js': file('_id: Date') }, '_id must be of type ObjectId, String, Number, UUID, not Date'],
    ['no id', { 'one.js': file('', '{ _id: false }') }, '_id is missing'],
    ['a text as the id of users', { 'user.js': file('_id: String') }, '_id of the user model must be an ObjectId'],
    [
      'a link of another type',
      { 'one.js': file('_id: String'), 'two.js': file(`one_id: { type: Number, link: 'one' }`) },
      'one_id links to one, whose _id is of type String: the path must be of that type, not Number',
    ],
    [
      'a text that links to an ObjectId',
      { 'one.js': file(''), 'two.js': file(`list: [{ one_id: { type: String, link: 'one' } }]`) },
      'list.one_id links to one, whose _id is of type ObjectId',
    ],
  ])('%s is a fault', async (_what, models, message) => {
    expect(await fails(models)).toMatch(message);
  });
  test('a text with `ref` to an ObjectId takes any text, with the rights of the linked model', async () => {
    const models = {
      'one.js': file(''),
      'two.js': file(`one_id: { type: String, ref: 'one' }`),
    };
    const server = await startServer({
      models: { ...models, 'two.js': models['two.js'].replace('}, {}', `}, { perms: { all: 'crud' } }`) },
    });
    const made = await server.post('/api/two', { one_id: 'any text' });
    expect([made.status, made.document['one_id']]).toEqual([201, 'any text']);
    expect((await server.get('/api/two?populate=one')).status).toBe(403);
  });
});
