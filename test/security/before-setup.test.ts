/**
 * Before the setup no caller makes a user, which would close the setup, but by the operations of the setup (docs/threats.md, "Setup and the first
 * admin"). The operations are those of the server, so that a new one is tried, too.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { operationGroups } from '../../src/start/operations.ts';
import { startServer, type TestServer } from '../support/server.ts';

const user = { email: 'first@x.test', password: 'a long password', name: 'First', admin: true };
const createTool = { name: 'create', arguments: { model: 'user', document: user, values: user } };
/** What makes a user somewhere, or looks as if it might. */
const bodies: readonly unknown[] = [
  user,
  [user],
  { user: [user] },
  { ...user, jwt: 'x', new_password: user.password },
  [{ insertOne: { document: user } }],
  [{ updateOne: { filter: { email: user.email }, update: { $set: user }, upsert: true } }],
  [{ method: 'POST', path: '/api/user', body: user }],
  { operations: [{ method: 'POST', path: '/api/user', body: user }] },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: createTool },
];

/** All operations that may write, with an address that leads to users. */
const writing = operationGroups
  .flatMap(({ operations }) => operations)
  .filter(({ http }) => http.method !== 'GET')
  .map(({ name, http: { method, path } }) => ({
    name,
    method,
    path: path.replace(':model', 'user').replaceAll(/:\w+/g, '6b078ee8e20675eec7af5533'),
  }));

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    signup: 'open',
    models: {
      user: ({ Schema }) =>
        new Schema({ name: String, email: { type: String, unique: true }, password: String }, {
          perms: { all: 'crud' },
          advanced_queries: { bulkwrite: true },
        } as object),
    },
  });
});

/** Whether an operation makes a user, who is removed. */
async function makesUser(
  { method, path }: (typeof writing)[number],
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const users = server.dossier.services.connection.collection('users');
  const statuses = [];
  for (const query of ['', '?on=email'])
    for (const body of bodies) statuses.push((await server.send(method, path + query, { body, headers })).status);
  expect([path, statuses.filter((status) => status >= 500)]).toEqual([path, []]);
  const { deletedCount } = await users.deleteMany({});
  return deletedCount > 0;
}

test.each([
  ['a caller', {}, ['setup.createAdmin', 'setup.insertData']],
  ['a page of another origin', { origin: 'https://other.example' }, []],
])('%s makes the first user by no other operation', async (_caller, headers, expected) => {
  const made = [];
  for (const operation of writing) if (await makesUser(operation, headers)) made.push(operation.name);
  expect(made).toEqual(expected);
});
