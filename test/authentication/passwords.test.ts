/** New passwords: set with the old one, by a recovery mail, or by an admin; and what they end. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, type Login, logIn, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { shorten } from '../support/waiting.ts';

const page = 'https://app.example/reset?jwt=';
/** The subject of a mail that recovers an account. */
const recovery = 'Set a new password';

describe('new passwords', () => {
  let world: World;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    world = await openAccounts({
      smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
      password_recovery_url: page,
      console: { app_name: 'Film & <Co>' },
    });
  });
  afterAll(async () => {
    await world.close();
    await mailbox.close();
  });

  const root = (): Readonly<Record<string, string>> => basic(emailOf('root'), passwordOf('root'));
  const recover = (body: unknown, headers = {}) => world.send('POST', '/login/recover', { body, headers });
  const reset = (jwt: unknown, password: unknown) => world.send('POST', '/login/reset', { body: { jwt, password } });
  /** A new recovery JWT of a user. */
  const mailed = async (name: string): Promise<string> => {
    expect((await recover({ email: emailOf(name) })).status).toBe(200);
    return mailbox.link().slice(page.length);
  };
  /** A new user, so that each way starts from the same state. */
  const newUser = async (name: string): Promise<Login & { readonly jwt: string }> => {
    const body = { name, email: emailOf(name), password: passwordOf(name) };
    expect((await world.send('POST', '/api/user', { headers: root(), body })).status).toBe(201);
    const login = await logIn(world, name);
    const sent = { headers: bearer(login.token), body: { email: emailOf(name) } };
    const { body: made } = await world.send('POST', '/login/getjwt', sent);
    return { ...login, jwt: String(made['jwt']) };
  };
  const hash = '$2b$04$5sGZnvYbXJx3fQ0Qy3b1WeZTGkfqZQXrQBDtwZx0XwvC0yTnMZ3XK';

  test.each<[string, (login: Login & { readonly jwt: string }) => Promise<{ readonly status: number }>]>([
    [
      '/login/password',
      ({ token }) => {
        const body = { password: passwordOf('way0'), new_password: 'other' };
        return world.send('POST', '/login/password', { headers: bearer(token), body });
      },
    ],
    ['/login/reset', async () => reset(await mailed('way1'), 'other')],
    [
      'PUT /api/user',
      ({ user_id }) => world.send('PUT', `/api/user/${user_id}`, { headers: root(), body: { password: 'other' } }),
    ],
    [
      'PUT /update/user',
      ({ user_id }) => world.send('PUT', `/update/user/${user_id}`, { headers: root(), body: { password: 'other' } }),
    ],
    [
      'password_override',
      ({ user_id }) =>
        world.send('PUT', `/api/user/${user_id}?password_override=1`, { headers: root(), body: { password: hash } }),
    ],
    [
      'a silent PUT',
      ({ user_id }) =>
        world.send('PUT', `/api/user/${user_id}?_silence=true`, { headers: root(), body: { password: 'other' } }),
    ],
    [
      'a function of a model',
      () => world.send('POST', '/call/book/newPassword', { body: { email: emailOf('way6'), hash } }),
    ],
  ])('%s ends all sessions, JWTs and the old password, at the next request', async (way, change) => {
    const name = `way${ways.indexOf(way)}`;
    const login = await newUser(name);
    const tried = async (): Promise<number[]> => {
      const replies = await Promise.all([
        world.send('GET', '/api/note', { headers: bearer(login.token) }),
        world.send('GET', `/api/note?jwt=${login.jwt}`),
        world.send('GET', '/api/note', { headers: basic(emailOf(name), passwordOf(name)) }),
        world.send('GET', '/api/note', { headers: { 'x-api-key': login.apikey } }),
      ]);
      return replies.map(({ status }) => status);
    };
    expect(await tried()).toEqual([200, 200, 200, 200]);
    expect((await change(login)).status).toBe(200);
    // the key keeps working, except after a reset
    expect(await tried()).toEqual([401, 401, 401, way === '/login/reset' ? 401 : 200]);
    expect((await world.send('POST', '/refresh', { headers: bearer(login.refresh_token) })).status).toBe(401);
    expect((await world.send('POST', '/login/jwt', { body: { jwt: login.jwt } })).status).toBe(401);
  });
  const ways = [
    '/login/password',
    '/login/reset',
    'PUT /api/user',
    'PUT /update/user',
    'password_override',
    'a silent PUT',
    'a function of a model',
  ];

  test.each<[string, object, number]>([
    ['the wrong password', { password: 'wrong', new_password: 'n' }, 401],
    ['an operator', { password: { $ne: 1 }, new_password: 'n' }, 401],
    ['no password', { new_password: 'n' }, 401],
    ['no new one', { password: passwordOf('ann') }, 400],
    ['an object', { password: passwordOf('ann'), new_password: {} }, 400],
    ['an empty one', { password: passwordOf('ann'), new_password: '' }, 400],
  ])('/login/password with %s', async (_name, body, status) => {
    const headers = (await logIn(world, 'ann')).headers;
    expect((await world.send('POST', '/login/password', { headers, body })).status).toBe(status);
    expect((await world.send('GET', '/api/note', { headers })).status).toBe(200);
  });

  test.each<[string, unknown, number[]]>([
    ['a list', { email: ['ann@x.test', 'eve@evil.test'] }, [400]],
    ['two emails', { email: 'ann@x.test,eve@evil.test' }, [400, 404]],
    ['a header', { email: 'ann@x.test\r\nBcc: eve@evil.test' }, [400, 404]],
    ['an operator', { email: { $regex: '^ann' } }, [400]],
    ['another operator', { email: { $ne: 1 } }, [400]],
    ['no email', {}, [400]],
    ['an empty one', { email: '' }, [400]],
    ['nobody', { email: 'nobody@x.test' }, [404]],
  ])('a recovery of %s sends no mail', async (_name, body, expected) => {
    const before = mailbox.about(recovery).length;
    expect(expected).toContain((await recover(body)).status);
    expect(mailbox.about(recovery)).toHaveLength(before);
  });

  test('nothing of the mail comes from the request', async () => {
    const body = {
      email: 'ANN@x.test ',
      mail_format: '<a href=https://evil.example/?{{recover_url}}>',
      from: 'x',
      subject: 'y',
      password_recovery_url: 'https://evil.example/',
    };
    const evil = 'https://evil.example';
    const headers = { 'x-forwarded-host': 'evil.example', origin: evil, referer: evil };
    const before = mailbox.about(recovery).length;
    const { status, body: answer } = await recover(body, headers);
    expect([status, answer['status'], mailbox.about(recovery).length]).toEqual([200, 'ok', before + 1]);
    const letter = mailbox.about(recovery).at(-1);
    expect(letter?.to).toEqual(['ann@x.test']);
    // with its domain: random letters of the link may spell it
    expect(letter?.raw).not.toContain('evil.example');
    expect(letter?.raw).toContain('From: Dossier <dossier@app.example>');
    expect(letter?.raw).toContain('Content-Type: text/plain');
    expect(letter?.raw).toContain('Content-Type: text/html');
    expect(mailbox.link().startsWith(page)).toBe(true);
  });

  test('an admin invites a user without a password, whose link sets the first one', async () => {
    const body = { name: 'ina', email: emailOf('ina') };
    expect((await world.send('POST', '/api/user', { headers: root(), body })).status).toBe(201);
    const subjectAfter = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> => {
      expect((await recover({ email: emailOf('ina') }, headers)).status).toBe(200);
      return /^Subject: (.*)\r$/m.exec(mailbox.sentTo(emailOf('ina')).at(-1)?.raw ?? '')?.[1];
    };
    const invitation = 'You are invited to Film & <Co>';
    expect(await subjectAfter(root())).toBe(invitation);
    const raw = mailbox.sentTo(emailOf('ina')).at(-1)?.raw ?? '';
    expect(raw).toContain('You have an account at Film & <Co>.');
    expect(raw).toContain('You have an account at Film &#38; &#60;Co&#62;.');
    expect(raw).toContain('The link works once, within 60 minutes.');
    const jwt = mailbox.link().slice(page.length);
    // others do not invite in the name of the project, and a user with a password is invited no more
    expect(await subjectAfter({})).toBe(recovery);
    expect((await reset(jwt, 'the first one')).status).toBe(200);
    expect((await logIn(world, 'ina', 'the first one')).user_id).toBeDefined();
    expect(await subjectAfter(root())).toBe(recovery);
  });

  test('a recovery works once, the newest ends the others, and so does a changed password', async () => {
    const first = await mailed('bob');
    const second = await mailed('bob');
    expect((await reset(first, 'n1')).status).toBe(200);
    expect((await reset(first, 'n2')).status).toBe(401);
    expect((await reset(second, 'n2')).status).toBe(401);
    expect((await logIn(world, 'bob', 'n1')).user_id).toBe(world.ids['bob']);

    const many = await mailed('bob');
    const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => reset(many, `many-${at}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
    const winner = `many-${replies.findIndex(({ status }) => status === 200)}`;

    const stale = await mailed('bob');
    const { token } = await logIn(world, 'bob', winner);
    const body = { password: winner, new_password: 'own' };
    expect((await world.send('POST', '/login/password', { headers: bearer(token), body })).status).toBe(200);
    expect((await reset(stale, 'n3')).status).toBe(401);
    expect((await logIn(world, 'bob', 'own')).user_id).toBe(world.ids['bob']);
  });

  test('a recovery JWT resets and nothing else, a refused password leaves it good', async () => {
    const jwt = await mailed('eve');
    expect(Object.keys(jsonwebtoken.decode(jwt) as object).sort()).toEqual([
      'aud',
      'email',
      'epoch',
      'exp',
      'iat',
      'jti',
      'purpose',
      'sub',
    ]);
    expect((await world.send('GET', `/api/note?jwt=${jwt}`)).status).toBe(401);
    expect((await world.send('POST', '/login/jwt', { body: { jwt } })).status).toBe(401);
    expect((await world.send('GET', '/api/note', { headers: bearer(jwt) })).status).toBe(401);
    expect((await reset({ $ne: 1 }, 'n')).status).toBe(400);
    expect((await reset(jwt, { $ne: 1 })).status).toBe(400);
    expect((await reset(jwt, 'x'.repeat(73))).status).toBe(400);
    expect((await reset(jwt, 'new')).status).toBe(200);
  });

  test('nothing that was given out is kept, in the database or the log', async () => {
    const login = await newUser('vera');
    const jwt = await mailed('vera');
    const next = await world.send('POST', '/refresh', { headers: bearer(login.refresh_token) });
    const key = await world.send('POST', '/login/apikey', { headers: bearer(String(next.body['token'])) });
    await world.send('GET', `/api/note?apikey=${login.apikey}&jwt=${login.jwt}`);
    const secrets = [
      login.token,
      login.refresh_token,
      login.apikey,
      login.jwt,
      jwt,
      next.body['token'],
      next.body['refresh_token'],
      key.body['apikey'],
      passwordOf('vera'),
    ].map(String);
    expect(secrets.every((one) => one.length > 8)).toBe(true);
    const { db } = world.dossier.services.connection;
    const collections = (await db?.listCollections().toArray()) ?? [];
    const rows = await Promise.all(collections.map(async ({ name }) => db?.collection(name).find().toArray()));
    const stored = JSON.stringify(rows);
    const said = world.log.join('\n');
    expect(stored).toContain('key_digest');
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(said).not.toContain(secret);
    }
  });
});

describe('a mail server that does not do its work', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each<['refuses' | 'hangs' | 'missing' | 'gone']>([['refuses'], ['hangs'], ['missing'], ['gone']])(
    '%s: 500, without its words',
    async (behaviour) => {
      const mailbox = await openMailbox(behaviour === 'hangs' || behaviour === 'refuses' ? behaviour : 'takes');
      if (behaviour === 'gone') await mailbox.close();
      const smtp = behaviour === 'missing' ? {} : { smtp: { url: mailbox.url } };
      const world = await openAccounts({ ...smtp, password_recovery_url: page }, ['ann']);
      // a step has five seconds, of which some are over when it waits for a greeting
      if (behaviour === 'hangs') shorten(4000, 10);
      const { status, text, body } = await world.send('POST', '/login/recover', { body: { email: emailOf('ann') } });
      // without a mail server the configuration is at fault
      expect([status, body['status']]).toEqual([behaviour === 'missing' ? 500 : 503, 'fail']);
      expect(text).not.toMatch(/CANARY|127\.0\.0\.1|ECONN|x\.test/);
      await world.close();
      if (behaviour !== 'gone') await mailbox.close();
    },
  );

  test('no recovery page is a fault of the configuration', async () => {
    const world = await openAccounts({}, ['ann']);
    expect((await world.send('POST', '/login/recover', { body: { email: emailOf('ann') } })).status).toBe(500);
    expect((await world.send('POST', '/login/recover', { body: {} })).status).toBe(400);
    await world.close();
  });
});
