/** `_deleted: true` in a change needs `d` on the document as well as `u`. */
import { beforeAll, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

let server: PeopledServer<'root' | 'eve'>;
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], {
    models: {
      task: `import { Schema } from 'mongoose';
const done = { where: { done: true } };
export default new Schema({ done: Boolean, shown: Boolean }, { perms: { user: { c: true, r: { where: { shown: true } }, u: true, d: done } } });`,
    },
  });
});

test.each([
  ['PUT', 'api'],
  ['PUT', 'update'],
  ['POST', 'update'],
])('%s /%s: 403 for a document that the caller may read, 404 for another', async (method, folder) => {
  const results = [];
  for (const task of [{ shown: true }, { shown: false }, { shown: true, done: true }]) {
    const made = await server.as('eve', 'POST', '/api/task', { body: task });
    const id = made.headers.get('location')?.split('/').at(-1) ?? '';
    const { status } = await server.as('eve', method, `/${folder}/task/${id}`, { body: { _deleted: true } });
    results.push(status);
  }
  expect(results).toEqual([403, 404, 200]);
});
