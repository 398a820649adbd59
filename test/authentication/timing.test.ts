/** The times of failed logins and of sign-ups do not reveal which users exist. */
import { afterAll, beforeAll, test } from '@jest/globals';
import { type FactorWorld, openFactors } from '../support/fixtures/factors.ts';
import { basic, emailOf, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { inTime } from '../support/waiting.ts';

/** Other programs only add time, so the shortest of some rounds is what the server needs. */
const rounds = 12;

let mailbox: Mailbox;
let world: FactorWorld;
beforeAll(async () => {
  mailbox = await openMailbox();
  const mails = { smtp: { url: mailbox.url }, verify_url: 'https://app.example/verify?jwt=' };
  // dear enough that the hash is most of the time
  world = await openFactors({ bcrypt_cost: 7, signup: 'verified', ...mails }, ['ann', 'bob', 'dan']);
  await world.withFactor('bob');
});
afterAll(() => mailbox.close());

test('signing up takes the same time for a known and a new address', async () => {
  let made = 0;
  const shortestOf = async (): Promise<readonly number[]> => {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [at, email] of ['ann@x.test', `new${made++}@x.test`].entries()) {
        const begun = performance.now();
        await world.post('/signup', { email, password: 'a long password' });
        times[at]?.push(performance.now() - begun);
      }
    return times.map((all) => Math.min(...all));
  };
  await inTime(shortestOf, (shortest) => Math.max(...shortest) / Math.min(...shortest) < 1.5);
}, 100_000);

test('unknown, wrong, deleted, without a password and with a second factor take the same time', async () => {
  const headers = basic(emailOf('root'), passwordOf('root'));
  await world.send('POST', '/api/user', { headers, body: { email: 'none@x.test' } });
  await world.send('DELETE', `/api/user/${world.ids['dan'] ?? ''}`, { headers });
  const emails = ['nobody@x.test', 'ann@x.test', 'dan@x.test', 'none@x.test', 'bob@x.test'];
  const shortestOf = async (): Promise<readonly number[]> => {
    const times = new Map<string, number[]>(emails.map((email) => [email, []]));
    for (let round = 0; round < rounds; round++)
      for (const email of emails) {
        const begun = performance.now();
        await world.send('POST', '/login', { body: { email, password: `wrong${round}` } });
        times.get(email)?.push(performance.now() - begun);
      }
    return [...times.values()].map((all) => Math.min(...all));
  };
  await inTime(shortestOf, (shortest) => Math.max(...shortest) / Math.min(...shortest) < 1.5);
}, 100_000);
