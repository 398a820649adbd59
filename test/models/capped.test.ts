/** A capped collection takes new documents, and refuses all other writes (docs/models.md). */
import { expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

test('documents of a capped collection are created and read, and neither changed nor removed', async () => {
  const server = await startServer({
    models: {
      line: ({ Schema }) =>
        new Schema({ text: String }, {
          capped: { size: 4096, max: 2 },
          perms: { all: 'crud' },
          advanced_queries: { bulkwrite: true },
        } as object),
    },
  });
  const root = await makeRoot(server);
  for (const text of ['a', 'b', 'c']) expect((await server.post('/api/line', { text })).status).toBe(201);
  const { rows } = await server.get('/api/line');
  expect(rows).toMatchObject([{ text: 'b' }, { text: 'c' }]);
  const path = `/line/${String(rows[0]?.['_id'])}`;
  const filter = { _id: rows[0]?.['_id'] };
  for (const answer of [
    await server.put(`/api${path}`, { text: 'longer' }, root),
    await server.put(`/update${path}`, { text: 'longer' }, root),
    await server.send('PATCH', `/api${path}`, { body: { text: 'longer' } }),
    await server.remove(`/api${path}`, root),
    await server.remove(`/api${path}?_permaDelete=1`, root),
    await server.post('/bulkwrite/line', [{ updateOne: { filter, update: { $set: { text: 'longer' } } } }], root),
    await server.post('/batch', { operations: [{ method: 'POST', path: '/api/line', body: { text: 'd' } }] }, root),
  ])
    expect(answer).toMatchObject({
      status: 400,
      body: { err: expect.stringMatching(/capped .* collections take new documents/) },
    });
  expect((await server.get('/api/line')).rows).toEqual(rows);
});
