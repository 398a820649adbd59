/** Watches: events as they happen, each exactly once, also across lost connections. */
import { type Change, createClient } from 'dossier-client';
import { equal, failure, type Given, unique } from './case.ts';

/** The input of a case that watches through a connection that can be cut. */
export interface Watching extends Given {
  /** The address of the same server, through that connection. */
  readonly line: string;
  readonly cut: () => Promise<void> | void;
  /** How often it is cut in the long case, which has twenty writes for each cut. */
  readonly cuts: number;
}

const open = async ({ line, people }: Watching, person: keyof Given['people'] = 'ann') => {
  const client = createClient({ url: line, retry: { delay: 5 } });
  await client.login(people[person]);
  return client;
};

const writer = async ({ url, people }: Given) => {
  const client = createClient({ url });
  await client.login(people.ann);
  return client;
};

type Seen = Change<Record<string, unknown>>;

const field = ({ item }: Seen, name: string): unknown => (item as Readonly<Record<string, unknown>>)[name];

/** The error with which a watch ends. */
const endOf = (watch: AsyncIterable<Seen>): Promise<Record<string, any>> =>
  failure(
    (async () => {
      for await (const { event } of watch) void event;
    })(),
  );

/** The next events. */
async function take(changes: AsyncIterator<Seen>, count: number): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  while (seen.length < count) {
    const { value, done } = await changes.next();
    if (done === true) throw new Error(`it has ended after ${seen.length} of ${count} events`);
    seen.push(value);
  }
  return seen;
}

