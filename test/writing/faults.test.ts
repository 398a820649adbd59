/** Errors of values: they name the whole path, and contain no internal text (docs/errors.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Caller;
let id: string;
beforeAll(async () => {
  server = await startServer({
    models: {
      vault: `import { Schema } from 'mongoose';
const login = { site: String, password: String };
const short = (list) => list.length < 3;
const told = (value) => { if (value === 'no') throw new Error('say please'); return true; };
export default new Schema(
  { title: String, login, logins: [login], list: { type: [String], validate: short }, word: { type: String, validate: told } },
  { perms: { all: 'crud' } },
);`,
    },
  });
  root = await makeRoot(server);
  id = String((await server.post('/api/vault', { title: 'a' })).document['_id']);
});

describe.each([
  ['POST', (values: object) => server.post('/api/vault', values)],
  ['PUT /api', (values: object) => server.put(`/api/vault/${id}`, values)],
  ['PUT /update', (values: object) => server.put(`/update/vault/${id}`, values)],
] as const)('%s', (_name, send) => {
  test.each([
    [{ login: { password: '' } }, 'login.password', 'login.password must not be empty'],
    [{ logins: [{ site: 'a' }, { password: 'x'.repeat(73) }] }, 'logins.1.password', /must have at most 72 bytes/],
    [{ list: null }, 'list', 'list is not valid'],
    [{ word: 'no' }, 'word', 'say please'],
  ] as const)('%j', async (values, path, message) => {
    const { status, body } = await send(values);
    const said: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path, message: said }] } });
  });
});

test('an error of a new password names new_password', async () => {
  const sent = { password: root.password, new_password: 'x'.repeat(73) };
  const { status, body } = await server.post('/login/password', sent, root);
  expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'new_password' }] } });
});

test('setup data names models in any letter case', async () => {
  const { status, body } = await server.post(
    '/setup/data',
    { Vault: [{ title: 'b' }], VAULTS: [{ title: 'c' }] },
    root,
  );
  expect({ status, body }).toMatchObject({ status: 200, body: { results: { vault: { insertedCount: 2 } } } });
});
