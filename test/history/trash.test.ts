/** What is removed when it is due: documents in the trash with their histories, old entries; and histories that admins remove. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { features } from '../../src/features/index.ts';
import { sweep as sweepPort } from '../../src/features/ports.ts';
import type { RemovedDocument } from '../../src/ports/parts.ts';
import { makersFor } from '../../src/ports/port.ts';
import { sweepOnce } from '../../src/start/background.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'box.js': `module.exports = new (require('mongoose').Schema)({ title: String, in_id: { type: 'ObjectId', link: 'box' } },
    { perms: { admin: 'crud', all: 'r' }, history: true, trash: '30d' });`,
  'item.js': `module.exports = new (require('mongoose').Schema)({ title: String, box_id: { type: 'ObjectId', link: 'box' } },
    { perms: { admin: 'crud', all: 'r' }, trash: '30d' });`,
  'late.js': `module.exports = new (require('mongoose').Schema)({ box_id: { type: 'ObjectId', link: 'box' } },
    { perms: { admin: 'crud' }, trash: '60d' });`,
  'note.js': `module.exports = new (require('mongoose').Schema)({ title: String, year: Number },
    { perms: { admin: 'crud', all: 'r' }, history: { keep: '10d', min: 3 }, audit: true });`,
};

const dayMs = 86_400_000;
let days = 0;
let server: TestServer;
const root = { headers: rootBasic };

beforeAll(async () => {
  server = await startServer({ models, clock: () => new Date(Date.now() + days * dayMs) });
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
});
afterAll(() => server.close());

/** The sweep of the feature, as the server repeats it. */
const sweepsOf = (): Parameters<typeof sweepOnce>[0] =>
  makersFor(features, sweepPort).flatMap((make) => make({ services: server.dossier.services } as never) ?? []);
let sweeps: ReturnType<typeof sweepsOf> | undefined;
const sweep = async (): Promise<void> =>
  sweepOnce((sweeps ??= sweepsOf()), server.dossier.services.shared, new AbortController().signal);
async function dryRun(): Promise<readonly RemovedDocument[]> {
  const removed: RemovedDocument[] = [];
  for (const one of sweepsOf())
    await one({ signal: new AbortController().signal, dryRun: true, onRemoved: (it) => void removed.push(it) });
  return removed;
}

const make = async (model: string, values: object): Promise<string> =>
  String((await server.post(`/api/${model}`, values, root)).document['_id']);
const statusOf = async (model: string, id: string): Promise<number> =>
  (await server.get(`/api/${model}/${id}?showDeleted=true`, root)).status;
const revsOf = async (model: string, id: string): Promise<readonly number[]> =>
  ((await server.get(`/history/${model}/${id}?limit=100`, root)).body.data as { rev: number }[]).map(({ rev }) => rev);
const stored = (collection: string, filter: object): Promise<number> =>
  server.dossier.services.connection.collection(collection).countDocuments(filter);

describe('the trash', () => {
  test('is emptied when documents are due, with their histories, and what a cascade deleted with them before', async () => {
    const box = await make('box', { title: 'outer' });
    const inner = await make('box', { title: 'inner', in_id: box });
    const item = await make('item', { title: 'in both', box_id: inner });
    const kept = await make('box', { title: 'kept' });
    await server.remove(`/api/box/${box}?_cascade=1`, root);
    await sweep();
    expect(await statusOf('box', box)).toBe(200);
    days += 31;
    expect((await dryRun()).map(({ id }) => id).sort()).toEqual([box, inner, item].sort());
    expect(await statusOf('box', box)).toBe(200);
    await sweep();
    for (const [model, id] of [
      ['box', box],
      ['box', inner],
      ['item', item],
    ] as const)
      expect(await statusOf(model, id)).toBe(404);
    expect(await statusOf('box', kept)).toBe(200);
    expect(await stored('_dossier_history', { document: { $in: [box, inner] } })).toBe(0);
    expect((await server.get(`/history/box/${box}`, root)).status).toBe(404);
    expect((await server.get('/audit?filter[what]=document.removed&filter[via]=trash', root)).body.data).toHaveLength(
      3,
    );
  });

  test('keeps a document until what was deleted with it is due', async () => {
    const box = await make('box', { title: 'waits' });
    const late = await make('late', { box_id: box });
    await server.remove(`/api/box/${box}?_cascade=1`, root);
    days += 31;
    await sweep();
    expect([await statusOf('box', box), await statusOf('late', late)]).toEqual([200, 200]);
    days += 30;
    await sweep();
    expect([await statusOf('box', box), await statusOf('late', late)]).toEqual([404, 404]);
  });

  test('leaves documents that are restored meanwhile, and goes through more than one batch', async () => {
    const documents = Array.from({ length: 1100 }, (_, at) => ({ title: `many ${at}` }));
    await server.post('/setup/data', { item: documents }, root);
    const { connection, clock } = server.dossier.services;
    await connection
      .collection('items')
      .updateMany({ title: /^many/ }, { $set: { _deleted: true, updatedAt: clock() } });
    const [first] = (await server.get('/api/item?filter[title]=many 7&showDeleted=only', root)).body.data as {
      _id: string;
    }[];
    await server.put(`/api/item/${String(first?._id)}`, { _deleted: false }, root);
    days += 31;
    await sweep();
    expect(await stored('items', { title: /^many/ })).toBe(1);
  });

  test('is emptied by one server at a time', async () => {
    const { shared } = server.dossier.services;
    const item = await make('item', { title: 'held' });
    await server.remove(`/api/item/${item}`, root);
    days += 31;
    const lease = await shared.lease('sweep', 60_000);
    await sweep();
    expect(await statusOf('item', item)).toBe(200);
    await lease?.release();
    await sweep();
    expect(await statusOf('item', item)).toBe(404);
  });

  test('is listed by showDeleted=only', async () => {
    const [here, gone] = [await make('item', { title: 'list' }), await make('item', { title: 'list' })];
    await server.remove(`/api/item/${gone}`, root);
    const { body } = await server.get('/api/item?filter[title]=list&showDeleted=only', root);
    expect((body.data as { _id: string }[]).map(({ _id }) => _id)).toEqual([gone]);
    expect((await server.get('/count/item?filter[title]=list&showDeleted=only', root)).body.count).toBe(1);
    expect((await server.get(`/api/item/${here}?showDeleted=only`, root)).status).toBe(400);
    expect((await server.get('/api/item?showDeleted=some', root)).status).toBe(400);
  });
});

