/** Guessing codes, and using one code, one recovery code or one ticket many times at once, also at several servers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import type { ServerOptions } from '../../../src/server.ts';
import { type Answer, send } from '../../support/client.ts';
import { openWithoutUsers } from '../../support/fixtures/accounts/index.ts';
import { type Authenticator, type FactorWorld, openFactors } from '../../support/fixtures/factors.ts';
import { bearer, emailOf, passwordOf } from '../../support/fixtures/people.ts';
import type { TestServer } from '../../support/server.ts';

/** How many wrong codes are sent: 10000 in the long run. */
const guesses = Number(process.env['FACTOR_GUESSES'] ?? 30);
/** How many of them in one window: more than the ten that the throttle lets through. */
const inWindow = Math.min(50, guesses / 2);

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));
const successes = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length;

describe('two servers on one database', () => {
  let one: FactorWorld;
  let two: TestServer;
  let app: Authenticator;
  let closeStore: () => Promise<void>;
  beforeAll(async () => {
    const store = await openStore({});
    closeStore = () => store.close();
    const options: ServerOptions = {
      mongodb_url: store.url,
      shared_secret: 'the secret of both, which is long enough',
      max_sessions: 1000,
    };
    one = await openFactors(options, ['root', 'ann', 'bob']);
    two = await openWithoutUsers({ ...options, clock: one.clock.read });
    ({ app } = await one.withFactor('ann'));
  });
  afterAll(async () => {
    await two.close();
    await one.close();
    await closeStore();
  });

  const codeAtEither = (at: number, ticket: string | undefined, code: unknown): Promise<Answer> =>
    send('POST', `${(at % 2 === 0 ? one : two).url}/login/code`, { body: { ticket, code } });

  test('one code at 20 logins at once works once', async () => {
    const tickets = await times(20, () => one.ticketOf('ann'));
    const code = app.fresh();
    expect(successes(await times(20, (at) => codeAtEither(at, tickets[at], code)))).toBe(1);
  });

  test('one recovery code at 20 logins at once works once', async () => {
    const tickets = await times(20, () => one.ticketOf('ann'));
    expect(successes(await times(20, (at) => codeAtEither(at, tickets[at], app.recovery[0])))).toBe(1);
  });

  test('one ticket at 20 logins at once signs in once, also with different right codes', async () => {
    const ticket = await one.ticketOf('ann');
    const codes = [app.fresh(), ...app.recovery.slice(1, 5)];
    expect(successes(await times(20, (at) => codeAtEither(at, ticket, codes[at % codes.length])))).toBe(1);
  });

  test('five wrong codes at both end a ticket, and no other ticket', async () => {
    const [ticket, other] = [await one.ticketOf('ann'), await one.ticketOf('ann')];
    for (let at = 0; at < 5; at++) expect((await codeAtEither(at, ticket, app.wrong())).status).toBe(401);
    const code = app.fresh();
    expect((await codeAtEither(0, ticket, code)).status).toBe(401);
    expect((await codeAtEither(1, other, code)).status).toBe(200);
  });

  test('the fifth try may be the right one', async () => {
    const ticket = await one.ticketOf('ann');
    for (let at = 0; at < 4; at++) expect((await codeAtEither(at, ticket, app.wrong())).status).toBe(401);
    expect((await codeAtEither(4, ticket, app.fresh())).status).toBe(200);
  });

  test('wrong codes at once use up the five tries of a ticket, and no update of their number is lost', async () => {
    const ticket = await one.ticketOf('ann');
    const answers = await times(40, (at) => codeAtEither(at, ticket, app.wrong()));
    expect(successes(answers)).toBe(0);
    expect((await codeAtEither(0, ticket, app.fresh())).status).toBe(401);
  });

  test('a factor that one switches on or off counts at the other, within five seconds', async () => {
    const { caller, app: bobs } = await one.withFactor('bob');
    const login = (): Promise<Answer> => two.post('/login', { email: emailOf('bob'), password: passwordOf('bob') });
    expect((await login()).body['ticket']).toEqual(expect.any(String));
    const body = { password: caller.password, code: bobs.fresh() };
    expect((await two.remove('/login/mfa', { headers: bearer(caller.token), body })).status).toBe(200);
    expect((await login()).status).toBe(200);
  });
});

