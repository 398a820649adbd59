/** Bulk replacements, where a field may be changed by a document's owner only. */
import { beforeAll, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

let server: PeopledServer<'root' | 'ann' | 'eve'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'eve'], {
    models: {
      page: `import { Schema } from 'mongoose';
export default new Schema(
  { title: String, draft: { type: String, perms: { user: 'cr', owner: 'u' } }, seal: { type: String, perms: { all: 'cr' } } },
  { perms: { user: 'cru' }, advanced_queries: { bulkwrite: true } },
);`,
    },
  });
});

/** Ann's page, replaced by a caller. @returns what the write matched, and the page after it */
async function replacedBy(person: 'ann' | 'eve', page: object, replacement: object): Promise<unknown> {
  const { document } = await server.as('ann', 'POST', '/api/page', { body: page });
  const filter = { _id: document['_id'] };
  const body = [{ replaceOne: { filter, replacement } }];
  const { status, body: answer } = await server.as(person, 'POST', '/bulkwrite/page', { body });
  const { title, draft, seal } = (await server.as('ann', 'GET', `/api/page/${String(document['_id'])}`)).document;
  return [status, answer['data'].nMatched, { title, draft, seal }];
}

test('a replacement that names the field changes it in own documents', async () => {
  expect(await replacedBy('ann', { title: 'a', draft: 'old', seal: 's' }, { title: 'b', draft: 'new' })).toEqual([
    200,
    1,
    { title: 'b', draft: 'new', seal: 's' },
  ]);
});

test.each([{ title: 'a', draft: 'old' }, { title: 'a' }])(
  'and does not match the document of another user, %j',
  async (page) => {
    expect(await replacedBy('eve', page, { title: 'b', draft: 'new' })).toEqual([200, 0, page]);
  },
);

test('a replacement that does not name the field keeps it', async () => {
  for (const person of ['ann', 'eve'] as const)
    expect(await replacedBy(person, { title: 'a', draft: 'old' }, { title: 'b' })).toEqual([
      200,
      1,
      { title: 'b', draft: 'old' },
    ]);
});
