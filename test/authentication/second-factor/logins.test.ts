/** Signing in with a second factor on, by every way there is, and its edges in time. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operationGroups } from '../../../src/start/operations.ts';
import { connect } from '../../support/connection.ts';
import { type Authenticator, codeAt, type FactorWorld, openFactors } from '../../support/fixtures/factors.ts';
import { basic, bearer, type Caller, emailOf, jwtOf, logIn, passwordOf } from '../../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../../support/mailbox.ts';
import { openProvider, type Provider } from '../../support/provider.ts';
import { oneProvider, signIn } from '../../support/trip.ts';
import { until } from '../../support/waiting.ts';

let world: FactorWorld;
let mailbox: Mailbox;
let provider: Provider;
let ann: Caller;
let app: Authenticator;
beforeAll(async () => {
  [mailbox, provider] = await Promise.all([openMailbox(), openProvider()]);
  world = await openFactors(
    {
      api_url: 'https://api.example',
      smtp: { url: mailbox.url },
      password_recovery_url: 'https://app.example/reset?jwt=',
      oauth: oneProvider(provider),
      max_sessions: 100,
    },
    ['root', 'ann', 'bob'],
  );
  ({ caller: ann, app } = await world.withFactor('ann'));
});
afterAll(() => Promise.all([mailbox.close(), provider.close()]));

const needed = { status: 'fail', message: 'Authentication failed', err: 'a second factor is needed' };
const wrong = 'the email or the password is wrong';
const annBasic = basic(emailOf('ann'), passwordOf('ann'));

describe('/login', () => {
  test('answers the right password with a ticket, and ticket and code as it would have', async () => {
    const refused = await world.passwordOnly('ann');
    expect([refused.status, refused.body]).toEqual([401, { ...needed, ticket: expect.any(String) }]);
    const { status, body } = await world.code(refused.body['ticket'], app.fresh());
    expect([status, Object.keys(body)]).toEqual([200, Object.keys((await world.passwordOnly('bob')).body)]);
    expect([body['user_id'], body['apikey']]).toEqual([ann.user_id, ann.apikey]);
    expect((await world.get('/api/note', { headers: bearer(String(body['token'])) })).status).toBe(200);
    expect((await world.post('/refresh', undefined, { headers: bearer(String(body['refresh_token'])) })).status).toBe(
      200,
    );
  });

  test('answers a wrong password as for a user without one, with no ticket', async () => {
    const replies = await Promise.all(
      ['ann', 'bob', 'nobody'].map((name) => world.post('/login', { email: emailOf(name), password: 'wrong' })),
    );
    for (const { status, text } of replies) expect([status, text]).toEqual([401, replies[0]?.text]);
    expect(replies[0]?.body).toEqual({ ...needed, err: wrong });
  });

  test('gives no ticket to a user without a second factor', async () => {
    expect((await world.passwordOnly('bob')).body['ticket']).toBeUndefined();
  });

  test('a ticket says who, what for and until when, and nothing else', async () => {
    const [, payload = ''] = (await world.ticketOf('ann')).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, number>;
    expect(Object.keys(claims).sort()).toEqual(['aud', 'epoch', 'exp', 'iat', 'jti', 'purpose', 'sub']);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(300);
  });
});

describe('/login/code', () => {
  test.each<[string, unknown, number]>([
    ['no ticket', { code: '123456' }, 400],
    ['no code', { ticket: 'x' }, 400],
    ['a number', { ticket: 'x', code: 123456 }, 400],
    ['an operator', { ticket: { $ne: 1 }, code: '123456' }, 400],
    ['a list', ['x', '123456'], 400],
    ['nothing', undefined, 400],
    ['a forged ticket', { ticket: 'x', code: '123456' }, 401],
    ['a long ticket', { ticket: 'x'.repeat(10_000), code: '123456' }, 401],
  ])('%s is refused', async (_name, body, status) => {
    const answer = await world.post('/login/code', body);
    expect(answer.status).toBe(status);
    expect(answer.body['token']).toBeUndefined();
  });

  test('bad tickets and wrong codes get one answer', async () => {
    const right = await world.ticketOf('ann');
    const used = await world.ticketOf('ann');
    expect((await world.code(used, app.fresh())).status).toBe(200);
    const forged = `${right.slice(0, -4)}${right.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const jwt = await jwtOf(world, ann);
    const code = app.fresh();
    const all = [await world.code(forged, code), await world.code(jwt, code), await world.code(used, code)];
    all.push(await world.code(right, app.wrong()), await world.code(right, 'words'));
    for (const { status, text } of all) expect([status, text]).toEqual([401, all[0]?.text]);
    // the right code that came with bad tickets was not spent on them
    expect((await world.code(right, code)).status).toBe(200);
    expect((await world.code(await world.ticketOf('ann'), code)).text).toBe(all[0]?.text);
  });

  test('a ticket works for five minutes', async () => {
    const [first, second] = [await world.ticketOf('ann'), await world.ticketOf('ann')];
    world.clock.now += 299_000;
    expect((await world.code(first, codeAt(app.secret, world.clock.now))).status).toBe(200);
    world.clock.now += 1000;
    expect((await world.code(second, app.fresh())).status).toBe(401);
  });

  test('a ticket works nowhere else', async () => {
    const ticket = await world.ticketOf('ann');
    const replies = await Promise.all([
      world.get('/api/note', { headers: bearer(ticket) }),
      world.get(`/api/note?jwt=${ticket}`),
      world.post('/login/jwt', { jwt: ticket }),
      world.post('/login/reset', { jwt: ticket, password: 'other' }),
      world.post('/refresh', undefined, { headers: bearer(ticket) }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  test('other credentials of the request must be of the same user', async () => {
    const ticket = await world.ticketOf('ann');
    const bob = await logIn(world, 'bob');
    const body = { ticket, code: app.fresh() };
    expect((await world.post('/login/code', body, { headers: bob.headers })).status).toBe(401);
    // nothing was used up
    expect((await world.post('/login/code', body, { headers: { 'x-api-key': ann.apikey } })).status).toBe(200);
  });
});

describe('a code', () => {
  /** The answer to a code of the current step after some seconds. */
  const after = async (seconds: number): Promise<number> => {
    const code = app.fresh();
    const ticket = await world.ticketOf('ann');
    world.clock.now += seconds * 1000;
    const { status } = await world.code(ticket, code);
    world.clock.now = Math.ceil(world.clock.now / 30_000) * 30_000;
    return status;
  };

  test.each([
    [-30, 200],
    [-30.001, 401],
    [0, 200],
    [29.999, 200],
    [30, 200],
    [59.999, 200],
    [60, 401],
  ])('%f s after the beginning of its step is %i', async (seconds, status) => {
    world.clock.now += 120_000;
    expect(await after(seconds)).toBe(status);
    world.clock.now += 120_000;
  });

  test('is not accepted after one of a later step', async () => {
    world.clock.now += 120_000;
    const [before, later] = [-1, 1].map((step) => codeAt(app.secret, world.clock.now + step * 30_000));
    const tickets = [await world.ticketOf('ann'), await world.ticketOf('ann')];
    expect((await world.code(tickets[0], later)).status).toBe(200);
    expect((await world.code(tickets[1], before)).status).toBe(401);
    world.clock.now += 60_000;
  });

  test('is not accepted again after the clock was set back', async () => {
    const code = app.fresh();
    expect((await world.code(await world.ticketOf('ann'), code)).status).toBe(200);
    world.clock.now -= 15_000;
    expect((await world.code(await world.ticketOf('ann'), code)).status).toBe(401);
    world.clock.now += 60_000;
  });
});

