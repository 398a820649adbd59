/** A user model whose emails only admins and the users themselves read (docs/permissions.md, "Names of other users"). */
import { beforeAll, expect, test } from '@jest/globals';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let callers: Callers<'root' | 'ann' | 'bob'>;

beforeAll(async () => {
  const user = `import { Schema } from 'mongoose';
    export default new Schema(
      {
        name: { type: String, required: true },
        email: { type: String, required: true, perms: { admin: 'cru', owner: 'ru' } },
      },
      { perms: { admin: 'crud', user: 'r', owner: 'ru' } } as never,
    );`;
  server = await startServer({ models: { 'user.ts': user } });
  callers = await makeCallers(server, ['root', 'ann', 'bob']);
});

test('users list names and their own email', async () => {
  const { rows } = await server.get('/api/user?sort=name', callers.ann);
  expect(rows.map(({ name, email }) => [name, email])).toEqual([
    ['ann', 'ann@x.test'],
    ['bob', undefined],
    ['root', undefined],
  ]);
  const found = await server.get('/api/user?filter[email]=bob@x.test', callers.ann);
  expect(found.status).toBe(400);
});

test('admins read all emails, and users still sign in by theirs', async () => {
  const { rows } = await server.get('/api/user?sort=name', callers.root);
  expect(rows.map(({ email }) => email)).toEqual(['ann@x.test', 'bob@x.test', 'root@x.test']);
  const made = { name: 'eve', email: 'eve@x.test', password: 'pw-eve-1' };
  expect((await server.post('/api/user', made, callers.root)).status).toBe(201);
  expect((await server.post('/login', { email: made.email, password: made.password })).status).toBe(200);
});
