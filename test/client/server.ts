/** The server of the cases, and its users. */
import { emailOf, makeUsers, passwordOf } from '../support/fixtures/people.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import type { Given } from './cases/case.ts';
import { library } from './library.ts';

export async function openLibrary(options: StartOptions = {}): Promise<{ server: TestServer; given: Given }> {
  const server = await startServer({ models: library, max_sessions: 1000, ...options });
  await makeUsers(server, ['root', 'ann', 'bob']);
  const person = (name: string) => ({ email: emailOf(name), password: passwordOf(name) });
  return {
    server,
    given: { url: server.url, people: { root: person('root'), ann: person('ann'), bob: person('bob') } },
  };
}
