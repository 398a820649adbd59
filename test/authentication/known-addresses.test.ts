/** Failed logins slow an account down in growing steps, and do not keep its owner out from an address of theirs. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ServerOptions } from '../../src/server.ts';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, emailOf, passwordOf } from '../support/fixtures/people.ts';
import { openMailbox } from '../support/mailbox.ts';

/** How many wrong passwords are sent. */
const guesses = Number(process.env['LOGIN_GUESSES'] ?? 80);
/** How many of them before the clock moves on: more than the ten that begin a block. */
const inWindow = Math.min(50, guesses / 4);
const home = '10.1.0.1';
const day = 86_400_000;

interface Timed extends World {
  /** Moves the clock. */
  readonly pass: (milliseconds: number) => void;
  readonly signIn: (address: string, password?: string) => Promise<{ readonly status: number; retry: number }>;
}

async function openTimed(options: ServerOptions = {}): Promise<Timed> {
  let now = Date.now();
  const throttle = { enabled: true, login_max: 10, max: 1_000_000, window_ms: 60_000 };
  const opened = await openAccounts({ throttle, trust_proxy: 1, clock: () => new Date(now), ...options }, ['ann']);
  return {
    ...opened,
    pass: (milliseconds) => void (now += milliseconds),
    signIn: async (address, password = passwordOf('ann')) => {
      const headers = { 'x-forwarded-for': address };
      const { status, headers: answered } = await opened.post(
        '/login',
        { email: emailOf('ann'), password },
        { headers },
      );
      return { status, retry: Number(answered.get('retry-after') ?? 0) };
    },
  };
}

/** Of all tests but those with mails. */
let world: Timed;
beforeAll(async () => {
  world = await openTimed();
});
beforeEach(() => {
  // blocks grow for a day, and addresses are known for thirty: each test begins without any
  world.pass(32 * day);
});

test('wrong passwords from other addresses let the owner in from a known one, and no other caller', async () => {
  const { signIn, pass, send } = world;
  expect((await signIn(home)).status).toBe(200);
  const from = (at: number): string => `10.2.${at >> 8}.${at & 255}`;
  const statuses: number[] = [];
  for (let at = 0; at < guesses; at++) {
    statuses.push((await signIn(from(at), `wrong${at}`)).status);
    if (at % inWindow === inWindow - 1) pass(61_000);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // each block is longer than the one before
  expect(statuses.filter((status) => status === 401).length).toBeLessThan((guesses / inWindow) * 10);
  await signIn(from(0), 'once more');
  for (let at = 0; at < 10; at++) await signIn('10.3.0.1', `more${at}`);
  expect((await signIn('10.4.0.1')).status).toBe(429);
  expect((await signIn(home)).status).toBe(200);
  const headers = { ...basic(emailOf('ann'), passwordOf('ann')), 'x-forwarded-for': home };
  expect((await send('GET', '/model', { headers })).status).toBe(200);
  expect((await send('GET', '/model', { headers: { ...headers, 'x-forwarded-for': '10.4.0.2' } })).status).toBe(429);
});

test('failures at a known address are limited too, also when the account is blocked', async () => {
  const { signIn } = world;
  expect((await signIn(home)).status).toBe(200);
  for (let at = 0; at < 12; at++) await signIn(`10.5.0.${at}`, 'wrong');
  const statuses: number[] = [];
  for (let at = 0; at < 15; at++) statuses.push((await signIn(home, `wrong${at}`)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]);
  expect((await signIn(home)).status).toBe(429);
});

test('an address is known for thirty days after a sign-in', async () => {
  const { signIn, pass } = world;
  const fill = async (): Promise<void> => {
    for (let at = 0; at < 12; at++) await signIn(`10.6.0.${at}`, 'wrong');
  };
  expect((await signIn(home)).status).toBe(200);
  pass(29 * day);
  await fill();
  expect((await signIn(home)).status).toBe(200);
  pass(29 * day);
  await fill();
  expect((await signIn(home)).status).toBe(200);
  pass(31 * day);
  await fill();
  expect((await signIn(home)).status).toBe(429);
});

test('a block doubles each time, up to an hour, and is reset after a day without failures', async () => {
  const { signIn, pass } = world;
  const block = async (): Promise<number> => {
    for (let at = 0; at < 10; at++) expect((await signIn('10.7.0.1', `wrong${at}`)).status).toBe(401);
    const { status, retry } = await signIn('10.7.0.2');
    expect(status).toBe(429);
    pass(retry * 1000);
    return retry;
  };
  const minutes: number[] = [];
  for (let round = 0; round < 8; round++) minutes.push((await block()) / 60);
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  pass(day);
  expect((await block()) / 60).toBe(1);
});

test('requests for recovery mails by others block a user for one window at a time', async () => {
  const mailbox = await openMailbox();
  const mails = { smtp: { url: mailbox.url }, password_recovery_url: 'https://app.example/reset?jwt=' };
  const { post, pass } = await openTimed(mails);
  // the first block is as long as the window anyway, the second one would be twice as long
  for (let round = 1; round <= 3; round++) {
    // each is answered after a fixed time
    const ask = async (at: number): Promise<number> => {
      const headers = { 'x-forwarded-for': `10.${round}.0.${at}` };
      return (await post('/login/recover', { email: emailOf('ann') }, { headers })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 11 }, (_, at) => ask(at)));
    expect(statuses.sort()).toEqual([...Array<number>(10).fill(200), 429]);
    pass(61_000);
  }
  await mailbox.close();
});