describe('the login throttle', () => {
  const throttle = { enabled: true, login_max: 10, max: 1_000_000, window_ms: 60_000 };
  let world: FactorWorld;
  let app: Authenticator;
  beforeAll(async () => {
    world = await openFactors({ throttle, max_sessions: 1000, trust_proxy: 1 }, ['root', 'ann', 'bob']);
    ({ app } = await world.withFactor('ann'));
  });
  // blocks grow, and are forgotten after a quiet day
  const nextWindow = (): void => void (world.clock.now += 2 * 86_400_000);

  test('counts wrong codes as wrong passwords, together with them', async () => {
    nextWindow();
    const statuses: number[] = [];
    for (let ticket = '', at = 0; at < 8; at++) {
      if (at % 4 === 0) ticket = await world.ticketOf('ann');
      statuses.push((await world.code(ticket, app.wrong())).status);
    }
    for (let at = 0; at < 4; at++)
      statuses.push((await world.post('/login', { email: emailOf('ann'), password: `wrong${at}` })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await world.passwordOnly('ann')).status).toBe(429);
  });

  test.each(['POST', 'DELETE'])('counts wrong codes at %s /login/mfa', async (method) => {
    nextWindow();
    const { headers } = await world.logInWith('ann', app);
    const body = { password: passwordOf('ann'), code: app.wrong() };
    for (let at = 0; at < 10; at++)
      expect((await world.send(method, '/login/mfa', { headers, body })).status).toBe(401);
    expect((await world.send(method, '/login/mfa', { headers, body })).status).toBe(429);
    expect((await world.put('/login/mfa', { code: app.wrong() }, { headers })).status).toBe(409);
  });

  test('wrong codes from other addresses leave the owner in at a known address', async () => {
    nextWindow();
    const home = { 'x-forwarded-for': '198.51.100.7' };
    const enter = async (headers: Readonly<Record<string, string>>, code: string): Promise<number> => {
      const login = { email: emailOf('ann'), password: passwordOf('ann') };
      const { status, body } = await world.post('/login', login, { headers });
      if (status !== 401) return status;
      return (await world.post('/login/code', { ticket: body['ticket'], code }, { headers })).status;
    };
    expect(await enter(home, app.fresh())).toBe(200);
    const statuses: number[] = [];
    for (let at = 0; at < guesses; at++)
      statuses.push(await enter({ 'x-forwarded-for': `203.0.113.${at % 250}` }, app.wrong()));
    expect(statuses).toEqual(statuses.map((_, at) => (at < 10 ? 401 : 429)));
    expect(await enter(home, app.fresh())).toBe(200);
  });

  test('counts wrong codes that confirm a secret', async () => {
    nextWindow();
    const { headers } = await world.logInWith('ann', app);
    const proof = { password: passwordOf('ann'), code: app.fresh() };
    expect((await world.post('/login/mfa', proof, { headers })).status).toBe(200);
    for (let at = 0; at < 10; at++)
      expect((await world.put('/login/mfa', { code: 'wrong' }, { headers })).status).toBe(401);
    expect((await world.put('/login/mfa', { code: 'wrong' }, { headers })).status).toBe(429);
  });

  test('counts forged tickets by address', async () => {
    nextWindow();
    for (let at = 0; at < 10; at++) expect((await world.code(`forged${at}`, '123456')).status).toBe(401);
    expect((await world.code('forged', '123456')).status).toBe(429);
  });

  test('does not count right passwords that get a ticket', async () => {
    nextWindow();
    for (let at = 0; at < 30; at++)
      expect((await world.passwordOnly('ann')).body['ticket']).toEqual(expect.any(String));
  });

  test(
    `${guesses} wrong codes by someone with the password let the owner in, once the window has ended`,
    async () => {
      const strangers = (at: number) => ({ headers: { 'x-forwarded-for': `10.${at >> 8}.${at & 255}.1` } });
      const credentials = { email: emailOf('ann'), password: passwordOf('ann') };
      let compared = 0;
      for (let at = 0; at < guesses; at++) {
        // each from an address of its own, so that the account's limit alone holds
        const { body } = await world.post('/login', credentials, strangers(at));
        const tried = { ticket: body['ticket'] ?? 'none', code: app.wrong() };
        const { status } = await world.post('/login/code', tried, strangers(at));
        expect([401, 429]).toContain(status);
        if (body['ticket'] !== undefined) compared += 1;
        if (at % inWindow === inWindow - 1) nextWindow();
      }
      expect(compared).toBeLessThanOrEqual(Math.ceil(guesses / inWindow) * 10);
      nextWindow();
      expect((await world.logInWith('ann', app)).user_id).toBe(world.ids['ann']);
      // the time for the long run on a busy machine
    },
    60_000 + guesses * 100,
  );
});
