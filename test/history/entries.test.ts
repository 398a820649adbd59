/** Histories: an entry with each write, by whatever way, and what callers see of them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'film.js': `module.exports = new (require('mongoose').Schema)({
    title: String, year: Number, tags: [String], cast: [{ _id: false, name: String, fee: { type: Number, perms: { admin: 'cru' } } }],
    budget: { type: Number, perms: { admin: 'cru' } }, never: { type: String, perms: { admin: 'cu' } },
    login: { site: String, password: String }, any: {},
  }, { perms: { admin: 'crud', all: 'r', user: 'crud' }, history: true, advanced_queries: { bulkwrite: true } });`,
  'plain.js': `module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { admin: 'crud', all: 'r' } });`,
  'scene.js': `module.exports = new (require('mongoose').Schema)({
    title: String, film_id: { type: 'ObjectId', link: 'film' }, film_ids: [{ type: 'ObjectId', link: 'film' }] },
    { perms: { admin: 'crud', all: 'r' }, history: true });`,
};

interface Entry {
  readonly rev: number;
  readonly at: string;
  readonly op: string;
  readonly who: string | null;
  readonly request_id: string | null;
  readonly changes: readonly { readonly path: string; readonly from?: unknown; readonly to?: unknown }[];
}

let server: TestServer;
let rootId = '';
const root = { headers: rootBasic };

beforeAll(async () => {
  server = await startServer({ models });
  const { body } = await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  rootId = String(body.data._id);
});
afterAll(() => server.close());

const make = async (values: object, model = 'film'): Promise<string> =>
  String((await server.post(`/api/${model}`, values, root)).document['_id']);
const entriesOf = async (id: string, model = 'film', sent: object = root): Promise<readonly Entry[]> =>
  (await server.get(`/history/${model}/${id}`, sent)).body.data;
const opsOf = async (id: string, model?: string): Promise<readonly string[]> =>
  (await entriesOf(id, model)).map(({ op }) => op).reverse();

describe('an entry', () => {
  test('says who did what, when, in which request, and path by path', async () => {
    const id = await make({ title: 'M', year: 1931, tags: ['a', 'b'] });
    await server.put(`/api/film/${id}`, { year: 1932, tags: ['a', 'c'] }, root);
    const { body } = await server.get(`/history/film/${id}`, root);
    expect(body).toEqual({
      limit: 20,
      data: [
        {
          rev: 2,
          at: expect.stringMatching(/Z$/),
          who: rootId,
          via: null,
          op: 'change',
          request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          changes: [
            { path: 'year', from: 1931, to: 1932 },
            { path: 'tags.1', from: 'b', to: 'c' },
          ],
        },
        expect.objectContaining({
          rev: 1,
          op: 'create',
          changes: expect.arrayContaining([
            { path: 'title', to: 'M' },
            { path: 'tags', to: ['a', 'b'] },
          ]),
        }),
      ],
    });
  });

  test('has the time of the document, to the millisecond, however fast writes follow each other', async () => {
    const id = await make({ title: 'v1' });
    for (let write = 2; write <= 12; write++) await server.put(`/api/film/${id}`, { title: `v${write}` }, root);
    for (const { rev, at } of await entriesOf(id)) {
      const { document } = await server.get(`/history/film/${id}/${rev}`, root);
      expect({ rev, at }).toEqual({ rev, at: document['updatedAt'] });
    }
    const { document } = await server.get(`/api/film/${id}`, root);
    const then = await server.get(`/api/film/${id}?at=${String(document['updatedAt'])}`, root);
    expect(then.document['title']).toBe('v12');
  });

  test('is left by a write that changes nothing', async () => {
    const id = await make({ title: 'same' });
    await server.put(`/api/film/${id}`, { title: 'same' }, root);
    expect((await entriesOf(id))[0]).toMatchObject({ rev: 2, op: 'change', changes: [] });
  });

  test('is left by each way of writing', async () => {
    const id = await make({ title: 'ways' });
    await server.send('PATCH', `/api/film/${id}`, { body: { $inc: { year: 1 } }, ...root });
    await server.put(`/update/film/${id}`, { title: 'saved' }, root);
    const changing = [
      { updateOne: { filter: { _id: id }, update: { $set: { year: 5 } } } },
      { updateOne: { filter: { _id: id }, update: { $set: { year: 6 } } } },
      { updateMany: { filter: { title: 'saved' }, update: { $push: { tags: 'many' } } } },
      { replaceOne: { filter: { _id: id }, replacement: { title: 'replaced' } } },
    ];
    expect((await server.post('/bulkwrite/film', changing, root)).status).toBe(200);
    await server.remove(`/api/film/${id}`, root);
    await server.put(`/api/film/${id}`, { _deleted: false }, root);
    await server.remove(`/api/film/${id}?_permaDelete=1`, root);
    const changes = Array.from({ length: 6 }, () => 'change');
    expect(await opsOf(id)).toEqual(['create', ...changes, 'delete', 'restore', 'remove']);
    expect((await entriesOf(id)).map(({ rev }) => rev)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('has what is stored, not what Mongoose makes of it: an empty object stays one', async () => {
    const id = await make({ title: 'empty', login: { site: 'x' } });
    await server.send('PATCH', `/api/film/${id}`, { body: { $unset: { 'login.site': '' } }, ...root });
    await server.put(`/update/film/${id}`, { title: 'saved' }, root);
    const { document } = await server.get(`/api/film/${id}`, root);
    expect(document).toMatchObject({ title: 'saved', login: {} });
    expect((await server.get(`/history/film/${id}/3`, root)).document).toEqual(document);
    expect((await entriesOf(id))[0]?.changes).toEqual([{ path: 'title', from: 'empty', to: 'saved' }]);
  });

  test('is left by a bulk write that creates, by one that deletes, and by an upsert', async () => {
    const { body } = await server.post(
      '/bulkwrite/film',
      [{ insertOne: { document: { title: 'one' } } }, { insertOne: { document: { title: 'two' } } }],
      root,
    );
    const ids = Object.values(body.data.insertedIds as Record<string, string>);
    await server.post('/bulkwrite/film', [{ deleteMany: { filter: { title: { $in: ['one', 'two'] } } } }], root);
    for (const id of ids) expect(await opsOf(id)).toEqual(['create', 'delete']);
    const upsert = [{ updateOne: { filter: { title: 'new' }, update: { $set: { year: 1 } }, upsert: true } }];
    const made = (await server.post('/bulkwrite/film', upsert, root)).body.data.upsertedIds['0'];
    expect(await opsOf(made)).toEqual(['create']);
  });

  test('is left by a cascade, for each of its documents', async () => {
    const film = await make({ title: 'root' });
    const scenes = await Promise.all(['a', 'b'].map((title) => make({ title, film_id: film }, 'scene')));
    const listing = await make({ title: 'list', film_ids: [film] }, 'scene');
    await server.remove(`/api/film/${film}?_cascade=1`, root);
    await server.put(`/api/film/${film}?_cascade=1`, { _deleted: false }, root);
    expect(await opsOf(film)).toEqual(['create', 'delete', 'restore']);
    for (const id of scenes) expect(await opsOf(id, 'scene')).toEqual(['create', 'delete', 'restore']);
    expect((await entriesOf(listing, 'scene')).map(({ changes }) => changes[0])).toEqual([
      { path: 'film_ids', from: [], to: [film] },
      { path: 'film_ids', from: [film], to: [] },
      expect.anything(),
    ]);
  });

  needs('transactions')('of a batch belongs to the request', async () => {
    const id = await make({ title: 'batch' });
    const put = (title: string): object => ({ method: 'PUT', path: `/api/film/${id}`, body: { title } });
    await server.post('/batch', { operations: [put('x'), put('y')] }, root);
    const [second, first] = await entriesOf(id);
    expect([first?.rev, second?.rev]).toEqual([2, 3]);
    expect(first?.request_id).toBe(second?.request_id);
  });

  needs('transactions')('is not left by a batch that fails', async () => {
    const id = await make({ title: 'all or nothing' });
    const operations = [
      { method: 'PUT', path: `/api/film/${id}`, body: { title: 'never' } },
      { method: 'PUT', path: `/api/film/${id}`, body: { year: 'no number' } },
    ];
    expect((await server.post('/batch', { operations }, root)).status).toBe(400);
    expect(await opsOf(id)).toEqual(['create']);
  });
});

describe('an entry never has', () => {
  test('a password, or a path that no role may read', async () => {
    const id = await make({ title: 'secret', never: 'closed-1', login: { site: 's', password: 'Ax7!secret-word' } });
    await server.put(`/api/film/${id}`, { never: 'closed-2', 'login.password': 'Bx7!secret-word' }, root);
    const [change] = await entriesOf(id);
    expect(change?.changes).toEqual([]);
    const stored = await server.dossier.services.connection
      .collection('_dossier_history')
      .find({ model: 'film' })
      .toArray();
    const bytes = stored.map(({ content }) => (content as { buffer: Buffer }).buffer.toString('latin1')).join();
    expect(bytes).toContain('secret');
    expect(bytes).not.toMatch(/closed-|password|\\$2[aby]\\$/);
  });

  test('what is hidden from the caller, which changes nothing else', async () => {
    const id = await make({ title: 'open', budget: 5, cast: [{ name: 'n', fee: 7 }] });
    await server.put(`/api/film/${id}`, { budget: 6, cast: [{ name: 'n', fee: 8 }] }, root);
    const [hidden, first] = await entriesOf(id, 'film', {});
    expect(hidden).toMatchObject({ rev: 2, changes: [] });
    expect(JSON.stringify(first?.changes)).not.toMatch(/\b(fee|budget)\b/);
    expect((await entriesOf(id))[0]?.changes.map(({ path }) => path)).toContain('budget');
  });
});

describe('a document as it was', () => {
  test('is shown after an entry, and at a time', async () => {
    const id = await make({ title: 'first', year: 1 });
    const times: string[] = [];
    for (const year of [2, 3]) {
      times.push((await entriesOf(id))[0] ? String((await server.get(`/api/film/${id}`)).document['updatedAt']) : '');
      await server.put(`/api/film/${id}`, { year }, root);
    }
    const { body } = await server.get(`/history/film/${id}/1`);
    expect(body).toMatchObject({ rev: 1, data: { _id: id, id, title: 'first', year: 1 } });
    expect((await server.get(`/api/film/${id}?at=${times[0]}`)).document).toMatchObject({ year: 1 });
    expect((await server.get(`/api/film/${id}?at=${new Date().toISOString()}`)).document).toMatchObject({ year: 3 });
    expect((await server.get(`/api/film/${id}?at=2001-01-01`)).status).toBe(404);
    expect((await server.get(`/history/film/${id}/9`)).status).toBe(404);
  });

  test('needs a model with history', async () => {
    const id = await make({ title: 'x' }, 'plain');
    expect(await server.get(`/api/plain/${id}?at=2026-01-01`)).toMatchObject({ status: 400 });
    for (const path of [`/history/plain`, `/history/plain/${id}`, `/history/plain/${id}/1`])
      expect((await server.get(path, root)).status).toBe(404);
  });
});

describe('a revert', () => {
  test('is an ordinary change to what the document was', async () => {
    const id = await make({ title: 'one', year: 1, tags: ['a'] });
    await server.put(`/api/film/${id}`, { title: 'two', year: null, tags: ['a', 'b'] }, root);
    const { status, body } = await server.post(`/history/film/${id}/revert`, { rev: 1 }, root);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', message: 'film updated', data: { title: 'one', year: 1, tags: ['a'] } });
    expect((await entriesOf(id))[0]).toMatchObject({ rev: 3, op: 'change' });
  });

  test('restores a deleted document', async () => {
    const id = await make({ title: 'back' });
    await server.remove(`/api/film/${id}`, root);
    expect((await server.post(`/history/film/${id}/revert`, { rev: 1 }, root)).status).toBe(200);
    expect(await opsOf(id)).toEqual(['create', 'delete', 'restore']);
  });

  test.each([[{ rev: 0 }], [{ rev: '1' }], [{}], [[]]])('refuses %j', async (body) => {
    const id = await make({ title: 'x' });
    expect((await server.post(`/history/film/${id}/revert`, body, root)).status).toBe(400);
  });

  test('keeps what the caller may not see or write', async () => {
    const user = { email: emailOf('eva'), password: passwordOf('eva') };
    await server.post('/api/user', user, root);
    const login = await server.post('/login', user);
    const eva = { headers: { authorization: `Bearer ${String(login.body.token)}` } };
    const id = await make({ title: 'one', budget: 1, cast: [{ name: 'a', fee: 1 }] });
    await server.put(`/api/film/${id}`, { title: 'two', budget: 2, cast: [{ name: 'b', fee: 2 }] }, root);
    expect((await server.post(`/history/film/${id}/revert`, { rev: 1 }, eva)).status).toBe(200);
    const { document } = await server.get(`/api/film/${id}`, root);
    expect(document).toMatchObject({ title: 'one', budget: 2, cast: [{ name: 'a', fee: 2 }] });
  });
});

describe('lists', () => {
  test('are paged by cursors', async () => {
    const id = await make({ title: '0' });
    for (let year = 1; year <= 24; year++) await server.put(`/api/film/${id}`, { year }, root);
    const revs: number[] = [];
    for (let after = ''; ;) {
      const { body } = await server.get(`/history/film/${id}?limit=7${after}`, root);
      revs.push(...(body.data as Entry[]).map(({ rev }) => rev));
      if (body.next_cursor === undefined) break;
      after = `&after=${String(body.next_cursor)}`;
    }
    expect(revs).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at));
    expect((await server.get(`/history/film/${id}?limit=101`, root)).status).toBe(400);
    expect((await server.get(`/history/film/${id}?after=abc`, root)).status).toBe(400);
  });

  test('of a model have the documents, and are narrowed', async () => {
    const since = new Date().toISOString();
    const id = await make({ title: 'in the list' });
    await server.remove(`/api/film/${id}`, root);
    const { body } = await server.get(`/history/film?since=${since}&who=${rootId}`, root);
    expect((body.data as (Entry & { id: string })[]).map((entry) => [entry.id, entry.op])).toEqual([
      [id, 'delete'],
      [id, 'create'],
    ]);
    expect((await server.get(`/history/film?since=${since}&op=create`, root)).body.data).toHaveLength(1);
    expect((await server.get('/history/film?op=x', root)).status).toBe(400);
    expect((await server.get('/history/film?since=x', root)).status).toBe(400);
    let count = 0;
    for (let after = ''; ;) {
      const page = (await server.get(`/history/film?limit=9${after}`, root)).body;
      count += page.data.length;
      if (page.next_cursor === undefined) break;
      after = `&after=${String(page.next_cursor)}`;
    }
    expect(count).toBe(
      await server.dossier.services.connection.collection('_dossier_history').countDocuments({ model: 'film' }),
    );
  });

  test('have removed documents for admins only', async () => {
    const id = await make({ title: 'gone' });
    await server.remove(`/api/film/${id}?_permaDelete=1`, root);
    expect((await server.get(`/history/film/${id}`)).status).toBe(404);
    expect(await opsOf(id)).toEqual(['create', 'remove']);
    const open = (await server.get('/history/film?limit=100')).body.data as { id: string }[];
    expect(open.some((entry) => entry.id === id)).toBe(false);
    await server.post('/api/film', { _id: id, title: 'again' }, root);
    expect(await opsOf(id)).toEqual(['create', 'remove', 'create']);
    expect((await entriesOf(id, 'film', {})).map(({ rev }) => rev)).toEqual([3]);
    expect((await server.get(`/history/film/${id}/1`)).status).toBe(404);
  });
});
