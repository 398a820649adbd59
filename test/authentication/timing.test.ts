/** The time of a failed login does not reveal which users exist. */
import { beforeAll, test } from '@jest/globals';
import { type FactorWorld, openFactors } from '../support/fixtures/factors.ts';
import { basic, emailOf, passwordOf } from '../support/fixtures/people.ts';
import { inTime } from '../support/waiting.ts';

const rounds = 80;

let world: FactorWorld;
beforeAll(async () => {
  // dear enough that the hash is most of the time
  world = await openFactors({ bcrypt_cost: 7 });
  await world.withFactor('bob');
});

test('unknown, wrong, deleted, without a password and with a second factor take the same time', async () => {
  const headers = basic(emailOf('root'), passwordOf('root'));
  await world.send('POST', '/api/user', { headers, body: { email: 'none@x.test' } });
  await world.send('DELETE', `/api/user/${world.ids['dan'] ?? ''}`, { headers });
  const emails = ['nobody@x.test', 'ann@x.test', 'dan@x.test', 'none@x.test', 'bob@x.test'];
  const mediansOf = async (): Promise<readonly number[]> => {
    const times = new Map<string, number[]>(emails.map((email) => [email, []]));
    for (let round = 0; round < rounds; round++)
      for (const email of emails) {
        const begun = performance.now();
        await world.send('POST', '/login', { body: { email, password: `wrong${round}` } });
        times.get(email)?.push(performance.now() - begun);
      }
    return [...times.values()].map((all) => all.sort((a, b) => a - b)[rounds / 2] ?? 0);
  };
  await inTime(mediansOf, (medians) => Math.max(...medians) / Math.min(...medians) < 1.5);
}, 100_000);
