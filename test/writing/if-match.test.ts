/** If-Match under concurrency: of any number of writers with one revision, one succeeds (RFC 9110, 13.1.1). */
import { beforeAll, expect, test } from '@jest/globals';
import { openWriting, type World } from '../support/fixtures/writing/index.ts';

const writers = 20;
let world: World;
beforeAll(async () => {
  world = await openWriting();
});

const ways: readonly (readonly [string, string, string, object | undefined])[] = [
  ['PUT /api', 'PUT', '/api/note/ID', { n: 1 }],
  ['PUT /api restoring', 'PUT', '/api/note/ID', { n: 1, _deleted: false }],
  ['PUT /update', 'PUT', '/update/note/ID', { n: 1 }],
  ['POST /update', 'POST', '/update/note/ID', { n: 1 }],
  ['DELETE', 'DELETE', '/api/note/ID', undefined],
  ['DELETE permanently', 'DELETE', '/api/note/ID?_permaDelete=1', undefined],
  ['DELETE with a cascade', 'DELETE', '/api/note/ID?_cascade=1', undefined],
];

test.each(ways)('%s', async (_name, method, path, body) => {
  const made = await world.as('ann', 'POST', '/api/note', { body: { title: 't', n: 0 } });
  const id = String(made.body['data']._id);
  const read = await world.as('ann', 'GET', `/api/note/${id}`);
  const tag = read.headers.get('etag') ?? '';
  expect(tag).not.toBe('');
  const answers = await Promise.all(
    Array.from({ length: writers }, () =>
      world.as('ann', method, path.replace('ID', id), { body, headers: { 'if-match': tag } }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  // what is deleted permanently is 404 to later callers
  const lost = path.endsWith('_permaDelete=1') ? [404, 412] : [412];
  expect(statuses[0]).toBe(200);
  expect(statuses.slice(1).filter((status) => !lost.includes(status))).toEqual([]);
  const after = await world.dossier.services.connection.db!.collection('notes').findOne({ title: 't', __v: 1 });
  expect(after === null).toBe(path.endsWith('_permaDelete=1'));
  await world.dossier.services.connection.db!.collection('notes').deleteMany({});
});
