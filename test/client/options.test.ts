/** Options that a method of the client does not have, as programs without types may give them. */
import { describe, expect, test } from '@jest/globals';
import { type AnyModels, type Client, createClient, mapStore } from 'dossier-client';

let requests = 0;
const client: Client<AnyModels> = createClient({
  url: 'http://server.test',
  fetch: () => {
    requests += 1;
    return Promise.resolve(new Response('{"data":[]}'));
  },
});
const films = client.model('film');

/** With a name of each kind of options. */
interface Given {
  readonly on: readonly string[];
  readonly signal?: AbortSignal;
  readonly times?: number;
}
const methods: Readonly<Record<string, (options: Given) => unknown>> = {
  list: (options) => films.list(options),
  iterate: (options) => films.iterate(options).next(),
  one: (options) => films.one('1', options),
  count: (options) => films.count(options),
  distinct: (options) => films.distinct('title', options),
  create: (options) => films.create({}, options),
  set: (options) => films.set('1', {}, options),
  patch: (options) => films.patch('1', {}, options),
  update: (options) => films.update('1', {}, options),
  upsert: (options) => films.upsert({}, options),
  remove: (options) => films.remove('1', options),
  restore: (options) => films.restore('1', options),
  query: (options) => films.query({}, options),
  aggregate: (options) => films.aggregate([], options),
  csv: (options) => films.csv(options),
  csvStream: (options) => films.csvStream(options),
  call: (options) => films.call('f', {}, options),
  bulk: (options) => films.bulk([], options),
  rights: (options) => films.rights(options),
  history: (options) => films.history('1', options),
  'history of an entry': (options) => films.history('1', 1, options),
  entries: (options) => films.entries(options),
  revert: (options) => films.revert('1', 1, options),
  purge: (options) => films.purge('1', options),
  watch: (options) => films.watch(options),
  live: (options) => films.live(options),
  sync: (options) => films.sync(mapStore(new Map()), options),
  login: (options) => client.login({ jwt: '1' }, options),
  logout: (options) => client.logout(options),
  recover: (options) => client.recover('a@x.test', options),
  invite: (options) => client.invite('a@x.test', options),
  reset: (options) => client.reset('1', 'p', options),
  me: (options) => client.me(options),
  batch: (options) => client.batch([], options),
  route: (options) => client.route('GET /reports', options),
  request: (options) => client.request('/health', options),
  createClient: (options) => createClient({ url: 'http://server.test', ...options }),
  retry: (retry) => createClient({ url: 'http://server.test', retry }),
};

describe('an unknown option is a TypeError that names it and the known ones, before anything is sent', () => {
  test.each(Object.keys(methods))('%s', async (name) => {
    const before = requests;
    const options = { ...(name === 'upsert' ? { on: ['a'] } : {}), unheard: 1 } as Given & { unheard: number };
    const act = async (): Promise<unknown> => await methods[name]?.(options);
    await expect(act()).rejects.toThrow(TypeError);
    await expect(act()).rejects.toThrow(/^\w+ has no option "unheard": there (is|are) \w+/);
    expect(requests).toBe(before);
  });
});

test('the known ones are sent', async () => {
  const before = requests;
  await films.list({ filter: { a: 1 }, search: 'x', sort: 'a', limit: 1, fields: ['a'], populate: ['b'], count: true });
  await films.remove('1', { silent: true, permanent: true, cascade: true });
  await films.upsert({}, { on: ['a'], silent: true });
  await films.patch('1', {}, { merge: true, silent: true });
  await films.csv({ limit: 'all', showDeleted: 'only' });
  expect(requests).toBe(before + 5);
});
