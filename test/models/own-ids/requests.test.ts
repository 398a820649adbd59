/** Documents with ids of one's own, by every request that names one (docs/models.md, "Ids of your own"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { type Callers, openPeople } from '../../support/fixtures/people.ts';
import type { TestServer } from '../../support/server.ts';
import { idCases, modelsWith } from './types.ts';

type Json = Record<string, unknown>;

const encoded = (id: unknown): string => encodeURIComponent(String(id));
const idsOf = (rows: readonly Json[]): unknown[] => rows.map(({ _id }) => _id);

describe.each(idCases)('$name', ({ type, ids, free, same, wrong, refused, rule }) => {
  const [first, second, third] = ids;
  let server: TestServer;
  let callers: Callers<'root' | 'ann' | 'bob'>;
  const at = (model: string, id: unknown): string => `/api/${model}/${encoded(id)}`;
  const patch = (path: string, body: unknown, contentType = 'application/json'): Promise<Answer> =>
    server.send('PATCH', path, {
      raw: JSON.stringify(body),
      headers: { ...callers.ann.headers, 'content-type': contentType },
    });
  const bulk = (...operations: readonly object[]): Promise<Answer> =>
    server.post('/bulkwrite/item', operations, callers.ann);
  const query = (filter: object): Promise<Answer> => server.post('/query/item', { query: filter }, callers.ann);

  beforeAll(async () => {
    const started = await openPeople(['root', 'ann', 'bob'], { models: modelsWith(type) });
    server = started;
    callers = started.callers;
    // not in their order
    for (const _id of [third, first, second]) {
      const made = await server.post('/api/item', { _id, name: `of ${String(_id)}`, rank: 1 }, callers.ann);
      expect([made.status, made.document['_id'], made.document['id']]).toEqual([201, _id, _id]);
      expect(made.headers.get('location')).toBe(at('item', _id));
    }
  });

  describe('creating', () => {
    test.each(['item', 'made'])('%s: needs an id that is free and has the type', async (model) => {
      const none = await server.post(`/api/${model}`, { name: 'x' }, callers.bob);
      expect([none.status, none.body['errors']]).toEqual([
        400,
        [{ path: '_id', kind: 'required', message: expect.stringContaining(rule) }],
      ]);
      if (model === 'made') await server.post('/api/made', { _id: first, name: 'first' });
      const taken = await server.post(`/api/${model}`, { _id: first, name: 'x' }, callers.bob);
      expect([taken.status, taken.body['errors']]).toEqual([409, [expect.objectContaining({ path: '_id' })]]);
    });
    test.each(refused.map((value) => [value]))('refuses %p', async (_id) => {
      for (const model of ['item', 'made']) {
        const answer = await server.post(`/api/${model}`, { _id, name: 'x' }, callers.bob);
        expect([answer.status, answer.body['err']]).toEqual([400, expect.stringMatching(/_id|"\$(ne|gt)" cannot/)]);
      }
      const inserted = await bulk({ insertOne: { document: { _id, name: 'x' } } });
      expect([inserted.status, inserted.body['err']]).toEqual([400, expect.stringMatching(/_id|"\$(ne|gt)" cannot/)]);
    });
    test('reports the missing id with the other faults', async () => {
      const answer = await server.post('/api/item', { rank: 'x' }, callers.bob);
      expect(answer.body['errors'].map(({ path }: Json) => path).sort()).toEqual(['_id', 'rank']);
    });
  });

  describe('reading', () => {
    test('one document, by the text of its id', async () => {
      for (const id of ids) {
        const { status, document, headers } = await server.get(at('item', id));
        expect([status, document['_id'], document['name']]).toEqual([200, id, `of ${String(id)}`]);
        const tag = headers.get('etag') ?? '';
        const again = await server.get(at('item', id), { headers: { 'if-none-match': tag } });
        expect(again.status).toBe(304);
      }
      for (const text of same) expect((await server.get(at('item', text))).document['_id']).toBe(first);
      expect((await server.get(at('item', free))).status).toBe(404);
    });
    test.each(wrong.map((text) => [text]))('%p is no id', async (text) => {
      for (const path of ['/api/item/', '/call/item/', '/events/item/'].map((start) => start + encoded(text))) {
        const isCall = path.startsWith('/call');
        const answer = await server.get(isCall ? `${path}/twice` : path, callers.ann);
        expect([answer.status, answer.body['err']]).toEqual([400, expect.stringContaining(rule)]);
      }
    });
    test('with the links of a page, in the order of the ids', async () => {
      for (const [sort, expected] of [
        ['', ids],
        ['&sort=_id', ids],
        ['&sort=-_id', ids.toReversed()],
        ['&sort=rank,-_id', ids.toReversed()],
      ] as const) {
        const seen: unknown[] = [];
        let next: string | undefined = `/api/item?limit=1${sort}`;
        let last: Answer | undefined;
        for (; next !== undefined; next = last.body['next'] as string | undefined) {
          last = await server.get(next.replace(server.url, ''));
          seen.push(...idsOf(last.rows));
        }
        expect(seen).toEqual(expected);
        const before: string = last?.body['prev'] ?? '';
        expect(idsOf((await server.get(before.replace(server.url, ''))).rows)).toEqual([expected[1]]);
      }
    });
    test('by filters, searches of values and counts', async () => {
      const filter = (text: string): Promise<Answer> => server.get(`/api/item?filter[_id]=${encoded(text)}`);
      for (const id of ids) expect(idsOf((await filter(String(id))).rows)).toEqual([id]);
      for (const text of same) expect(idsOf((await filter(text)).rows)).toEqual([first]);
      expect(idsOf((await filter(`$in:${String(second)},${String(third)}`)).rows)).toEqual([second, third]);
      expect(idsOf((await filter(`$gt:${String(first)}`)).rows)).toEqual([second, third]);
      expect((await server.get(`/count/item?filter[_id]=${encoded(third)}`)).body['count']).toBe(1);
      expect(idsOf((await query({ _id: third })).rows)).toEqual([third]);
      expect(idsOf((await query({ _id: { $in: [first, third] } })).rows)).toEqual([first, third]);
      expect(idsOf((await query({ _id: { $ne: first } })).rows)).toEqual([second, third]);
      expect(idsOf((await query({ id: second })).rows)).toEqual([second]);
      const values = await server.get('/distinct/item/_id');
      expect(values.rows.map(({ value }) => value)).toEqual(expect.arrayContaining([...ids]));
    });
    test('in pipelines, rights, functions and CSV', async () => {
      const found = await server.post('/aggregate/item', [{ $match: { _id: third } }], callers.ann);
      expect(idsOf(found.rows)).toEqual([third]);
      const rights = await server.get(`/model/item/rights?id=${encoded(first)}`, callers.ann);
      expect([rights.status, rights.body['data']?.rows]).toEqual([200, { c: true, r: true, u: true, d: true }]);
      const called = await server.get(`/call/item/${encoded(second)}/twice`, callers.ann);
      expect(called.body['data']).toEqual({ name: `of ${String(second)}of ${String(second)}` });
      const csv = await server.get('/csv/item?fields=_id', callers.ann);
      expect(csv.text.trim().split(/\r?\n/).slice(1)).toEqual(
        ids.map((id) => expect.stringContaining(String(id)) as unknown),
      );
    });
    test('computed documents', async () => {
      const { document } = await server.get(`${at('made', first)}?populate=same`);
      expect(document).toMatchObject({ _id: first, id: first, loud: 'first!', same: { _id: first } });
    });
  });

  describe('changing', () => {
    const ways: Readonly<Record<string, (id: unknown, fields: Json) => Promise<Answer>>> = {
      PUT: (id, fields) => server.put(at('item', id), fields, callers.ann),
      '/update': (id, fields) => server.put(`/update/item/${encoded(id)}`, fields, callers.ann),
      'PATCH of fields': (id, fields) => patch(at('item', id), fields),
      'PATCH of operators': (id, fields) => patch(at('item', id), { $set: fields }),
      'a merge patch': (id, fields) => patch(at('item', id), fields, 'application/merge-patch+json'),
      'a JSON Patch': (id, fields) =>
        patch(
          at('item', id),
          Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
          'application/json-patch+json',
        ),
      updateOne: (id, fields) => bulk({ updateOne: { filter: { _id: id }, update: { $set: fields } } }),
      replaceOne: (id, fields) => bulk({ replaceOne: { filter: { _id: id }, replacement: fields } }),
    };
    test.each(Object.keys(ways))('%s changes one document and never its id', async (name) => {
      const way = ways[name] as (typeof ways)[string];
      const fields = { name: `of ${String(second)}`, rank: 1 };
      for (const id of [undefined, second]) {
        const rank = id === undefined ? 5 : 6;
        const answer = await way(second, { ...fields, ...(id === undefined ? {} : { _id: id }), rank });
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
        expect((await server.get(at('item', second))).document).toMatchObject({ _id: second, ...fields, rank });
      }
      const moved = await way(second, { ...fields, _id: free });
      expect([moved.status, moved.body['err']]).toEqual([400, expect.stringContaining('_id cannot be changed')]);
      expect((await server.get(at('item', free))).status).toBe(404);
      expect((await way(second, fields)).status).toBe(200);
    });
    test('with the revision that was read, and not another', async () => {
      const tag = (await server.get(at('item', first))).headers.get('etag') ?? '';
      const headers = { ...callers.ann.headers, 'if-match': tag };
      expect((await server.put(at('item', first), { rank: 1 }, { headers })).status).toBe(200);
      expect((await server.put(at('item', first), { rank: 2 }, { headers })).status).toBe(412);
    });
    test('not a document that there is not, nor one of another user', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        expect((await server.send(method, at('item', free), { body: { rank: 1 }, ...callers.ann })).status).toBe(404);
      expect((await server.put(at('item', first), { rank: 1 }, callers.bob)).status).toBe(403);
    });
    test('deleting, restoring and removing', async () => {
      const one = at('item', free);
      await server.post('/api/item', { _id: free, name: 'x' }, callers.ann);
      expect((await server.remove(one, callers.ann)).status).toBe(200);
      expect((await server.get(one)).status).toBe(404);
      expect((await server.put(one, { _deleted: false }, callers.ann)).status).toBe(200);
      expect((await server.get(one)).document['name']).toBe('x');
      expect((await server.remove(`${one}?_permaDelete=1`, callers.ann)).status).toBe(200);
      expect((await server.get(`${one}?showDeleted=1`)).status).toBe(404);
    });
  });

  describe('bulk writes', () => {
    test('insert, upsert, replace and delete by id', async () => {
      const made = await bulk(
        { insertOne: { document: { _id: free, name: 'a' } } },
        { updateOne: { filter: { _id: free }, update: { $set: { name: 'b' } }, upsert: true } },
      );
      expect(made.body['data']).toMatchObject({
        nInserted: 1,
        nMatched: 1,
        nUpserted: 0,
        insertedIds: { 0: String(free) },
      });
      expect((await bulk({ insertOne: { document: { _id: free, name: 'c' } } })).status).toBe(409);
      expect((await server.get(at('item', free))).document).toMatchObject({ _id: free, name: 'b' });
      expect((await bulk({ deleteOne: { filter: { _id: free } } })).body['data']).toMatchObject({ nRemoved: 1 });
      await server.remove(`${at('item', free)}?_permaDelete=1`, callers.root);
    });
    test.each([
      { updateOne: { filter: { _id: free }, update: { $set: { name: 'b' } }, upsert: true } },
      { updateOne: { filter: { name: 'b' }, update: { $setOnInsert: { _id: free } }, upsert: true } },
      { replaceOne: { filter: { _id: free }, replacement: { name: 'b' }, upsert: true } },
    ])('create by %j', async (operation) => {
      const made = await bulk(operation);
      expect([made.status, made.body['data']]).toEqual([
        200,
        expect.objectContaining({ upsertedIds: { 0: String(free) } }),
      ]);
      const { document } = await server.get(at('item', free));
      expect(document).toMatchObject({ _id: free, name: 'b', _owner_id: callers.ann.user_id });
      await server.remove(`${at('item', free)}?_permaDelete=1`, callers.ann);
    });
    test('PUT with on=_id creates a document, or changes the one with the id', async () => {
      const put = (body: object): Promise<Answer> => server.put('/api/item?on=_id', body, callers.ann);
      expect((await put({ _id: free, name: 'a' })).status).toBe(201);
      expect(await put({ _id: free, name: 'b' })).toMatchObject({ status: 200, document: { _id: free, name: 'b' } });
      await server.remove(`${at('item', free)}?_permaDelete=1`, callers.ann);
      expect((await put({ name: 'c' })).status).toBe(400);
    });
    test('an upsert without an id fails, and changes what there is', async () => {
      const filter = { name: 'nothing' };
      const fails = await bulk({ updateOne: { filter, update: { $set: { rank: 9 } }, upsert: true } });
      expect([fails.status, fails.body['err']]).toEqual([400, expect.stringContaining('_id is required')]);
      const replaced = await bulk({
        replaceOne: { filter: { name: `of ${String(third)}` }, replacement: { name: 'other' } },
      });
      expect(replaced.body['data']).toMatchObject({ nMatched: 1 });
      expect((await server.get(at('item', third))).document).toMatchObject({ _id: third, name: 'other' });
      await server.put(at('item', third), { name: `of ${String(third)}`, rank: 1 }, callers.ann);
    });
  });
});
