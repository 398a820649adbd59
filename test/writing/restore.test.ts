/** Restoring a document that was deleted with `_cascade` restores everything that the cascade deleted. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Answer, Document } from '../support/client.ts';
import { bearer, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const model = (fields: string, options: string): string => `import { Schema } from 'mongoose';
const id = (link: string) => ({ type: Schema.Types.ObjectId, link });
const thing = new Schema({ name: { type: String, maxlength: 10 }, ${fields} } as object, { ${options} } as object);
export default thing;`;

let server: TestServer;
let callers: Callers;
beforeAll(async () => {
  server = await startServer({
    models: {
      band: model('', "perms: { all: 'r', user: 'crud' }"),
      saved: model('', "perms: { all: 'r', user: 'crud' }, save_on_put: true"),
      disc: model("band_id: id('band'), saved_id: id('saved')", "perms: { all: 'r', user: 'crd', owner: 'u' }"),
      song: model("disc_id: id('disc')", "perms: { all: 'r', user: 'crud' }"),
      fan: model("band_id: [id('band')], saved_id: id('saved')", "perms: { all: 'r', user: 'crud' }"),
      hidden: model("band_id: id('band')", "perms: { admin: 'crud' }"),
    },
  });
  callers = await makeCallers(server);
});
afterAll(() => server.close());

const as = (name: keyof Callers): { headers: Readonly<Record<string, string>> } => ({
  headers: bearer(callers[name].token),
});
const made = async (name: string, body: object = {}, by: keyof Callers = 'ann'): Promise<string> => {
  const answer = await server.post(`/api/${name}`, body, as(by));
  if (answer.status !== 201) throw new Error(answer.text);
  return String(answer.document['_id']);
};
const read = async (name: string, id: string): Promise<Document> =>
  (await server.get(`/api/${name}/${id}?showDeleted=true`, as('root'))).document;
const isDeleted = async (name: string, id: string): Promise<unknown> => (await read(name, id))['_deleted'];
const cascade = async (name: string, id: string): Promise<Answer> =>
  server.remove(`/api/${name}/${id}?_cascade=1`, as('root'));
const restore = (path: string, id: string, by: keyof Callers = 'ann'): Promise<Answer> =>
  server.put(`${path}/${id}`, { _deleted: false }, as(by));

describe.each([
  ['PUT /api', '/api/band', 'band'],
  ['PUT /update', '/update/band', 'band'],
  ['PUT /api with save_on_put', '/api/saved', 'saved'],
])('%s', (_what, path, name) => {
  test('restores everything that the cascade deleted, and nothing deleted before it', async () => {
    const root = await made(name);
    const [disc, before] = [await made('disc', { [`${name}_id`]: root }), await made('disc', { [`${name}_id`]: root })];
    const [song, lost] = [await made('song', { disc_id: disc }), await made('song', { disc_id: disc })];
    await server.remove(`/api/disc/${before}`, as('ann'));
    await server.remove(`/api/song/${lost}`, as('ann'));
    const deleted = await cascade(name, root);
    expect(deleted.body['deleted']).toEqual({ [name]: 1, disc: 1, song: 1 });
    const answer = await restore(path, root);
    expect([answer.status, answer.document['_deleted']]).toEqual([200, false]);
    expect(await Promise.all([isDeleted(name, root), isDeleted('disc', disc), isDeleted('song', song)])).toEqual([
      false,
      false,
      false,
    ]);
    expect(await Promise.all([isDeleted('disc', before), isDeleted('song', lost)])).toEqual([true, true]);
    expect((await read('song', song))['_updated_by_id']).toBe(callers.ann.user_id);
  });

  test('without the right to change all of the documents nothing is restored', async () => {
    const root = await made(name);
    const [disc, other] = [
      await made('disc', { [`${name}_id`]: root }),
      await made('disc', { [`${name}_id`]: root }, 'eve'),
    ];
    await cascade(name, root);
    const answer = await restore(path, root);
    expect([answer.status, answer.text.includes('disc')]).toEqual([403, true]);
    expect(await Promise.all([isDeleted(name, root), isDeleted('disc', disc), isDeleted('disc', other)])).toEqual([
      true,
      true,
      true,
    ]);
    expect((await restore(path, root, 'root')).status).toBe(200);
    expect(await isDeleted('disc', other)).toBe(false);
  });

  test('a body that is refused restores nothing', async () => {
    const root = await made(name);
    const disc = await made('disc', { [`${name}_id`]: root });
    await cascade(name, root);
    const body = { _deleted: false, name: 'much too long' };
    expect((await server.put(`${path}/${root}`, body, as('ann'))).status).toBe(400);
    expect(await Promise.all([isDeleted(name, root), isDeleted('disc', disc)])).toEqual([true, true]);
    expect((await restore(path, root)).status).toBe(200);
    expect(await isDeleted('disc', disc)).toBe(false);
  });
});

test('a document of a cascade can be restored alone, and is not restored again with the others', async () => {
  const band = await made('band');
  const [disc, other] = [await made('disc', { band_id: band }), await made('disc', { band_id: band })];
  await cascade('band', band);
  expect((await restore('/api/disc', disc)).status).toBe(200);
  expect(await Promise.all([isDeleted('band', band), isDeleted('disc', other)])).toEqual([true, true]);
  await server.remove(`/api/disc/${disc}`, as('ann'));
  expect((await restore('/api/band', band)).status).toBe(200);
  expect(await Promise.all([isDeleted('disc', disc), isDeleted('disc', other)])).toEqual([true, false]);
});

test('links that were removed from lists are restored', async () => {
  const [band, kept] = [await made('band'), await made('band')];
  const fan = await made('fan', { band_id: [band, kept] });
  const gone = await made('fan', { band_id: [band] });
  await cascade('band', band);
  expect((await read('fan', fan))['band_id']).toEqual([kept]);
  await server.remove(`/api/fan/${gone}?_permaDelete=1`, as('ann'));
  await restore('/api/band', band);
  expect((await read('fan', fan))['band_id']).toEqual([kept, band]);
  // a second restoration does nothing
  await restore('/api/band', band);
  expect(await read('fan', fan)).toMatchObject({ band_id: [kept, band], __v: 2 });
});

test('a deleted document can be restored after a later deletion removed a link of it', async () => {
  const [band, saved] = [await made('band'), await made('saved')];
  const fan = await made('fan', { band_id: [band], saved_id: saved });
  await cascade('saved', saved);
  await cascade('band', band);
  await restore('/api/saved', saved);
  expect(await read('fan', fan)).toMatchObject({ _deleted: false, band_id: [] });
  await restore('/api/band', band);
  expect(await read('fan', fan)).toMatchObject({ _deleted: false, band_id: [band] });
});

test('the record of a cascade is hidden from callers, and removed with its root', async () => {
  const band = await made('band');
  await made('disc', { band_id: band });
  await cascade('band', band);
  const root = new Types.ObjectId(band);
  const records = server.dossier.services.connection.collection('_dossier_deletions');
  expect(await records.countDocuments({ root })).toBe(1);
  expect((await server.get('/api/_deletion', as('root'))).status).toBe(404);
  expect(
    Object.keys(await read('band', band))
      .filter((key) => key.startsWith('_'))
      .sort(),
  ).toEqual(['__v', '_deleted', '_id', '_owner_id', '_updated_by_id']);
  await server.remove(`/api/band/${band}?_permaDelete=1`, as('ann'));
  expect(await records.countDocuments({ root })).toBe(0);
});

test('a restoration after a simple DELETE ignores the records of an earlier cascade', async () => {
  const band = await made('band');
  const disc = await made('disc', { band_id: band });
  await cascade('band', band);
  await restore('/api/band', band);
  await server.remove(`/api/disc/${disc}`, as('ann'));
  await server.remove(`/api/band/${band}`, as('ann'));
  await restore('/api/band', band);
  expect(await isDeleted('disc', disc)).toBe(true);
});

test('a model that is hidden from the caller is not named', async () => {
  const band = await made('band');
  await made('hidden', { band_id: band }, 'root');
  await cascade('band', band);
  const answer = await restore('/api/band', band);
  expect(answer.status).toBe(403);
  expect(answer.text).not.toContain('hidden');
});

test('subscribers receive an event for everything that is restored', async () => {
  const received: string[] = [];
  const stop = server.dossier.services.bus.subscribe((changes) => {
    for (const {
      event,
      model: { name },
    } of changes)
      received.push(`${event} ${name}`);
  });
  const band = await made('band');
  await made('disc', { band_id: band });
  await made('fan', { band_id: [band] });
  await cascade('band', band);
  received.length = 0;
  await restore('/api/band', band);
  stop();
  expect(received.sort()).toEqual(['post band', 'post disc', 'put fan']);
});
