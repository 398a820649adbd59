/** An admin who acts as another user, by a JWT of `/login/getjwt`, is named: in records, at `/me` and in the log. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document, Sent } from '../support/client.ts';
import { listen } from '../support/event-stream.ts';
import { bearer, emailOf, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';

type Names = 'root' | 'rita' | 'ann' | 'eve';
let server: PeopledServer<Names>;
beforeAll(async () => {
  server = await openPeople(['root', 'rita', 'ann', 'eve'], {
    max_sessions: 100,
    models: {
      'note.ts': ({ Schema }) => new Schema({ text: String }, { perms: { user: 'crud' } } as object),
    },
  });
});

const id = (name: Names): string => server.callers[name].user_id;
const list = async (): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', '/audit?sort=_id&limit=1000')).rows;

/** What some work adds to the audit log. */
async function recorded(work: () => Promise<unknown>): Promise<readonly Document[]> {
  const before = new Set((await list()).map(({ _id }) => _id));
  await work();
  return (await list()).filter(({ _id }) => !before.has(_id));
}
const short = ({ what, who, whom, method, by }: Document): Document => ({ what, who, whom, method, by });

async function jwtAs(headers: Sent['headers'], name: Names): Promise<string> {
  const answer = await server.post('/login/getjwt', { email: emailOf(name) }, { headers: headers ?? {} });
  if (answer.status !== 200) throw new Error(answer.text);
  return String(answer.body['jwt']);
}
const jwtOf = (name: Names): Promise<string> => jwtAs(server.callers.root.headers, name);

/** Logs in as another user. @returns the tokens */
async function actAs(name: Names): Promise<Readonly<Record<'token' | 'refresh_token', string>>> {
  return (await server.post('/login/jwt', { jwt: await jwtOf(name) })).body as never;
}

const me = async (path: string, sent: Sent = {}): Promise<unknown> => (await server.get(path, sent)).document['by'];

test('the JWT is a record of its own, and so is none of oneself', async () => {
  const found = await recorded(() => jwtOf('ann'));
  expect(found.map(short)).toEqual([
    { what: 'jwt.created', who: id('root'), whom: id('ann'), method: 'token', by: undefined },
  ]);
  expect(await recorded(() => jwtAs(server.callers.ann.headers, 'ann'))).toEqual([]);
  const refused = await recorded(() =>
    server.as('ann', 'POST', '/login/getjwt', { body: { email: emailOf('eve') } }).then(({ status }) => {
      expect(status).toBe(403);
    }),
  );
  expect(refused).toEqual([]);
});

describe('/me names the admin', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['by the JWT', async () => me(`/me?jwt=${await jwtOf('eve')}`)],
    ['by a session that it began', async () => me('/me', { headers: bearer((await actAs('eve')).token) })],
    [
      'by that session after a refresh',
      async () => {
        const headers = bearer((await actAs('eve')).refresh_token);
        const { body } = await server.post('/refresh', undefined, { headers });
        return me('/me', { headers: bearer(String(body['token'])) });
      },
    ],
    [
      'by a JWT that such a session has created of itself',
      async () => me(`/me?jwt=${await jwtAs(bearer((await actAs('eve')).token), 'eve')}`),
    ],
    [
      'by a JWT that such an admin has created of a third user',
      async () => me(`/me?jwt=${await jwtAs(bearer((await actAs('rita')).token), 'eve')}`),
    ],
  ])('%s', async (_, by) => {
    expect(await by()).toBe(id('root'));
  });

  test('and nothing where users act for themselves', async () => {
    expect(await me('/me', server.callers.eve)).toBeUndefined();
    expect(await me(`/me?jwt=${await jwtAs(server.callers.eve.headers, 'eve')}`)).toBeUndefined();
  });
});

test('a ticket of such a caller names the admin, too', async () => {
  const { token } = await actAs('eve');
  const { body } = await server.post(`/login/ticket?jwt=${await jwtOf('eve')}`);
  const at = server.log.length;
  const stream = await listen(`${server.url}/events/note?ticket=${String(body['ticket'])}`, {});
  await server.post('/api/note', { text: 'x' }, { headers: bearer(token) });
  await stream.until(1);
  stream.close();
  await server.get('/health');
  const lines = server.log.slice(at).map((line) => JSON.parse(line) as Document);
  expect(lines.find(({ path }) => path === '/api/note')).toMatchObject({ user: id('eve'), by: id('root') });
});

