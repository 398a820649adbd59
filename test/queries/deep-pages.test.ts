/** Reading a large collection to its end under concurrent writes: documents that exist all the time are returned once, in order. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

const many = 2000;
/** Eight pages, each read during some writes. */
const limit = 250;

let server: TestServer;
/** The documents that are not deleted. */
let lasting: readonly string[];
/** Documents for the writers to delete, spread over the whole collection. */
let doomed: string[];

beforeAll(async () => {
  server = await startServer({
    models: { page: ({ Schema }) => new Schema({ n: Number, times: Number }, { perms: { all: 'crud' } }) },
  });
  const rows = Array.from({ length: many }, (_, n) => ({ n, times: 0, _deleted: false }));
  const { insertedIds } = await server.dossier.services.connection.collection('pages').insertMany(rows);
  const ids = Object.values(insertedIds).map(String);
  doomed = ids.filter((_, at) => at % 10 === 3);
  lasting = ids.filter((_, at) => at % 10 !== 3);
});

type Write = (round: number) => Promise<Answer>;

const insert: Write = (round) => server.post('/api/page', { n: round % many, times: 0 });
const change: Write = (round) =>
  server.put(`/api/page/${lasting[(round * 7919) % lasting.length] ?? ''}`, { times: round });
const remove: Write = (round) =>
  server.remove(`/api/page/${doomed.shift() ?? ''}${round % 2 === 0 ? '?_permaDelete=1' : ''}`);

interface Page {
  readonly ids: readonly string[];
  readonly next: string | undefined;
}

/** Reads page by page, with writes during each read. @returns all ids, in the order of the answers */
async function walk(first: string, pathAfter: (page: Page) => string | undefined, writes: readonly Write[]) {
  const seen: string[] = [];
  let round = 0;
  for (let path: string | undefined = first; path !== undefined;) {
    const writing = Promise.all(writes.flatMap((write) => [write(round++), write(round++), write(round++)]));
    const { status, rows, body } = await server.get(path);
    for (const { status: written } of await writing) expect([200, 201]).toContain(written);
    expect(status).toBe(200);
    const ids = rows.map(({ _id }) => String(_id));
    seen.push(...ids);
    if (seen.length > 2 * many) throw new Error('there is no end to it');
    path = pathAfter({ ids, next: body['next'] as string | undefined });
  }
  return seen;
}

const list = `/api/page?limit=${limit}`;
const byId = `${list}&sort=_id`;

test.each([
  { name: 'by next, while others create and change', first: list, writes: [insert, change] },
  { name: 'by next, counted', first: `${list}&page=1`, writes: [insert, change] },
  { name: 'by next, sorted by n, while others change', first: `${list}&sort=n`, writes: [change] },
  {
    name: 'by the last _id, while others create, change and delete',
    first: byId,
    writes: [insert, change, remove],
    pathAfter: ({ ids }: Page) => (ids.length < limit ? undefined : `${byId}&filter[_id]=$gt:${ids.at(-1) ?? ''}`),
  },
])('$name', async ({ first, writes, pathAfter = ({ next }: Page) => next }) => {
  const seen = await walk(first, pathAfter, writes);
  expect(new Set(seen).size).toBe(seen.length);
  const wanted = new Set(lasting);
  expect(seen.filter((id) => wanted.has(id))).toEqual(lasting);
});

test('writes during a read do not change a page that is requested by its number', async () => {
  const path = `${list}&page=7`;
  const before = (await server.get(path)).rows.map(({ _id }) => _id);
  for (let round = 0; round < 10; round++) {
    const [answer] = await Promise.all([server.get(path), insert(round), change(round), change(round + 10)]);
    expect(answer.rows.map(({ _id }) => _id)).toEqual(before);
  }
});
