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

test.each<readonly [string, (tag: string) => string, number]>([
  ['as it was sent', (tag) => tag, 200],
  ['weak, as nginx makes it', (tag) => `W/${tag}`, 200],
  ['with the encoding, as Caddy and Apache make it', (tag) => tag.replace(/"$/, '-gzip"'), 200],
  ['weak and with the encoding', (tag) => `W/${tag.replace(/"$/, '-zstd"')}`, 200],
  ['in a list', (tag) => `"0-0", W/${tag}`, 200],
  ['weak, of another revision', (tag) => `W/${tag.replace(/^"\d+/, '"9')}`, 412],
  ['with another ending', (tag) => tag.replace(/"$/, '-other"'), 412],
])('a tag %s', async (_name, change, status) => {
  const made = await world.as('ann', 'POST', '/api/note', { body: { title: 'tags', n: 0 } });
  const path = `/api/note/${String(made.body['data']._id)}`;
  const tag = (await world.as('ann', 'GET', path)).headers.get('etag') ?? '';
  const known = await world.as('ann', 'GET', path, { headers: { 'if-none-match': change(tag) } });
  expect(known.status).toBe(status === 200 ? 304 : 200);
  const written = await world.as('ann', 'PUT', path, { body: { n: 1 }, headers: { 'if-match': change(tag) } });
  expect(written.status).toBe(status);
  await world.dossier.services.connection.db!.collection('notes').deleteMany({});
});

test.each<readonly [string, object]>([
  ['__v and updatedAt', {}],
  ['__v', { updatedAt: new Date(0) }],
  ['updatedAt', { __v: 3 }],
])('a document that was stored without %s has a tag until its first write', async (_name, stored) => {
  const notes = world.dossier.services.connection.db!.collection('notes');
  const { insertedId } = await notes.insertOne({ title: 'foreign', n: 0, _deleted: false, ...stored });
  const path = `/api/note/${String(insertedId)}`;
  const read = async (known: string) => world.as('root', 'GET', path, { headers: { 'if-none-match': known } });
  const tag = (await read('"none"')).headers.get('etag') ?? '';
  expect(tag).toMatch(/^"(x|\d+)-(x|\d+)-[\w-]{27}"$/);
  expect((await read(tag)).status).toBe(304);
  // a change that leaves no revision is seen all the same
  await notes.updateOne({ _id: insertedId }, { $set: { title: 'changed' } });
  expect((await read(tag)).status).toBe(200);
  const write = () => world.as('root', 'PUT', path, { body: { n: 1 }, headers: { 'if-match': tag } });
  const statuses = await Promise.all(Array.from({ length: writers }, async () => (await write()).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 412)).toHaveLength(writers - 1);
  expect((await read('"none"')).headers.get('etag')).toMatch(/^"\d+-\d+"$/);
  // `fields` leaves the revision out
  expect((await world.as('root', 'GET', `${path}?fields=title`)).headers.get('etag')).toMatch(/^W\//);
  await notes.deleteMany({});
});

/** By conditions on a document: the status of each request. TAG is its tag, OLD one that it had before. */
const conditions: readonly (readonly [string, string, string, Readonly<Record<string, string>>, number])[] = [
  ['a new revision only', 'PUT', '/api/note/ID', { 'if-none-match': '*' }, 412],
  ['another revision', 'PUT', '/api/note/ID', { 'if-none-match': 'TAG' }, 412],
  ['another revision, by a weak tag', 'PATCH', '/api/note/ID', { 'if-none-match': 'W/TAG' }, 412],
  ['any revision but an old one', 'PUT', '/api/note/ID', { 'if-none-match': 'OLD, "x"' }, 200],
  ['a revision and not it', 'PUT', '/update/note/ID', { 'if-match': 'TAG', 'if-none-match': 'TAG' }, 412],
  ['a revision and not an old one', 'PUT', '/update/note/ID', { 'if-match': 'TAG', 'if-none-match': 'OLD' }, 200],
  ['no revision', 'DELETE', '/api/note/ID', { 'if-none-match': '*' }, 412],
  ['a new document', 'PUT', '/api/note/000000000000000000000000', { 'if-none-match': '*' }, 404],
  ['the revision', 'GET', '/api/note/ID', { 'if-match': '"x", TAG' }, 200],
  ['any revision', 'GET', '/api/note/ID', { 'if-match': '*' }, 200],
  ['an old revision', 'GET', '/api/note/ID', { 'if-match': 'OLD' }, 412],
  ['an old revision', 'HEAD', '/api/note/ID', { 'if-match': 'OLD' }, 412],
  ['a weak tag', 'GET', '/api/note', { 'if-match': 'LIST' }, 412],
  ['a revision that it has twice', 'GET', '/api/note/ID', { 'if-match': 'TAG', 'if-none-match': 'TAG' }, 304],
  ['a document that is not there', 'GET', '/api/note/000000000000000000000000', { 'if-match': '"x"' }, 404],
];

test.each(conditions)('asks for %s: %s %s %j', async (_what, method, path, headers, status) => {
  const made = await world.as('ann', 'POST', '/api/note', { body: { title: 't', n: 0 } });
  const id = String(made.body['data']._id);
  const tagOf = async (at: string): Promise<string> => (await world.as('ann', 'GET', at)).headers.get('etag') ?? '';
  const old = await tagOf(`/api/note/${id}`);
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { n: 1 } });
  const tags = { TAG: await tagOf(`/api/note/${id}`), OLD: old, LIST: await tagOf('/api/note') };
  const sent = Object.entries(headers).map(([name, text]): [string, string] => [
    name,
    text.replace(/TAG|OLD|LIST/g, (tag) => tags[tag as keyof typeof tags]),
  ]);
  const body = method === 'PUT' || method === 'PATCH' ? { n: 2 } : undefined;
  const types = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const answer = await world.as('ann', method, path.replace('ID', id), {
    body,
    headers: { ...Object.fromEntries(sent), ...types },
  });
  expect([answer.status, await stored(id)]).toEqual([status, method === 'GET' || status > 300 ? 1 : (body?.n ?? 1)]);
});

const stored = async (id: string): Promise<unknown> => (await world.as('ann', 'GET', `/api/note/${id}`)).body['data'].n;

test('PUT with on creates only, or changes only', async () => {
  const put = async (headers: Record<string, string>): Promise<number> =>
    (await world.as('ann', 'PUT', '/api/note?on=isbn', { body: { title: 't', isbn: 'unique' }, headers })).status;
  expect(await put({ 'if-match': '*' })).toBe(412);
  expect(await put({ 'if-none-match': '*' })).toBe(201);
  expect(await put({ 'if-none-match': '*' })).toBe(412);
  expect(await put({ 'if-match': '*' })).toBe(200);
});
