/** `GET /me`: the caller, and the credential of the request. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Sent } from '../support/client.ts';
import { basic, bearer, type Caller, jwtOf, openPeople, type PeopledServer } from '../support/fixtures/people.ts';

let server: PeopledServer<'root' | 'ann' | 'ed'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'ed'], {
    models: {
      note: ({ Schema }: any) => new Schema({ title: String }, { perms: { user: 'crud', editors: 'r' } }),
    },
  });
});

const nothing = { session: null, key: null, expires: null };
const idPattern = /^[0-9a-f]{24}$/;

describe('the caller is described', () => {
  test('by a token, with its session and its end', async () => {
    const { ann } = server.callers;
    const { status, body } = await server.get('/me', ann);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        user: { _id: ann.user_id, id: ann.user_id, email: 'ann@x.test', name: 'ann', admin: false, groups: [] },
        roles: ['all', 'user'],
        method: 'token',
        session: expect.stringMatching(idPattern),
        key: null,
        expires: ann.token_expires,
      },
    });
  });

  test.each<[string, (ann: Caller) => Sent]>([
    ['basic', ({ email, password }) => ({ headers: basic(email, password) })],
    ['apikey', ({ apikey }) => ({ headers: { 'x-api-key': apikey } })],
  ])('by %s, which does not expire', async (method, sent) => {
    const { status, document } = await server.get('/me', sent(server.callers.ann));
    expect([status, document]).toMatchObject([200, { ...nothing, method, user: { email: 'ann@x.test' } }]);
  });

  test('by a JWT, with its end', async () => {
    const jwt = await jwtOf(server, server.callers.ann);
    const { document } = await server.get(`/me?jwt=${jwt}`);
    expect(document).toMatchObject({ method: 'jwt', session: null, key: null });
    const days = (Date.parse(String(document['expires'])) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(2, 2);
  });

  test('with the roles of admins and groups', async () => {
    const rolesOf = async (name: 'root' | 'ed') => (await server.get('/me', server.callers[name])).document['roles'];
    expect(await rolesOf('root')).toEqual(['all', 'admin', 'user']);
    expect(await rolesOf('ed')).toEqual(['all', 'user', 'editors']);
  });
});

test('no credentials and wrong credentials get a 401', async () => {
  expect((await server.get('/me')).status).toBe(401);
  expect((await server.get('/me', { headers: bearer('wrong') })).status).toBe(401);
});

test('a field that the caller may not read is left out', async () => {
  const own = await openPeople(['root', 'ann'], {
    models: {
      user: ({ Schema }: any) =>
        new Schema({ groups: { type: [String], perms: { admin: 'cru' } } }, { perms: { owner: 'r' } }),
    },
  });
  const groupsOf = async (name: 'root' | 'ann') =>
    ((await own.get('/me', own.callers[name])).document['user'] as { groups?: string[] }).groups;
  expect(await groupsOf('root')).toEqual([]);
  expect(await groupsOf('ann')).toBeUndefined();
});
