/** Answers that differ from those of JXP in two requests, as docs/migrating.md lists them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emailOf, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { rowsOf } from './tables.ts';

let server: PeopledServer<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], {
    models: {
      note: ({ Schema }: ModelTools) =>
        new Schema({ n: Number }, {
          perms: { user: 'cr', admin: 'crud' },
          advanced_queries: { bulkwrite: true },
        } as object),
    },
  });
});
afterAll(() => server.close());

const rowOf = (request: string) => rowsOf('docs/migrating.md', 'Request', 'JXP').find(([name]) => name === request);

test('a login has no provider', async () => {
  expect(rowOf('`POST /login`')).toEqual([expect.anything(), 'has `provider`', 'has none', expect.anything()]);
  const login = await server.post('/login', { email: emailOf('bob'), password: passwordOf('bob') });
  expect([login.status, 'provider' in login.body]).toEqual([200, false]);
});

test('deleteOne in a bulk write deletes, for callers who may', async () => {
  expect(rowOf('`deleteOne` in a bulk write')?.slice(1, 3)).toEqual(['403', expect.stringContaining('letter `d`')]);
  const { document } = await server.as('ann', 'POST', '/api/note', { body: { n: 1 } });
  const body = [{ deleteOne: { filter: { _id: document['_id'] } } }];
  expect((await server.as('ann', 'POST', '/bulkwrite/note', { body })).status).toBe(403);
  expect((await server.as('root', 'POST', '/bulkwrite/note', { body })).status).toBe(200);
  expect((await server.as('ann', 'GET', `/api/note/${String(document['_id'])}`)).status).toBe(404);
});
