/** The user model in docs/permissions.md: users see the names of others and cannot change them. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { basic, makeRoot } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const guide = readFileSync('docs/permissions.md', 'utf8');
const [, model] = /## Names of other users[^#]*?```ts\n([^`]+)```/.exec(guide) ?? [];

test('names are visible to signed-in users only, and changed by their owner', async () => {
  const task = ({ Schema, ObjectId }: any) =>
    new Schema({ assignee_id: { type: ObjectId, link: 'user' } }, { perms: { user: 'cr' } });
  const server = await startServer({ models: { user: String(model), task } });
  const root = await makeRoot(server);
  const people: Record<string, { id: string; headers: Record<string, string> }> = {};
  for (const name of ['ann', 'eve']) {
    const user = { name, email: `${name}@x.test`, password: `pw-${name}-1` };
    const { body } = await server.post('/api/user', user, root);
    const { _id: id } = body['data'] as { _id: string };
    people[name] = { id, headers: { ...basic(user.email, user.password) } };
  }
  const [ann, eve] = [people['ann'], people['eve']];
  const listed = await server.get('/api/user?fields=name&filter[name]=eve', ann);
  expect(listed.rows).toEqual([{ _id: eve?.id, id: eve?.id, name: 'eve' }]);
  expect((await server.get('/api/user?fields=name')).status).toBe(401);
  await server.post('/api/task', { assignee_id: eve?.id }, ann);
  expect((await server.get('/api/task?populate[assignee]=name', ann)).rows).toMatchObject([
    { assignee: { name: 'eve' } },
  ]);
  expect((await server.put(`/api/user/${eve?.id}`, { name: 'x' }, ann)).status).toBe(403);
  expect((await server.put(`/api/user/${eve?.id}`, { name: 'Eve' }, eve)).status).toBe(200);
  expect((await server.post('/api/user', { name: 'x', email: 'n@x.test', password: 'p' }, ann)).status).toBe(403);
  await server.close();
});
