/** `updateMany` whose results are judged, while another caller changes its documents between the read and the write. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import type { Answer } from '../support/client.ts';
import { as, type Caller, makeRoot } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({
    models: {
      'stock.js': `module.exports = (({ Schema }) => new Schema(
        { code: String, left: { type: Number, min: 0 } },
        { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, history: true },
      ))(require('mongoose'));`,
    },
  });
  root = await makeRoot(server);
});
afterAll(() => server.close());

let ids: readonly string[] = [];
beforeEach(async () => {
  const made = ['a', 'b', 'c'].map((code) => server.post('/api/stock', { code, left: 10 }));
  ids = (await Promise.all(made)).map(({ document }) => String(document['_id']));
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const id of ids) await server.remove(`/api/stock/${id}?_permaDelete=1`);
});

/** Has another caller do something after each of the next reads of the documents. @returns how often it was done */
function afterReads(count: number, other: () => Promise<unknown>): () => number {
  const { collection } = modelOf(server.dossier.services.registry.internal('stock'));
  const find = collection.find.bind(collection);
  let done = 0;
  jest.spyOn(collection, 'find').mockImplementation((...given: Parameters<typeof find>) => {
    const cursor = find(...given);
    const read = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      const rows = await read();
      // the read of an update that is judged, of which the other caller's has none
      if (given[1]?.limit !== undefined && done < count) {
        done += 1;
        await other();
      }
      return rows;
    };
    return cursor;
  });
  return () => done;
}

const take = (by: number): Promise<Answer> =>
  server.post('/bulkwrite/stock', [{ updateMany: { filter: {}, update: { $inc: { left: -by } } } }], as(root));
const otherAdds = (id: string): Promise<Answer> =>
  server.send('PATCH', `/api/stock/${id}`, { body: { $inc: { left: 1 } } });
const left = async (): Promise<readonly unknown[]> =>
  (await server.get('/api/stock?sort[code]=1')).rows.map((row) => row['left']);

// outside of the transaction, in it, and in the one that begins again
needs('transactions').each([[1], [2], [3]])('changes those that another caller has changed %d times', async (times) => {
  const done = afterReads(times, () => otherAdds(String(ids[1])));
  const { status, body } = await take(2);
  expect([status, body['data']]).toMatchObject([200, { nMatched: 3, nModified: 3 }]);
  expect(done()).toBe(times);
  expect(await left()).toEqual([8, 8 + times, 8]);
});

needs('transactions')('judges those again that another caller has changed', async () => {
  afterReads(1, () => server.put(`/api/stock/${String(ids[1])}`, { left: 1 }));
  const { status, body } = await take(2);
  expect([status, body['index'], body['data']]).toMatchObject([400, 0, { nMatched: 0, nModified: 0 }]);
  expect(await left()).toEqual([10, 1, 10]);
});

needs('transactions')('names the operation whose documents others keep changing, and changes none', async () => {
  const done = afterReads(Infinity, () => otherAdds(String(ids[1])));
  const { status, text, body } = await take(2);
  expect([status, body['index'], body['data']]).toMatchObject([503, 0, { nMatched: 0, nModified: 0 }]);
  expect(text).toContain('other requests keep changing the same documents');
  const others = done();
  jest.restoreAllMocks();
  expect(others).toBeLessThan(30);
  expect(await left()).toEqual([10, 10 + others, 10]);
});

needs('transactions')('leaves out those that another caller has removed', async () => {
  afterReads(1, () => server.remove(`/api/stock/${String(ids[1])}?_permaDelete=1`));
  const { status, body } = await take(2);
  expect([status, body['data']]).toMatchObject([200, { nMatched: 2, nModified: 2 }]);
  expect(await left()).toEqual([8, 8]);
});
