/** Pages of entries that are larger than an answer: a page ends where the next entry has no room. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const maxBytes = 30_000;
const models = {
  'note.js': `module.exports = new (require('mongoose').Schema)({ text: String, size: Number },
    { perms: { admin: 'crud' }, history: true });`,
};

let server: TestServer;
let root: { readonly headers: Readonly<Record<string, string>> };
const ids: string[] = [];

beforeAll(async () => {
  server = await startServer({ models, query_limits: { max_response_size: maxBytes } });
  const { headers } = await makeRoot(server);
  root = { headers };
  for (const letter of ['a', 'b']) {
    const { document } = await server.post('/api/note', { text: letter.repeat(6000) }, root);
    ids.push(String(document['_id']));
    for (let rev = 2; rev <= 9; rev++)
      await server.put(`/api/note/${ids.at(-1)}`, { text: letter.repeat(6000 + rev), size: rev }, root);
  }
});

interface Entry {
  readonly id?: string;
  readonly rev: number;
  readonly changes: readonly { readonly path: string }[];
  readonly omitted?: boolean;
}

/** All entries of a list, page by page, and the number of the pages. */
async function walk(path: string): Promise<{ readonly entries: readonly Entry[]; readonly pages: number }> {
  const entries: Entry[] = [];
  let [after, pages] = ['', 0];
  do {
    const { status, text, body } = await server.get(path + after, root);
    expect([status, Buffer.byteLength(text) <= maxBytes]).toEqual([200, true]);
    expect(body['data'].length).toBeGreaterThan(0);
    entries.push(...(body['data'] as Entry[]));
    after = body['next_cursor'] === undefined ? '' : `&after=${encodeURIComponent(String(body['next_cursor']))}`;
    pages += 1;
  } while (after !== '' && pages < 100);
  return { entries, pages };
}

const revs = [9, 8, 7, 6, 5, 4, 3, 2, 1];

describe.each([1, 2, 4, 20, 100])('pages of %i', (limit) => {
  test('of a document', async () => {
    const { entries, pages } = await walk(`/history/note/${ids[0]}?limit=${limit}`);
    expect(entries.map(({ rev }) => rev)).toEqual(revs);
    expect(entries.every(({ changes, omitted }) => changes.length > 0 && omitted === undefined)).toBe(true);
    expect(pages).toBeGreaterThan(3);
  });

  test('of a model', async () => {
    const { entries } = await walk(`/history/note?limit=${limit}`);
    expect(entries.map(({ id, rev }) => [id, rev])).toEqual(
      [ids[1], ids[0]].flatMap((id) => revs.map((rev) => [id, rev])),
    );
  });
});

test('an entry that is larger than an answer is without its changes', async () => {
  const { document } = await server.post('/api/note', { text: 'short' }, root);
  const id = String(document['_id']);
  await server.put(`/api/note/${id}`, { text: 'x'.repeat(maxBytes - 400) }, root);
  await server.put(`/api/note/${id}`, { text: 'short', size: 2 }, root);
  const { entries } = await walk(`/history/note/${id}?limit=20`);
  expect(entries.map(({ rev, changes, omitted }) => [rev, changes.length > 0, omitted])).toEqual([
    [3, false, true],
    [2, false, true],
    [1, true, undefined],
  ]);
  expect((await server.get(`/history/note/${id}/2`, root)).status).toBe(200);
});

test('a document of 10 MB has its entries, with the usual limits of answers', async () => {
  const usual = await startServer({ models, max_body_size: 16 * 1024 * 1024 });
  const owner = await makeRoot(usual);
  const large = 'x'.repeat(10 * 1024 * 1024);
  const { document } = await usual.post('/api/note', { text: large }, owner);
  const path = `/history/note/${String(document['_id'])}`;
  for (const size of [2, 3]) await usual.put(`/api/note/${String(document['_id'])}`, { size }, owner);
  for (const query of ['', '?limit=1', '?limit=2', '?limit=100']) {
    const { status, rows } = await usual.get(path + query, owner);
    expect([query, status, rows[0]?.['rev']]).toEqual([query, 200, 3]);
  }
  // the document itself is larger than an answer
  expect(await usual.get(`${path}/2`, owner)).toMatchObject({
    status: 413,
    body: {
      err: expect.stringMatching(
        /^an answer must have at most 10485760 bytes \(QUERY_LIMITS_MAX_RESPONSE_SIZE\), and this one has 104\d{5}: /,
      ),
    },
  });
  await usual.close();
});