describe('Basic', () => {
  const pathOf = (path: string): string =>
    path
      .replace(/:model|:modelname|:name\b/, 'note')
      .replace(':user_id', ann.user_id)
      .replace(/:\w+/g, 'x');
  test.each(
    operationGroups.flatMap(({ operations }) =>
      operations.filter(({ isOn }) => isOn === undefined).map(({ http }) => [http.method, http.path] as const),
    ),
  )('%s %s is 401', async (method, path) => {
    const body = method === 'GET' ? {} : { body: {} };
    const { status, body: answer } = await world.send(method, pathOf(path), { headers: annBasic, ...body });
    expect([status, answer]).toEqual([401, { ...needed, ticket: expect.any(String) }]);
  });

  test('is mentioned only for the right password', async () => {
    const headers = basic(emailOf('ann'), 'wrong');
    expect((await world.get('/api/note', { headers })).body).toEqual({ ...needed, err: wrong });
  });

  test('gets a ticket at /login too', async () => {
    const { body } = await world.post('/login', undefined, { headers: annBasic });
    expect((await world.code(body['ticket'], app.fresh())).status).toBe(200);
  });

  test('is refused at the WebSocket, which closes sockets that were open by it when the factor is switched on', async () => {
    const socket = await connect(world.url);
    const auth = { email: emailOf('ann'), password: passwordOf('ann') };
    expect(await socket.ask('auth', auth)).toMatchObject({
      status: 'error',
      message: expect.stringContaining('a second factor is needed'),
    });
    expect(JSON.stringify(socket.received)).not.toContain('ticket');
    expect(await socket.ask('auth', { apikey: ann.apikey })).toMatchObject({ status: 'okay' });
    socket.socket.terminate();

    const own = await openFactors({}, ['root', 'bob']);
    const byBasic = basic(emailOf('bob'), passwordOf('bob'));
    const { ticket } = (await own.post('/login/ticket', undefined, { headers: byBasic })).body;
    const open = await Promise.all([connect(own.url, byBasic), connect(own.url, {}, `?ticket=${String(ticket)}`)]);
    for (const one of open) expect(await one.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
    await own.withFactor('bob');
    for (const one of open) expect(await one.closed()).toBe(1008);
  });
});

describe('API keys', () => {
  test('work in the header and in the address', async () => {
    expect((await world.get('/api/note', { headers: { 'x-api-key': ann.apikey } })).status).toBe(200);
    expect((await world.get(`/api/note?apikey=${ann.apikey}`)).status).toBe(200);
  });
});

describe('JWTs', () => {
  const statuses = async (jwt: string): Promise<readonly [number, unknown, number, unknown]> => {
    const read = await world.get(`/api/note?jwt=${jwt}`);
    const login = await world.post('/login/jwt', { jwt });
    return [read.status, read.body['err'], login.status, login.body['err']];
  };
  const refused = [401, needed.err, 401, needed.err];

  test('that the user created in a session sign in', async () => {
    expect(await statuses(await jwtOf(world, ann))).toEqual([200, undefined, 200, undefined]);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['created with an API key', () => jwtOf(world, { ...ann, headers: { 'x-api-key': ann.apikey } })],
    [
      'created with a JWT',
      async () => {
        const body = { email: emailOf('ann') };
        const jwt = await jwtOf(world, ann);
        return String((await world.post(`/login/getjwt?jwt=${jwt}`, body)).body['jwt']);
      },
    ],
    [
      'created by an admin',
      async () => {
        const { headers } = await logIn(world, 'root');
        return String((await world.post('/login/getjwt', { email: emailOf('ann') }, { headers })).body['jwt']);
      },
    ],
  ])('%s need a code', async (_name, jwtFor) => {
    const jwt = await jwtFor();
    expect(await statuses(jwt)).toEqual(refused);
    const { body } = await world.post('/login/jwt', { jwt });
    expect((await world.code(body['ticket'], app.fresh())).status).toBe(200);
  });

  test('of an OAuth login get a ticket, once', async () => {
    const headers = (await logIn(world, 'root')).headers;
    await world.put(`/api/user/${ann.user_id}`, { email_verified: true }, { headers });
    const place = await signIn(world, provider, { sub: 'a1', email: emailOf('ann'), email_verified: true });
    const jwt = place.searchParams.get('token');
    const { status, body } = await world.post('/login/jwt', { jwt });
    expect([status, body]).toEqual([401, { ...needed, ticket: expect.any(String) }]);
    const again = await world.post('/login/jwt', { jwt });
    expect([again.status, again.body['ticket']]).toEqual([401, undefined]);
    expect((await world.code(body['ticket'], app.fresh())).status).toBe(200);
  });
});

describe('/login/reset', () => {
  let jwt: string;
  beforeEach(async () => {
    expect((await world.post('/login/recover', { email: emailOf('ann') })).status).toBe(200);
    jwt = new URL(mailbox.link()).searchParams.get('jwt') ?? '';
  });
  const reset = (more: object) => world.post('/login/reset', { jwt, password: passwordOf('ann'), ...more });

  test('needs a code, and the link stays good without one', async () => {
    const refused = await reset({});
    expect([refused.status, refused.body]).toEqual([401, needed]);
    for (const code of [app.wrong(), 123456, { $ne: 1 }, null, ''])
      expect((await reset({ code })).body['err']).toMatch(/^the code or the ticket is not valid/);
    const code = app.fresh();
    expect((await reset({ password: '', code })).status).toBe(400);
    expect((await reset({ code })).status).toBe(200);
    expect((await reset({ code: app.fresh() })).status).toBe(401);
    // the factor stays
    const { body } = await world.passwordOnly('ann');
    expect((await world.code(body['ticket'], app.fresh())).status).toBe(200);
  });

  test('takes a recovery code', async () => {
    expect((await reset({ code: app.recovery[9] })).status).toBe(200);
    expect((await world.code(await world.ticketOf('ann'), app.recovery[9])).status).toBe(401);
  });

  test('of two at once, the loser keeps its recovery code', async () => {
    const codes = [app.recovery[7], app.recovery[8]];
    const answers = await Promise.all(codes.map((code) => reset({ code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const kept = codes[answers.findIndex(({ status }) => status === 401)];
    expect((await world.code(await world.ticketOf('ann'), kept)).status).toBe(200);
  });

  test('ends tickets', async () => {
    const ticket = await world.ticketOf('ann');
    expect((await reset({ code: app.fresh() })).status).toBe(200);
    expect((await world.code(ticket, app.fresh())).status).toBe(401);
  });

  test('needs no code of a user without a factor', async () => {
    expect((await world.post('/login/recover', { email: emailOf('bob') })).status).toBe(200);
    const bobs = new URL(mailbox.link()).searchParams.get('jwt');
    expect((await world.post('/login/reset', { jwt: bobs, password: passwordOf('bob') })).status).toBe(200);
  });
});

test('users are informed of a factor that is switched on or off', async () => {
  const sent = (state: string): number =>
    mailbox.letters.filter(({ raw }) => raw.includes(`The second factor was switched ${state}`)).length;
  expect([sent('on'), sent('off')]).toEqual([1, 0]);
  const { caller, app: bobs } = await world.withFactor('bob');
  await until(() => sent('on') === 2);
  const body = { password: caller.password, code: bobs.fresh() };
  expect((await world.remove('/login/mfa', { headers: caller.headers, body })).status).toBe(200);
  await until(() => sent('off') === 1);
  const headers = (await logIn(world, 'root')).headers;
  expect((await world.remove(`/login/mfa?user=${ann.user_id}`, { headers })).status).toBe(200);
  await until(() => sent('off') === 2);
  expect(mailbox.letters.at(-1)?.to).toEqual([emailOf('ann')]);
});
