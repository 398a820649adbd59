/** Limits and leases over two servers on one database, which is what `MONGODB_URL` names. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import { closeConnection } from '../../src/models/keep-open.ts';
import type { ServerOptions } from '../../src/server.ts';
import { onMongo, ownDatabase } from '../support/database.ts';
import { openAccounts, openWithoutUsers, type World } from '../support/fixtures/accounts/index.ts';
import { emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { secret } from '../support/workers.ts';

const max = 20;
/** What both together may admit more: a tenth, at least one each. */
const tolerance = 2;

let now = Date.now();
let one: World;
let two: TestServer;
let closeStore: () => Promise<void> = () => Promise.resolve();
let base: ServerOptions;

beforeAll(async () => {
  base = { ...ownDatabase(), inMemory: false, shared_secret: secret, clock: () => new Date(now) };
  if (!onMongo) {
    const store = await openStore({});
    closeStore = () => store.close();
    base = { ...base, mongodb_url: store.url };
  }
  const throttle = { enabled: true, max: 100, user_max: max, login_max: 5, window_ms: 60_000, shared: true };
  const options: ServerOptions = { ...base, trust_proxy: 1, throttle };
  one = await openAccounts(options, ['ann', 'bob', 'cat']);
  two = await openWithoutUsers(options);
});
afterAll(async () => {
  await two.close();
  await one.close();
  await closeStore();
});

const at = (number: number): TestServer => (number % 2 === 0 ? one : two);
const from = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': address });

describe('over two servers', () => {
  const guess = async (server: TestServer, name: string, address: string): Promise<number> =>
    (await server.send('POST', '/login', { headers: from(address), body: { email: emailOf(name), password: 'wrong' } }))
      .status;

  test('failed logins are one count, and the block after the second time is known to both', async () => {
    const guesses = async (round: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let number = 0; number < 7; number++)
        statuses.push(await guess(at(number), 'ann', `10.${round}.0.${number}`));
      return statuses;
    };
    const refused = [401, 401, 401, 401, 401, 429, 429];
    expect(await guesses(1)).toEqual(refused);
    now += 60_001;
    expect(await guesses(2)).toEqual(refused);
    // the window has ended, but not the block of two minutes, whichever server counted
    now += 60_001;
    expect([await guess(one, 'ann', '10.3.0.1'), await guess(two, 'ann', '10.3.0.2')]).toEqual([429, 429]);
    now += 60_001;
    const right = { headers: from('10.4.0.1'), body: { email: emailOf('ann'), password: passwordOf('ann') } };
    expect((await two.send('POST', '/login', right)).status).toBe(200);
  });

  test('requests of a user have one limit, within a tenth', async () => {
    const { headers } = await logIn(one, 'bob');
    const statuses: number[] = [];
    for (let number = 0; number < 2 * max; number++)
      statuses.push(
        (await at(number).send('GET', '/me', { headers: { ...headers, ...from(`10.5.0.${number}`) } })).status,
      );
    const admitted = statuses.filter((status) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(max);
    expect(admitted).toBeLessThanOrEqual(max + tolerance);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    now += 60_001;
    expect((await two.send('GET', '/me', { headers: { ...headers, ...from('10.5.1.1') } })).status).toBe(200);
  });

  test('requests of an address have one limit where THROTTLE_SHARED asks for it', async () => {
    const read = async (number: number): Promise<number> =>
      (await at(number).send('GET', '/model', { headers: from('10.6.0.1') })).status;
    const statuses: number[] = [];
    for (let number = 0; number < 200; number++) statuses.push(await read(number));
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThanOrEqual(90);
    expect(refused).toBeLessThanOrEqual(100);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  test('a lease is held by one server; when its holder loses the database, the other takes it', async () => {
    const dying = await openWithoutUsers({ ...base, throttle: { enabled: false } });
    const { shared } = dying.dossier.services;
    const lease = await shared.lease('nightly', 1000);
    expect(lease).toBeDefined();
    expect(await one.dossier.services.shared.lease('nightly', 1000)).toBeUndefined();
    await closeConnection(dying.dossier.services.connection);
    await until(() => Promise.resolve(lease?.signal.aborted === true));
    now += 1001;
    const next = await two.dossier.services.shared.lease('nightly', 1000);
    expect(next).toBeDefined();
    expect(await one.dossier.services.shared.lease('nightly', 1000)).toBeUndefined();
    await next?.release();
    await dying.dossier.close();
  });
});

test('two servers whose clocks differ by two seconds do not both hold a lease', async () => {
  const database = onMongo ? ownDatabase() : base;
  const { clock: _clock, ...options } = { ...base, ...database, inMemory: false };
  const [first, second] = [await openWithoutUsers(options), await openWithoutUsers(options)];
  const skewed = Date.now;
  try {
    const held = await first.dossier.services.shared.lease('skew', 1500);
    // what this process reads from its own clock is two seconds late now
    Date.now = () => skewed() + 2000;
    expect(await second.dossier.services.shared.lease('skew', 1500)).toBeUndefined();
    await held?.release();
    const next = await second.dossier.services.shared.lease('skew', 1500);
    expect(next).toBeDefined();
    await next?.release();
  } finally {
    Date.now = skewed;
  }
});
