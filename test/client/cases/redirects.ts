/** Redirects: no request of the client is sent to another address, with its credentials or without. */
import { createClient } from 'dossier-client';
import { equal, failure, type Given } from './case.ts';

export interface Redirecting extends Given {
  /** A server that redirects each path below `/<status>` to another server, and the paths that the other one has received. */
  readonly redirecting: string;
  readonly received: () => Promise<readonly string[]> | readonly string[];
}

const statuses = [301, 302, 303, 307, 308];

export const redirects: Readonly<Record<string, (given: Redirecting) => Promise<void>>> = {
  'no request is sent on': async ({ redirecting, received, people }) => {
    for (const status of statuses) {
      const url = `${redirecting}/${status}`;
      const byKey = createClient({ url, apikey: 'da_key', retry: { delay: 1 } });
      const client = createClient({ url, retry: { delay: 1 } });
      const asked: readonly (() => Promise<unknown>)[] = [
        () => client.login(people.ann),
        () => byKey.model('book').list(),
        () => byKey.model('book').create({ title: 'x' }),
        () => byKey.batch([]),
        () => byKey.request('/me'),
        () => byKey.model('book').create({ title: 'x'.repeat(100_000) }),
      ];
      for (const ask of asked) {
        const error = await failure(ask());
        const known = [status, 300].includes(Number(error['status']));
        equal([status, known, String(error['message']).startsWith('Redirected: ')], [status, true, true]);
      }
    }
    equal(await received(), []);
  },

  'a watch ends': async ({ redirecting, received }) => {
    const client = createClient({ url: `${redirecting}/307`, apikey: 'da_key', retry: { delay: 1 } });
    const watch = client.model('book').watch();
    const error = await failure(watch.ready);
    equal(String(error['message']).startsWith('Redirected: '), true);
    equal(await received(), []);
  },

  'a redirect that a given `fetch` has followed is an error, too': async ({ url }) => {
    const fetch = async (): Promise<Response> =>
      Object.defineProperty(new Response('{"data":[]}'), 'redirected', { value: true });
    equal((await failure(createClient({ url, fetch }).model('book').list()))['status'], 300);
  },
};
