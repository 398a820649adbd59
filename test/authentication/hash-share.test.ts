/** Many passwords of one caller do not delay logins or the passwords of other callers, also where requests are not shed before. */
import { expect, test } from '@jest/globals';
import { as, makeCallers, passwordOf } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const note = `import { Schema } from 'mongoose';
export default new Schema({ logins: [{ password: String }] }, { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } });`;

test('logins and others get through while one caller sends as many passwords as they can', async () => {
  const server = await startServer({ models: { note }, bcrypt_cost: 5, shed_after_ms: 0 });
  const callers = await makeCallers(server);
  const logins = Array.from({ length: 5 }, (_, at) => ({ password: `password ${at}` }));
  let done = 0;
  const flood = Array.from({ length: 115 }, async () => {
    const { status } = await server.post('/api/note', { logins }, as(callers.eve));
    done += 1;
    return status;
  });
  const login = await server.post('/login', { email: callers.ann.email, password: passwordOf('ann') });
  const mine = await server.post('/api/note', { logins: logins.slice(0, 1) }, as(callers.bob));
  const doneBefore = done;
  expect([login.status, mine.status]).toEqual([200, 201]);
  const statuses = await Promise.all(flood);
  // what is too much is refused at once, so it is done before; what was accepted is still under way
  expect(doneBefore).toBeLessThan(flood.length);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(50);
  for (const status of statuses) expect([201, 503]).toContain(status);
});
