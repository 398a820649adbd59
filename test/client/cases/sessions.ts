/** Sessions: renewed once for all requests, shared by tabs, and ended. */
import { type AnyModels, type Client, createClient } from 'dossier-client';
import { type Cases, equal, failure, type Given } from './case.ts';

/** A storage like that of a tab, and its content. */
const openStorage = () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const tokens = (): Record<string, string> => JSON.parse([...items.values()][0] ?? '{}') as Record<string, string>;
  const change = (fields: object) => {
    for (const [key, value] of items) items.set(key, JSON.stringify({ ...(JSON.parse(value) as object), ...fields }));
  };
  return { storage, tokens, change, items };
};

/** A `fetch` that counts the requests that it sends. */
const counting = () => {
  const sent: string[] = [];
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    sent.push(`${init?.method ?? 'GET'} ${new URL(url).pathname}`);
    return globalThis.fetch(url, init);
  };
  return { fetch, count: (what: string) => sent.filter((one) => one === what).length, sent };
};

const open = async ({ url, people }: Given, person: keyof Given['people'] = 'bob') => {
  const kept = openStorage();
  const counted = counting();
  const client = createClient({ url, storage: kept.storage, fetch: counted.fetch });
  await client.login(people[person]);
  return { client, ...kept, ...counted };
};

const hundred = Array.from({ length: 100 }, (_, at) => at);

export const sessions: Cases = {
  'a hundred requests in flight renew the session once': async (given) => {
    const { client, count, tokens } = await open(given);
    const before = tokens();
    // the refresh invalidates the access token, as if it had expired
    const headers = { authorization: `Bearer ${before['refresh_token']}` };
    await globalThis.fetch(`${given.url}/refresh`, { method: 'POST', headers });
    const users = await Promise.all(hundred.map(async () => (await client.me()).user._id));
    equal([new Set(users).size, count('POST /refresh')], [1, 1]);
    equal(tokens()['token'] === before['token'], false);
  },

  'an expired token is renewed before it is sent': async (given) => {
    const { client, change, sent } = await open(given);
    change({ token_expires: new Date(0).toISOString() });
    await Promise.all([client.me(), client.me(), client.model('book').list({ limit: 1 })]);
    equal(sent.slice(1), ['POST /refresh', 'GET /me', 'GET /me', 'GET /api/book']);
  },

  'two tabs that renew at the same time have one session': async (given) => {
    const one = await open(given);
    const other = counting();
    const tab = createClient({ url: given.url, storage: one.storage, fetch: other.fetch });
    one.change({ token_expires: new Date(0).toISOString() });
    await Promise.all([one.client.me(), tab.me(), one.client.me(), tab.me()]);
    equal([one.count('POST /refresh'), other.count('POST /refresh') <= 1], [1, true]);
    equal([tab.user, typeof tab.user], [one.client.user, 'string']);
    await tab.logout();
    equal(one.client.user, undefined);
    equal((await failure(one.client.me()))['status'], 401);
  },

  'a session that has ended elsewhere ends here, with an event': async (given) => {
    const { client, tokens } = await open(given);
    let changes = 0;
    client.addEventListener('session', () => (changes += 1));
    const headers = { authorization: `Bearer ${tokens()['token']}` };
    await globalThis.fetch(`${given.url}/logout`, { headers });
    equal((await failure(client.me()))['status'], 401);
    equal([client.user, changes], [undefined, 1]);
    // what every caller may read is still answered
    await client.model('book').list({ limit: 1 });
  },

  'requests wait for the user to sign in again where the server has ended the session': async (given) => {
    const { storage, tokens, change } = openStorage();
    const { fetch, count } = counting();
    let ends = 0;
    let again = given.people.bob;
    const sessionEnded = async () => {
      ends += 1;
      await client.login(again);
    };
    const client: Client<AnyModels> = createClient({ url: given.url, storage, fetch, sessionEnded });
    await client.login(given.people.bob);
    const end = () =>
      globalThis.fetch(`${given.url}/logout`, { headers: { authorization: `Bearer ${tokens()['token']}` } });
    await end();
    const users = await Promise.all([client.me(), client.me(), client.me()]);
    equal([users.map(({ user }) => user._id), ends], [[client.user, client.user, client.user], 1]);
    // the requests of one user are not sent as another one, whether the token is refused or has expired
    again = given.people.ann;
    await end();
    const sent = count('GET /me');
    equal((await failure(client.me()))['status'], 401);
    equal([ends, count('GET /me') - sent], [2, 1]);
    again = given.people.bob;
    await end();
    change({ token_expires: new Date(0).toISOString() });
    equal((await failure(client.me()))['status'], 401);
    equal([ends, (await client.me()).user.email], [3, given.people.bob.email]);
  },

  'without signing in again, the session that the server has ended ends here': async (given) => {
    const { storage, tokens, items } = openStorage();
    const client = createClient({ url: given.url, storage, sessionEnded: () => Promise.resolve() });
    await client.login(given.people.bob);
    await globalThis.fetch(`${given.url}/logout`, { headers: { authorization: `Bearer ${tokens()['token']}` } });
    equal([(await failure(client.me()))['status'], client.user, items.size], [401, undefined, 0]);
  },

  'a logout ends the session at the server; with everywhere, all sessions': async (given) => {
    const one = await open(given);
    const other = await open(given);
    const { token } = one.tokens();
    await one.client.logout();
    equal([one.client.user, one.items.size], [undefined, 0]);
    const headers = { authorization: `Bearer ${token}` };
    equal((await globalThis.fetch(`${given.url}/me`, { headers })).status, 401);
    equal((await other.client.me()).method, 'token');
    const third = await open(given);
    await third.client.logout({ everywhere: true });
    equal((await failure(other.client.me()))['status'], 401);
    await third.client.logout();
  },

  'a renewal that a logout overtakes restores nothing': async (given) => {
    const { client, change } = await open(given);
    change({ token_expires: new Date(0).toISOString() });
    const asked = client.me().catch(() => undefined);
    await client.logout();
    await asked;
    equal(client.user, undefined);
  },

  'wrong credentials are an error, and nothing is stored; the API key is never stored': async (given) => {
    const { client, items, tokens } = await open(given);
    equal('apikey' in tokens(), false);
    await client.logout();
    const refused = await failure(client.login({ ...given.people.bob, password: 'wrong' }));
    equal([refused['status'], items.size, client.user], [401, 0, undefined]);
    const answer = await client.login(given.people.bob);
    equal([typeof answer.apikey, client.user], ['string', answer.user_id]);
  },

  'a program signs in by an API key': async ({ url, people }) => {
    const { apikey } = await createClient({ url }).login(people.bob);
    const client = createClient({ url, apikey });
    equal([(await client.me()).method, client.user], ['apikey', undefined]);
    const watch = client.model('author').watch();
    await watch.ready;
    const made = await client.model('author').create({ name: 'by key' });
    for await (const { item } of watch) if (item._id === made._id) break;
    equal((await failure(createClient({ url, apikey: 'dk_wrong' }).me()))['status'], 401);
  },

  'an unreadable stored session counts as none': async (given) => {
    for (const text of ['', '{', 'null', '5', '{"token":5}']) {
      const client = createClient({
        url: given.url,
        storage: { getItem: () => text, setItem: () => undefined, removeItem: () => undefined },
      });
      equal([client.user, (await client.model('book').list({ limit: 1 })).limit], [undefined, 1]);
    }
  },
};