export const watches: Readonly<Record<string, (given: Watching) => Promise<void>>> = {
  'shows what is created, changed and deleted': async (given) => {
    const [client, other] = [await open(given), await writer(given)];
    const author_id = (await other.model('author').create({ name: unique('Watch') }))._id;
    const watch = client.model('book').watch({ filter: { author_id } });
    await watch.ready;
    const books = other.model('book');
    const { _id } = await books.create({ title: 'Emma', pages: 1, author_id });
    await books.create({ title: 'Not watched' });
    await books.set(_id, { pages: 2 });
    await books.remove(_id);
    const seen = await take(watch[Symbol.asyncIterator](), 3);
    equal(
      seen.map(({ event }) => event),
      ['post', 'put', 'del'],
    );
    equal(
      seen.map((one) => [one.item._id, field(one, 'pages')]),
      [
        [_id, 1],
        [_id, 2],
        [_id, undefined],
      ],
    );
    equal(new Set(seen.map(({ position }) => typeof position)), new Set(['string']));
    watch.close();
  },

  'misses and repeats nothing during many writes and cuts': async (given) => {
    const [client, other] = [await open(given), await writer(given)];
    const author_id = (await other.model('author').create({ name: unique('Cut') }))._id;
    const watch = client.model('book').watch({ filter: { author_id } });
    const seen: number[] = [];
    const all = (async () => {
      for await (const { event, item } of watch) {
        if (event === 'post') seen.push(Number(item['pages']));
        if (seen.length >= 20 * given.cuts) break;
      }
    })();
    await watch.ready;
    const books = other.model('book');
    for (let round = 0; round < given.cuts; round++) {
      const document = (at: number) => ({ title: 'x', author_id, pages: 20 * round + at + 1 });
      await books.bulk(Array.from({ length: 19 }, (_, at) => ({ insertOne: { document: document(at) } })));
      const last = books.create(document(19));
      await given.cut();
      await last;
    }
    await all;
    equal(
      seen,
      Array.from({ length: 20 * given.cuts }, (_, at) => at + 1),
    );
  },

  'a cut before the first event loses nothing': async (given) => {
    const [client, other] = [await open(given), await writer(given)];
    const author_id = (await other.model('author').create({ name: unique('Early') }))._id;
    const watch = client.model('book').watch({ filter: { author_id } });
    await watch.ready;
    const lost = new Promise((done) => watch.addEventListener('lost', done));
    await given.cut();
    await lost;
    await other.model('book').create({ title: 'while it was away', author_id });
    const [first] = await take(watch[Symbol.asyncIterator](), 1);
    equal([first?.event, first && field(first, 'title')], ['post', 'while it was away']);
    watch.close();
  },

  'begins after a position': async (given) => {
    const [client, other] = [await open(given), await writer(given)];
    const { _id } = await other.model('author').create({ name: unique('Since') });
    const first = client.model('author').watch({ id: _id });
    await first.ready;
    await other.model('author').set(_id, { name: 'One' });
    const [one] = await take(first[Symbol.asyncIterator](), 1);
    first.close();
    await other.model('author').set(_id, { name: 'Two' });
    const second = client.model('author').watch({ id: _id, since: one?.position ?? '' });
    const [two] = await take(second[Symbol.asyncIterator](), 1);
    equal([two?.event, two && field(two, 'name')], ['put', 'Two']);
    second.close();
  },

  'is an event target, and stops when the caller stops': async (given) => {
    const [client, other] = [await open(given), await writer(given)];
    const { _id } = await other.model('author').create({ name: unique('Target') });
    const stop = new AbortController();
    const watch = client.model('author').watch({ id: _id, signal: stop.signal });
    await watch.ready;
    const received: unknown[] = [];
    const second = new Promise<void>((done) => {
      watch.addEventListener('change', ({ detail }) => {
        received.push(field(detail, 'name'));
        if (received.length === 2) done();
      });
    });
    await other.model('author').set(_id, { name: 'One' });
    await other.model('author').set(_id, { name: 'Two' });
    await second;
    equal(received, ['One', 'Two']);
    stop.abort();
    await other.model('author').set(_id, { name: 'Three' });
    for await (const change of watch) received.push(change);
    equal(received, ['One', 'Two']);
    for await (const change of client.model('author').watch({ signal: AbortSignal.abort() })) received.push(change);
    equal(received.length, 2);
  },

  'ends with the reason if it is refused': async (given) => {
    const client = await open(given);
    const reasonOf = async (watch: ReturnType<ReturnType<typeof client.model>['watch']>) =>
      (await endOf(watch))['status'];
    equal(await reasonOf(client.model('nothing').watch()), 404);
    equal(await reasonOf(client.model('book').watch({ filter: { titel: 1 } })), 400);
    equal(await reasonOf(client.model('book').watch({ since: 'no position' })), 400);
    equal(await reasonOf(client.model('book').watch({ id: 'no id' })), 400);
    const watch = client.model('book').watch({ id: 'no id' });
    equal((await failure(watch.ready))['status'], 400);
    const anonymous = createClient({ url: given.line });
    equal(await reasonOf(anonymous.model('note').watch()), 401);
  },

  'ends when its session ends, and an anonymous one receives what every caller may read': async (given) => {
    const client = await open(given, 'bob');
    const watch = client.model('book').watch();
    await watch.ready;
    const ended = endOf(watch);
    await client.logout();
    equal((await ended)['status'], 401);
    const anonymous = createClient({ url: given.line }).model('author').watch();
    await anonymous.ready;
    await (await writer(given)).model('author').create({ name: 'Everybody' });
    equal(
      (await take(anonymous[Symbol.asyncIterator](), 1)).map((one) => field(one, 'name')),
      ['Everybody'],
    );
    anonymous.close();
  },

  'a slow consumer still receives everything': async (given) => {
    const [client, other] = [await open(given), await writer(given)];
    const author_id = (await other.model('author').create({ name: unique('Slow') }))._id;
    // without a filter, which a busy machine may take too long to match
    const watch = client.model('book').watch();
    await watch.ready;
    for (let round = 0; round < 3; round++) {
      const document = (at: number) => ({ title: 'x', author_id, pages: 500 * round + at + 1 });
      await other
        .model('book')
        .bulk(Array.from({ length: 500 }, (_, at) => ({ insertOne: { document: document(at) } })));
    }
    const seen = await take(watch[Symbol.asyncIterator](), 1500);
    equal(
      seen.map((one) => field(one, 'pages')),
      Array.from({ length: 1500 }, (_, at) => at + 1),
    );
    watch.close();
  },
};