describe('entries', () => {
  test('that are older than they are kept are removed, but for the newest ones', async () => {
    const id = await make('note', { year: 0 });
    for (let year = 1; year <= 5; year++) await server.put(`/api/note/${id}`, { year }, root);
    days += 11;
    expect(await dryRun()).toEqual([{ model: 'note', id, entries: 3 }]);
    await sweep();
    expect(await revsOf('note', id)).toEqual([6, 5, 4]);
    expect((await server.get(`/history/note/${id}/4`, root)).body.data).toMatchObject({ year: 3 });
    expect((await server.get(`/api/note/${id}?at=2020-01-01`, root)).status).toBe(404);
    for (let year = 6; year <= 7; year++) await server.put(`/api/note/${id}`, { year }, root);
    await sweep();
    expect(await revsOf('note', id)).toEqual([8, 7, 6]);
    const { body } = await server.get(`/history/note/${id}`, root);
    expect(body.data[2]).toMatchObject({ rev: 6, changes: [{ path: 'year', from: 4, to: 5 }] });
  });

  test('of removed documents are all removed', async () => {
    const id = await make('note', { year: 1 });
    await server.remove(`/api/note/${id}?_permaDelete=1`, root);
    expect(await revsOf('note', id)).toEqual([2, 1]);
    days += 11;
    await sweep();
    expect((await server.get(`/history/note/${id}`, root)).status).toBe(404);
    expect(await stored('_dossier_history', { document: id })).toBe(0);
  });
});

describe('a history that an admin removes', () => {
  test('is empty, is audited, and begins again with what the document is', async () => {
    const id = await make('note', { year: 1 });
    const at = new Date(Date.now() + days * dayMs).toISOString();
    expect((await server.remove(`/history/note/${id}`)).status).toBe(401);
    expect((await server.remove(`/history/note/${id}`, root)).status).toBe(200);
    expect((await server.get(`/history/note/${id}`, root)).body.data).toEqual([]);
    expect((await server.get(`/api/note/${id}?at=${at}`, root)).status).toBe(410);
    const { data } = (await server.get(`/audit?filter[what]=history.forgotten`, root)).body;
    expect(data).toEqual([expect.objectContaining({ whom: id, model: 'note' })]);
    await server.put(`/api/note/${id}`, { year: 2 }, root);
    const [entry] = (await server.get(`/history/note/${id}`, root)).body.data;
    expect(entry).toMatchObject({ op: 'change', changes: [{ path: 'year', from: 1, to: 2 }] });
  });
});

describe('a model with audit: true', () => {
  test('has a record of each write, without values', async () => {
    const id = await make('note', { title: 'secret value', year: 1 });
    await server.put(`/api/note/${id}`, { year: 4711.25 }, root);
    await server.remove(`/api/note/${id}`, root);
    await server.put(`/api/note/${id}`, { _deleted: false }, root);
    await server.remove(`/api/note/${id}?_permaDelete=1`, root);
    const { body, text } = await server.get(`/audit?filter[whom]=${id}&sort=when`, root);
    const records = body.data as { what: string; model: string; document: string; paths?: string[] }[];
    expect(records.map(({ what, model, document, paths }) => [what, model, document, paths])).toEqual([
      ['document.create', 'note', id, expect.arrayContaining(['title', 'year'])],
      ['document.change', 'note', id, ['year']],
      ['document.delete', 'note', id, ['_deleted']],
      ['document.restore', 'note', id, ['_deleted']],
      ['document.removed', 'note', undefined, undefined],
      ['document.remove', 'note', id, expect.arrayContaining(['title', 'year'])],
    ]);
    expect(text).not.toMatch(/secret value|4711\.25/);
  });
});

test.each([
  ["history: 'yes'", 'history must be true, false or { keep, min }, got "yes"'],
  ["history: { keep: '90 days' }", 'history.keep must be a duration such as 30s, 15m, 12h or 90d, got "90 days"'],
  ["history: { keep: '0d' }", 'history.keep must be a duration'],
  ['history: { min: 0 }', 'history.min must be a whole number from 1 to 10000, got 0'],
  ['history: { max: 1 }', 'history.max is unknown; there are keep, min'],
  ['trash: 30', 'trash must be a duration such as 30s, 15m, 12h or 90d, got 30'],
  ['audit: 1', 'audit must be true or false'],
])('the option %s stops the start', async (option, reason) => {
  const file = `module.exports = new (require('mongoose').Schema)({}, { ${option} });`;
  await expect(startServer({ models: { 'x.js': file } })).rejects.toThrow(reason);
});
