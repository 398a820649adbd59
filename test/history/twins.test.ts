/** Two databases that differ only in what a caller may not see answer the same about their histories, byte for byte. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'file.js': `module.exports = new (require('mongoose').Schema)({
    title: String, hidden: { type: {}, perms: { admin: 'cru' } }, free: {},
    list: [{ _id: false, open: Number, closed: { type: Number, perms: { admin: 'cru' } } }],
    nested: { open: Number, closed: { type: {}, perms: { admin: 'cru' } } }, login: { site: String, password: String },
    mine: { type: Number, perms: { admin: 'cru', owner: 'ru' } },
  }, { perms: { admin: 'crud', all: { r: { where: { secret: false } } } }, history: true });`,
};
const withRule = { 'file.js': models['file.js'].replace('title: String', 'title: String, secret: Boolean') };

const root = { headers: rootBasic };
const id = '66f1c0a4e8b7a2d3c4e5f607';
const other = '66f1c0a4e8b7a2d3c4e5f608';
const removed = '66f1c0a4e8b7a2d3c4e5f609';

const begun = Date.parse('2056-01-01');
interface Twin {
  readonly server: TestServer;
  /** A value that only this one has. */
  readonly own: (one: unknown, other: unknown) => unknown;
}
let twins: readonly [Twin, Twin];

async function start(own: Twin['own']): Promise<Twin> {
  let now = begun;
  const server = await startServer({ models: withRule, clock: () => new Date((now += 1000)) });
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  return { server, own };
}

/** The same requests of an admin; what is hidden has values of the twin. */
async function write({ server, own }: Twin): Promise<void> {
  const put = async (_id: string, body: object): Promise<void> =>
    expect(await server.put(`/api/file/${_id}`, body, root)).toMatchObject({ status: 200 });
  const post = async (body: object): Promise<void> =>
    expect(await server.post('/api/file', body, root)).toMatchObject({ status: 201 });
  await post({
    ...{
      _id: id,
      title: 'a',
      secret: false,
      hidden: own(1, { deep: [1] }),
      nested: { open: 1, closed: own(1, null) },
    },
    ...{
      list: [{ open: 1, closed: own(1, 2) }],
      login: { site: 's', password: own('Ax7!word-one', 'Bx7!word-two') },
    },
    ...{ free: { spaced: 1, password: own('x1', 'x2') }, mine: own(1, 2) },
  });
  await put(id, { hidden: own(2, { deep: [1] }), mine: own(1, 3) });
  await put(id, { 'nested.closed': own({ k: 1 }, 'text'), list: [{ open: 1, closed: own(5, 2) }] });
  await put(id, { free: { spaced: 1, password: own('y1', 'x2') } });
  await put(id, {
    list: [
      { open: 1, closed: own(1, 2) },
      { open: 2, closed: own(3, 4) },
    ],
    'login.password': own('Cx7!w-1', 'Dx7!w-2'),
  });
  // a document that the caller may not see, and one that was hidden for a time, with values of the twin
  await post({ _id: other, title: own('x', 'y'), secret: true });
  await put(other, { title: own('z', 'z2') });
  await put(id, { secret: true, title: own('while hidden 1', 'while hidden 2') });
  await put(id, { secret: false, title: 'b' });
  await post({ _id: removed, title: own('r1', 'r2'), secret: false });
  await server.remove(`/api/file/${removed}?_permaDelete=1`, root);
}

beforeAll(async () => {
  twins = await Promise.all([start((one) => one), start((_, two) => two)]);
  for (const twin of twins) await write(twin);
});
afterAll(async () => {
  for (const { server } of twins) await server.close();
});

/** An answer without ids and cursors, which are different in any two databases. */
const bare = (text: string): string =>
  text
    .replaceAll(/"(who|request_id|_owner_id|_updated_by_id|next_cursor|to|from)":"[0-9a-zA-Z_-]{24,}"/g, '"$1":"<id>"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<date>');

const paths = [
  ...[id, other, removed].map((one) => `/history/file/${one}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((rev) => `/history/file/${id}/${rev}`),
  ...['', '?limit=2', '?op=change', '?op=remove', '?since=2020-01-01'].map((query) => `/history/file${query}`),
  `/history/file/${id}?limit=1`,
  `/history/file/${other}/1`,
  `/api/file/${id}?at=2020-01-01`,
  `/api/file/${id}?at=2300-01-01`,
  `/api/file/${id}?at=2300-01-01&fields=hidden`,
  `/api/file/${other}?at=2300-01-01`,
];

test.each(paths)('%s answers the same', async (path) => {
  const [one, two] = await Promise.all(twins.map(({ server }) => server.get(path)));
  expect(one?.status).toBe(two?.status);
  expect(bare(one?.text ?? '')).toBe(bare(two?.text ?? ''));
});

test('and the answers have entries, of which some are empty', async () => {
  const { body } = await twins[0].server.get(`/history/file/${id}`);
  const entries = body.data as { rev: number; changes: { path: string }[] }[];
  expect(entries.map(({ rev }) => rev)).toEqual([7, 5, 4, 3, 2, 1]);
  expect(entries.slice(2, 5).map(({ changes }) => changes)).toEqual([[], [], []]);
  expect(JSON.stringify(entries)).not.toMatch(/while hidden|hidden|closed|mine|password/);
});
