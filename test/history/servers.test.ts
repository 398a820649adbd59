/** Histories of documents that several servers write: what one remembers of a history may be out of date. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { Pruner } from '../../src/features/history/pruning.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { secret } from '../support/workers.ts';

const models = {
  'film.js': `module.exports = new (require('mongoose').Schema)({ title: String, year: Number, tags: [String] },
    { perms: { admin: 'crud' }, history: true, advanced_queries: { bulkwrite: true } });`,
  'note.js': `module.exports = new (require('mongoose').Schema)({ year: Number },
    { perms: { admin: 'crud' }, history: { keep: '10d' } });`,
};
let days = 0;
const clock = (): Date => new Date(Date.now() + days * 86_400_000);
const root = { headers: rootBasic };

let store: OpenStore;
let first: TestServer;
let second: TestServer;

beforeAll(async () => {
  store = await open({});
  // a write that takes longer than a loaded machine allows may have been done all the same
  const settings = {
    clock,
    shared_secret: secret,
    models,
    mongodb_url: store.url,
    query_limits: { max_time_ms: 60_000 },
  };
  first = await startServer(settings);
  second = await startServer(settings);
  await first.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await store.close();
});

const make = async (at: TestServer, values: object): Promise<string> =>
  String((await at.post('/api/film', values, root)).document['_id']);
/** Sends a change again as long as others overtake it, as a client does. */
const put = (at: TestServer, id: string, values: object): Promise<void> =>
  until(async () => {
    const { status, body } = await at.put(`/api/film/${id}`, values, root);
    if (status === 503) return false;
    expect({ status, body }).toMatchObject({ status: 200 });
    return true;
  });

/** The years that the history shows, by revision. */
async function yearsOf(id: string): Promise<Readonly<Record<number, unknown>>> {
  const { body } = await second.get(`/history/film/${id}?limit=100`, root);
  const years: Record<number, unknown> = {};
  for (const { rev } of body.data as { rev: number }[])
    years[rev] = (await first.get(`/history/film/${id}/${rev}`, root)).document['year'];
  return years;
}

describe('two servers', () => {
  test('number the entries of one document in the order of its writes', async () => {
    const id = await make(first, { year: 1 });
    await put(second, id, { year: 2 });
    await put(second, id, { year: 3 });
    await put(first, id, { year: 4 });
    await put(second, id, { year: 5 });
    expect(await yearsOf(id)).toEqual({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 });
  });

  test('lose no entry when both write at once', async () => {
    const id = await make(first, { year: 0 });
    const writes = Array.from({ length: 20 }, (_, at) => put([first, second][at % 2] ?? first, id, { year: at + 1 }));
    await Promise.all(writes);
    const years = await yearsOf(id);
    expect(Object.keys(years).map(Number)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
    expect(Object.values(years).sort((a, b) => Number(a) - Number(b))).toEqual(Object.values(years).map((_, at) => at));
  });

  test('begin a new history after the other one has removed it', async () => {
    const id = await make(first, { year: 1, title: 'whole' });
    await put(first, id, { year: 2 });
    expect((await second.remove(`/history/film/${id}`, root)).status).toBe(200);
    await put(first, id, { year: 3 });
    // forgetting has taken the third revision
    expect(await yearsOf(id)).toEqual({ 4: 3 });
    expect((await second.get(`/history/film/${id}/4`, root)).document).toMatchObject({ title: 'whole', year: 3 });
  });

  test('keep the history of a removed document that the other one makes again', async () => {
    const id = await make(first, { year: 1 });
    await second.remove(`/api/film/${id}?_permaDelete=1`, root);
    expect((await first.post('/api/film', { _id: id, year: 2 }, root)).status).toBe(201);
    expect((await second.get(`/history/film/${id}`, root)).body.data).toMatchObject([
      { rev: 3, op: 'create' },
      { rev: 2, op: 'remove' },
      { rev: 1, op: 'create' },
    ]);
  });

  test('continue the revisions of a document that is made again after its first entries were removed', async () => {
    const _id = '6'.repeat(24);
    const revs = async (): Promise<readonly number[]> =>
      ((await first.get(`/history/note/${_id}`, root)).body.data as { rev: number }[]).map(({ rev }) => rev);
    const prune = (): Promise<void> =>
      new Pruner(second.dossier.services).run({ signal: new AbortController().signal });
    expect((await first.post('/api/note', { _id, year: 1 }, root)).status).toBe(201);
    expect((await first.put(`/api/note/${_id}`, { year: 2 }, root)).status).toBe(200);
    days += 11;
    await prune();
    expect(await revs()).toEqual([2]);
    expect((await first.remove(`/api/note/${_id}?_permaDelete=1`, root)).status).toBe(200);
    // this server has written nothing of the document
    expect((await second.post('/api/note', { _id, year: 3 }, root)).status).toBe(201);
    expect(await revs()).toEqual([4, 3, 2]);
    expect((await first.get(`/history/note/${_id}/4`, root)).document).toMatchObject({ year: 3 });

    expect((await second.remove(`/api/note/${_id}?_permaDelete=1`, root)).status).toBe(200);
    days += 11;
    await prune();
    const { connection } = second.dossier.services;
    expect(await connection.collection('_dossier_history').countDocuments({ document: _id })).toBe(0);
    // both remember a revision that is no longer stored
    expect((await first.post('/api/note', { _id, year: 4 }, root)).status).toBe(201);
    expect((await second.put(`/api/note/${_id}`, { year: 5 }, root)).status).toBe(200);
    const [last = 0, before = 0] = await revs();
    expect(last).toBe(before + 1);
    expect((await first.get(`/history/note/${_id}/${last}`, root)).document).toMatchObject({ year: 5 });
  });

  test('write the entries of several documents together, new ones and known ones', async () => {
    const [known, changed] = [await make(first, { year: 1 }), await make(first, { year: 1 })];
    await put(second, changed, { year: 2 });
    const { status } = await first.post(
      '/bulkwrite/film',
      [
        { insertOne: { document: { year: 7, title: 'new' } } },
        { updateOne: { filter: { _id: known }, update: { $set: { year: 8 } } } },
        { updateOne: { filter: { _id: changed }, update: { $set: { year: 9 } } } },
      ],
      root,
    );
    expect(status).toBe(200);
    expect(await yearsOf(known)).toEqual({ 1: 1, 2: 8 });
    expect(await yearsOf(changed)).toEqual({ 1: 1, 2: 2, 3: 9 });
    const { body } = await first.get('/api/film?filter[title]=new', root);
    expect(await yearsOf(String(body.data[0]._id))).toEqual({ 1: 7 });
  });
});
