/**
 * Failed logins and sign-ups do not reveal which users exist: the same passwords are hashed for all, at the same cost, which is most of the
 * time that they take. With TIMING_ROUNDS their times are compared, too, on a machine that does nothing else.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { HashPool } from '../../src/auth/passwords/hash-pool.ts';
import { type FactorWorld, openFactors } from '../support/fixtures/factors.ts';
import { basic, emailOf, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { inTime } from '../support/waiting.ts';

/** Other programs only add time, so the shortest of some rounds is what the server needs. */
const rounds = Number(process.env['TIMING_ROUNDS'] ?? 0);

let mailbox: Mailbox;
let world: FactorWorld;
beforeAll(async () => {
  mailbox = await openMailbox();
  const mails = { smtp: { url: mailbox.url }, verify_url: 'https://app.example/verify?jwt=' };
  // where times are compared, the hash is most of them
  world = await openFactors({ bcrypt_cost: rounds > 0 ? 7 : 5, signup: 'verified', ...mails }, ['ann', 'bob', 'dan']);
  await world.withFactor('bob');
});
afterAll(() => mailbox.close());

/** The work of hashing that a request makes: its kinds and costs. */
async function workOf(request: () => Promise<unknown>): Promise<readonly string[]> {
  const run = jest.spyOn(HashPool.prototype, 'run');
  await request();
  const work = run.mock.calls.map(([job]) =>
    'hash' in job ? `compares with ${job.hash.slice(0, 7)}` : `hashes at ${job.cost}`,
  );
  run.mockRestore();
  return work;
}

/** Compares requests that differ in what they are about. @param request one of them, by its number and that of the round */
async function expectAlike(count: number, request: (at: number, round: number) => Promise<unknown>): Promise<void> {
  const works: (readonly string[])[] = [];
  for (let at = 0; at < count; at++) works.push(await workOf(() => request(at, -1)));
  const [first] = works;
  expect(first).toHaveLength(1);
  expect(works).toEqual(works.map(() => first));
  if (rounds === 0) return;
  const shortestOf = async (): Promise<readonly number[]> => {
    const shortest = Array<number>(count).fill(Infinity);
    for (let round = 0; round < rounds; round++)
      for (const [at, before] of shortest.entries()) {
        const begun = performance.now();
        await request(at, round);
        shortest[at] = Math.min(before, performance.now() - begun);
      }
    return shortest;
  };
  await inTime(shortestOf, (shortest) => Math.max(...shortest) / Math.min(...shortest) < 1.5);
}

test('signing up takes the same work for a known and a new address', async () => {
  let made = 0;
  await expectAlike(2, (at) => {
    const email = at === 0 ? 'ann@x.test' : `new${made++}@x.test`;
    return world.post('/signup', { email, password: 'a long password' });
  });
}, 180_000);

test('unknown, wrong, deleted, without a password and with a second factor take the same work', async () => {
  const headers = basic(emailOf('root'), passwordOf('root'));
  await world.send('POST', '/api/user', { headers, body: { email: 'none@x.test' } });
  await world.send('DELETE', `/api/user/${world.ids['dan'] ?? ''}`, { headers });
  const emails = ['nobody@x.test', 'ann@x.test', 'dan@x.test', 'none@x.test', 'bob@x.test'];
  await expectAlike(emails.length, (at, round) =>
    world.send('POST', '/login', { body: { email: emails[at], password: `wrong${round}` } }),
  );
}, 180_000);
