/** Many passwords of one caller do not delay logins or the passwords of other callers, also where requests are not shed before. */
import { Worker } from 'node:worker_threads';
import { expect, jest, test } from '@jest/globals';
import { hashLimits, HashQueue } from '../../src/auth/passwords/hash-pool.ts';
import { as, makeCallers } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';
import { until, withoutTimersFrom } from '../support/waiting.ts';

const note = `import { Schema } from 'mongoose';
export default new Schema({ logins: [{ password: String }] }, { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } });`;

interface Jobs {
  /** The passwords that threads have received, in order. */
  readonly given: readonly string[];
  release(): void;
}

/** Holds the threads that hash, until they are released. Stores in threads are not held. */
function holdThreads(): Jobs {
  const given: string[] = [];
  const held: (() => void)[] = [];
  let isHeld = true;
  const post = Reflect.get(Worker.prototype, 'postMessage') as (this: Worker, ...given: unknown[]) => void;
  jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message: unknown, ...more) {
    const send = (): void => post.call(this, message, ...more);
    const { password } = message as { readonly password?: unknown };
    if (typeof password !== 'string') return send();
    given.push(password);
    if (isHeld) held.push(send);
    else send();
  });
  const release = (): void => {
    isHeld = false;
    for (const send of held.splice(0)) send();
  };
  return { given, release };
}

test('logins and others get through while one caller sends as many passwords as they can', async () => {
  const server = await startServer({ models: { note }, bcrypt_cost: 5, shed_after_ms: 0 });
  const callers = await makeCallers(server);
  // what waits is not refused because it waits for long
  withoutTimersFrom(1000);
  const jobs = holdThreads();
  const queued = jest.spyOn(HashQueue.prototype, 'push');
  const logins = Array.from({ length: 5 }, (_, at) => ({ password: `password ${at}` }));
  let refused = 0;
  const flood = Array.from({ length: 115 }, async () => {
    const { status } = await server.post('/api/note', { logins }, as(callers.eve));
    if (status === 503) refused += 1;
    return status;
  });
  // what is too much is refused at once
  await until(() => refused === flood.length - jobs.given.length - hashLimits.waitingByCaller);
  const running = jobs.given.length;
  const mine = server.post('/api/note', { logins: [{ password: "of bob's" }] }, as(callers.bob));
  const login = server.post('/login', { email: callers.ann.email, password: "not ann's" });
  // both wait for a thread
  const isWaiting = (wanted: string): boolean =>
    queued.mock.calls.some(([work]) => 'password' in work && work.password === wanted);
  await until(() => isWaiting("of bob's") && isWaiting("not ann's"));
  jobs.release();
  expect([(await login).status, (await mine).status]).toEqual([401, 201]);
  const [first, ...next] = jobs.given.slice(running);
  expect(first).toBe("not ann's");
  // callers take turns
  expect(next.slice(0, 2)).toContain("of bob's");
  const statuses = await Promise.all(flood);
  for (const status of statuses) expect([201, 503]).toContain(status);
  jest.restoreAllMocks();
});