test('log lines name the admin only where one acts', async () => {
  const lineOf = async (path: string, sent: Sent): Promise<Document> => {
    const at = server.log.length;
    await server.get(path, sent);
    return JSON.parse(server.log.slice(at).find((line) => line.includes('"request"')) ?? '{}') as Document;
  };
  expect(await lineOf('/me', { headers: bearer((await actAs('eve')).token) })).toMatchObject({
    user: id('eve'),
    by: id('root'),
  });
  const own = await lineOf('/me', server.callers.eve);
  expect([own['user'], own['by']]).toEqual([id('eve'), undefined]);
});

describe('records of what the admin does as the user', () => {
  const credentials = { email: emailOf('rita'), password: passwordOf('rita') };
  /** What is done as rita, an admin herself, and what is recorded of it. */
  const ways: readonly (readonly [string, (as: Sent) => Promise<unknown>, readonly string[]])[] = [
    ['groups', (as) => server.send('PUT', `/groups/${id('ann')}`, { ...as, body: ['acted'] }), ['groups.changed']],
    ['a user', (as) => server.put(`/api/user/${id('ann')}`, { groups: ['put'] }, as), ['groups.changed']],
    [
      'a batch',
      (as) =>
        server.post(
          '/batch',
          {
            operations: [{ method: 'PUT', path: `/api/user/${id('ann')}`, body: { groups: ['batch'] } }],
            atomic: false,
          },
          as,
        ),
      ['groups.changed'],
    ],
    [
      'a removal',
      async (as) => {
        const { document } = await server.post('/api/note', { text: 'x' }, as);
        await server.remove(`/api/note/${String(document['_id'])}?_permaDelete=1`, as);
      },
      ['document.removed'],
    ],
    ['setup data', (as) => server.post('/setup/data', { note: [{ text: 'x' }] }, as), ['setup.data']],
    [
      'keys',
      async (as) => {
        const { document } = await server.post('/login/keys', { name: 'acted' }, as);
        const path = `/login/keys/${String(document['id'])}`;
        await server.post(`${path}/rotate`, { overlap: 0 }, as);
        await server.remove(path, as);
      },
      ['key.created', 'key.rotated', 'key.removed'],
    ],
    ['an API key', (as) => server.post('/login/apikey', undefined, as), ['apikey.renewed']],
    [
      'an email',
      (as) => server.put('/login/email', { email: 'rita2@x.test', password: credentials.password }, as),
      ['email.changed'],
    ],
    [
      'a password',
      (as) => server.post('/login/password', { password: credentials.password, new_password: 'pw-rita-2' }, as),
      ['password.changed'],
    ],
  ];

  test.each(ways)('%s', async (_, work, kinds) => {
    const email = (await server.as('root', 'GET', `/api/user/${id('rita')}`)).document['email'];
    const { jwt } = (await server.as('root', 'POST', '/login/getjwt', { body: { email } })).body;
    const login = (await server.post('/login/jwt', { jwt: String(jwt) })).body;
    const found = await recorded(() => work({ headers: bearer(String(login['token'])) }));
    expect(found.map(({ what, who, by }) => [what, who, by])).toEqual(
      kinds.map((what) => [what, id('rita'), id('root')]),
    );
  });

  test('its login', async () => {
    const found = await recorded(() => actAs('eve'));
    expect(found.map(short)).toEqual([
      { what: 'jwt.created', who: id('root'), whom: id('eve'), method: 'token', by: undefined },
      { what: 'login', who: id('eve'), whom: id('eve'), method: 'jwt', by: id('root') },
    ]);
  });

  test('are found by the admin', async () => {
    const { rows } = await server.as('root', 'GET', `/audit?filter[by]=${id('root')}&limit=1`);
    expect(rows[0]?.['by']).toBe(id('root'));
  });
});
