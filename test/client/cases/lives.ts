/** Live lists: at rest, the rows of each are those of the same list, whatever happens. */
import { createClient, type Fetch, type Live } from 'dossier-client';
import { equal, failure, type Given, unique } from './case.ts';
import type { Watching } from './watches.ts';

type Row = Readonly<Record<string, unknown>>;

/** A client through the connection that can be cut, the requests of lists that it has sent, and what further ones wait for. */
const open = async ({ line, people }: Watching, person: keyof Given['people'] = 'ann') => {
  let reads = 0;
  let held: Promise<unknown> | undefined;
  const fetch: Fetch = async (input, init) => {
    if (/\/(api|query)\/book/.test(input)) {
      reads += 1;
      await held;
    }
    return globalThis.fetch(input, init);
  };
  const client = createClient({ url: line, fetch, retry: { delay: 5 } });
  await client.login(people[person]);
  return { client, reads: () => reads, hold: (until: Promise<unknown>) => void (held = until) };
};

/** A shelf of books of this case, by one who writes directly. */
const shelf = async ({ url, people }: Given) => {
  const client = createClient({ url });
  await client.login(people.ann);
  const books = client.model('book');
  const author_id = (await client.model('author').create({ name: unique('Live') }))._id;
  const add = async (title: string, pages: number) => (await books.create({ title, pages, author_id }))._id;
  return { books, filter: { author_id }, add };
};

/** Resolves when it has subscribed. */
const subscribed = (live: Live<Row>): Promise<unknown> =>
  new Promise((done) => live.addEventListener('open', done, { once: true }));

/** Resolves when the rows fulfil a condition. @throws what the list ends with */
const until = (live: Live<Row>, isMet: (rows: readonly Row[]) => boolean): Promise<void> =>
  new Promise((done, failed) => {
    const look = (): void => {
      if (!isMet(live.rows)) return;
      stop();
      done();
    };
    const stop = live.onChange(look);
    live.addEventListener('error', ({ detail }) => failed(detail as Error));
    look();
  });

const titles = (rows: readonly Row[]): string => rows.map(({ title }) => String(title)).join(' ');
const shows = (live: Live<Row>, wanted: string): Promise<void> => until(live, (rows) => titles(rows) === wanted);

const end = { done: true, value: undefined };

