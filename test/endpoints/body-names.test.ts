/** Bodies of the server's own operations have only the names that OpenAPI shows. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compileNames } from '../../src/operations/body-check.ts';
import { operationGroups } from '../../src/start/operations.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    signup: 'open',
    models: {
      film: ({ Schema }) =>
        new Schema(
          { title: String },
          {
            perms: { admin: 'crud' },
            history: true,
            advanced_queries: { query: true, aggregate: true, bulkwrite: true },
          },
        ),
    },
    admin: { email: emailOf('root'), password: passwordOf('root') },
  });
});

const closed = operationGroups
  .flatMap(({ operations }) => operations)
  .flatMap(({ http: { method, path }, input }) => {
    const { schema, checksNamesItself } = input?.body ?? {};
    // the body of a GET has no meaning
    const isClosed =
      method !== 'GET' &&
      typeof schema === 'object' &&
      checksNamesItself !== true &&
      compileNames(schema) !== undefined;
    return isClosed ? [`${method} ${path}`] : [];
  });

test('operations of all kinds have such bodies', () => {
  expect(closed).toEqual(
    expect.arrayContaining([
      'POST /login/code',
      'POST /login/jwt',
      'POST /login/getjwt',
      'PUT /login/email',
      'POST /login/mfa',
      'PUT /login/mfa',
      'DELETE /login/mfa',
      'PUT /schedules/:name',
      'POST /history/:model/:id/revert',
    ]),
  );
});

describe('a name that a body does not have is a 400 that names it', () => {
  test.each(closed)('%s', async (operation) => {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(':model', 'film').replace(/:\w+/g, '000000000000000000000001');
    const { status, body } = await server.send(method, path, { headers: rootBasic, body: { unheard: 1 } });
    expect({ status, err: body['err'] }).toEqual({
      status: 400,
      err: expect.stringMatching(
        method === 'POST' && path === '/query/film'
          ? /^"unheard" is not a part of the body, which is /
          : /^unheard is unknown; there (is|are) \w+/,
      ),
    });
  });

  test('with the nearest name', async () => {
    const { body } = await server.put('/login/email', { emial: 'new@example.org' }, { headers: rootBasic });
    expect(body['err']).toBe('emial is unknown; there are email, password; did you mean "email"?');
  });
});

test.each([
  ['/login/recover', { email: emailOf('nobody'), subject: 'x' }, 404],
  ['/aggregate/film', { query: [], allowDiskUse: true }, 200],
  ['/login', { email: emailOf('root'), password: passwordOf('root'), remember: true }, 200],
  ['/login/password', { password: passwordOf('root'), new_password: passwordOf('root'), repeated: 'x' }, 200],
])('%s leaves names out that have no effect: %j', async (path, body, status) => {
  expect((await server.post(path, body, { headers: rootBasic })).status).toBe(status);
});