export const lives: Readonly<Record<string, (given: Watching) => Promise<void>>> = {
  'rows enter, move and leave in their order, without another read': async (given) => {
    const [{ client, reads }, { books, filter, add }] = [await open(given), await shelf(given)];
    const ids = [await add('b', 2), await add('d', 4)];
    const live = client.model('book').live({ filter, sort: 'pages', limit: 4 });
    await Promise.all([live.ready, subscribed(live)]);
    equal(titles(live.rows), 'b d');
    await add('c', 3);
    await shows(live, 'b c d');
    await books.set(String(ids[0]), { pages: 5 });
    await shows(live, 'c d b');
    await books.set(String(ids[1]), { title: 'D' });
    await shows(live, 'c D b');
    await books.remove(String(ids[1]));
    await shows(live, 'c b');
    await books.restore(String(ids[1]));
    await shows(live, 'c D b');
    await add('a', 1);
    await shows(live, 'a c D b');
    await add('e', 2);
    await shows(live, 'a e c D');
    equal(reads(), 1);
    equal([live.page?.limit, live.page?.data], [4, live.rows]);
    live.close();
  },

  'what is written between its list and its subscription is not missed, and the list is read once': async (given) => {
    const { filter, add } = await shelf(given);
    let reads = 0;
    const fetch: Fetch = async (input, init) => {
      if (/\/(api|query)\/book/.test(input)) reads += 1;
      else if (input.includes('/events/')) await add('between', 2);
      return globalThis.fetch(input, init);
    };
    await add('before', 1);
    const live = createClient({ url: given.line, fetch, retry: { delay: 5 } })
      .model('book')
      .live({ filter, sort: 'pages' });
    await live.ready;
    equal(titles(live.rows), 'before');
    await shows(live, 'before between');
    equal(reads, 1);
    live.close();
  },

  'a row that no longer matches the filter leaves, and the place that it leaves is filled': async (given) => {
    const [{ client }, { books, filter, add }] = [await open(given), await shelf(given)];
    const ids: string[] = [];
    for (const at of [1, 2, 3, 4, 5]) ids.push(await add(`t${at}`, at + 1));
    const live = client.model('book').live({ filter: { ...filter, title: /^t/ }, sort: '-pages', limit: 3 });
    await shows(live, 't5 t4 t3');
    const seen: string[] = [];
    live.onChange(() => seen.push(titles(live.rows)));
    await books.set(String(ids[3]), { title: 'other' });
    await shows(live, 't5 t3 t2');
    await books.set(String(ids[4]), { pages: 1 });
    await shows(live, 't3 t2 t1');
    equal(
      seen.filter((rows) => rows.includes('other')),
      [],
    );
    live.close();
  },

  'a burst of changes that need the server is one read': async (given) => {
    const [{ client, reads, hold }, { books, filter, add }] = [await open(given), await shelf(given)];
    const ids: string[] = [];
    for (let pages = 1; pages <= 40; pages++) ids.push(await add('x', pages));
    const live = client.model('book').live({ filter, sort: 'pages', limit: 20 });
    await subscribed(live);
    await until(live, ({ length }) => length === 20);
    const before = reads();
    const watch = books.watch({ filter });
    await watch.ready;
    const burst = (async () => {
      let left = 20;
      for await (const { event } of watch) if (event === 'del' && --left === 0) break;
    })();
    // the first read lasts as long as the burst does, however slowly its events come
    hold(burst);
    await books.bulk(ids.slice(0, 20).map((_id) => ({ deleteOne: { filter: { _id } } })));
    await until(live, (rows) => rows.length === 20 && rows[0]?.['pages'] === 21);
    // a read that was under way when an event came is followed by another one, and this subscription may lag behind the other
    equal(reads() - before < 10, true);
    live.close();
  },

  'links, chosen fields and filters through links are kept right by reading again': async (given) => {
    const [{ client }, { books, filter, add }] = [await open(given), await shelf(given)];
    const id = await add('one', 1);
    const linked = client
      .model('book')
      .live({ filter, fields: ['title', 'author_id'], populate: ['author'], sort: 'title' });
    const author = await client.model('author').one(filter.author_id);
    const through = client
      .model('book')
      .live({ filter: { 'author.name': author['name'] }, sort: 'title', count: 'exact' });
    await Promise.all([shows(linked, 'one'), shows(through, 'one')]);
    await add('two', 2);
    await Promise.all([shows(linked, 'one two'), shows(through, 'one two')]);
    equal(through.page?.count, 2);
    equal(Object.keys(linked.rows[0] ?? {}).includes('pages'), false);
    equal((linked.rows[1]?.['author'] as Row)['name'], author['name']);
    await books.remove(id);
    await Promise.all([shows(linked, 'two'), shows(through, 'two')]);
    linked.close();
    through.close();
  },

  'the rows are those of the list after many writes and cuts': async (given) => {
    const [{ client }, { books, filter }] = [await open(given), await shelf(given)];
    const options = { filter, sort: ['-pages', 'title'], limit: 7 } as const;
    const live = client.model('book').live(options);
    await live.ready;
    const ids: string[] = [];
    for (let round = 0; round < given.cuts; round++) {
      const made = Array.from({ length: 9 }, (_, at) => ({
        insertOne: { document: { title: `Ä${at % 3}`, pages: 1 + ((at * 7 + round) % 11), ...filter } },
      }));
      ids.push(...Object.values((await books.bulk(made)).insertedIds));
      const cut = given.cut();
      for (let at = 0; at < 4; at++) {
        const id = String(ids[(round * 5 + at * 3) % ids.length]);
        if (at % 2 === 0) await books.set(id, { pages: 1 + ((round + at * 5) % 13), _deleted: false });
        else await books.remove(id);
      }
      await cut;
    }
    const wanted = (await books.list(options)).data.map(({ _id, pages }) => `${_id} ${String(pages)}`).join();
    await until(live, (rows) => rows.map(({ _id, pages }) => `${String(_id)} ${String(pages)}`).join() === wanted);
    live.close();
  },

  'a subscription whose position is too old begins again, and the list is read': async (given) => {
    const { filter, add } = await shelf(given);
    let isRefused = false;
    const fetch: Fetch = async (input, init) => {
      if (!isRefused || !input.includes('/events/')) return globalThis.fetch(input, init);
      isRefused = false;
      await add('meanwhile', 1);
      return new Response('{"status":"fail","err":"too old"}', { status: 410 });
    };
    // callers who have not signed in use event streams
    const live = createClient({ url: given.line, fetch, retry: { delay: 5 } })
      .model('book')
      .live({ filter });
    await new Promise((done) => live.addEventListener('open', done, { once: true }));
    isRefused = true;
    await given.cut();
    await shows(live, 'meanwhile');
    await add('later', 2);
    await shows(live, 'meanwhile later');
    live.close();
  },

  'a closed list that is used again is read and kept right again': async (given) => {
    const [{ client, reads }, { filter, add }] = [await open(given), await shelf(given)];
    await add('a', 1);
    const live = client.model('book').live({ filter, sort: 'pages' });
    // as React mounts a component in StrictMode: all effects, their ends, and all again
    live.onChange(() => undefined)();
    live.close();
    await shows(live, 'a');
    await live.ready;
    await add('b', 2);
    await shows(live, 'a b');
    live.close();
    live.close();
    await add('c', 3);
    equal(titles(live.rows), 'a b');
    const before = reads();
    const seen: string[] = [];
    for await (const rows of live) {
      seen.push(titles(rows));
      if (rows.length === 3) await add('d', 4);
      else break;
    }
    equal([seen, reads() - before], [['a b c', 'a b c d'], 1]);
    // a loop that was ended by `close` does not go on when the list is opened again
    await shows(live, 'a b c d');
    const loop = live[Symbol.asyncIterator]();
    await loop.next();
    live.close();
    await shows(live, 'a b c d');
    equal([await loop.next(), await loop.return?.()], [end, end]);
    await add('e', 5);
    await shows(live, 'a b c d e');
    live.close();
  },

  'a list whose signal has ended it, or that was refused, stays ended': async (given) => {
    const [{ client, reads }, { filter }] = [await open(given), await shelf(given)];
    const stop = new AbortController();
    const stopped = client.model('book').live({ filter, signal: stop.signal });
    await stopped.ready;
    stop.abort();
    const refused = client.model('book').live({ filter: { titel: 1 } });
    equal((await failure(refused.ready))['status'], 400);
    const before = reads();
    for (const live of [stopped, refused]) live.onChange(() => undefined);
    await stopped.ready;
    equal(await stopped[Symbol.asyncIterator]().next(), end);
    equal((await failure(refused.ready))['status'], 400);
    equal(reads(), before);
  },

  'it is iterated, stops when the caller stops, and ends with the reason if it is refused': async (given) => {
    const [{ client }, { filter, add }] = [await open(given), await shelf(given)];
    const seen: string[] = [];
    for await (const rows of client.model('book').live({ filter, sort: 'title' })) {
      seen.push(titles(rows));
      if (rows.length === 0) await add('first', 1);
      else if (rows.length === 1) await add('second', 2);
      else break;
    }
    equal(seen, ['', 'first', 'first second']);
    const stop = new AbortController();
    const stopped = client.model('book').live({ filter, signal: stop.signal });
    stop.abort();
    await stopped.ready;
    equal(stopped.rows, []);
    const refused = client.model('book').live({ filter: { titel: 1 } });
    equal((await failure(refused.ready))['status'], 400);
    equal(
      (
        await failure(
          (async () => {
            for await (const rows of refused) void rows;
          })(),
        )
      )['status'],
      400,
    );
    equal((await failure(client.model('nothing').live().ready))['status'], 404);
    const { client: leaving } = await open(given, 'bob');
    const left = leaving.model('book').live({ filter });
    await left.ready;
    const ended = new Promise<any>((done) => left.addEventListener('error', ({ detail }) => done(detail)));
    await leaving.logout();
    equal((await ended)['status'], 401);
  },
};
