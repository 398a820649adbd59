/** Copies of collections: to a map and to IndexedDB, across kills, refusals and other users. */
import { createClient, type Fetch, indexedDbStore, mapStore, type SyncStore } from 'dossier-client';
import { type Cases, equal, failure, type Given, unique } from './case.ts';

type Row = Readonly<Record<string, unknown>>;
type Kept = { readonly store: SyncStore<Row>; readonly rows: () => Promise<readonly Row[]> };
type Person = keyof Given['people'];

const open = async ({ url, people }: Given, { person = 'ann', fetch }: { person?: Person; fetch?: Fetch } = {}) => {
  const client = createClient({ url, fetch, retry: { delay: 5 } });
  await client.login(people[person]);
  return client;
};

const inMap = (): Kept & { readonly map: Map<string | number, Row> } => {
  const map = new Map<string | number, Row>();
  return { map, store: mapStore(map), rows: () => Promise.resolve([...map.values()]) };
};

const inDatabase = (name = unique('copy')): Kept => {
  const store = indexedDbStore<Row>(name);
  return { store, rows: () => store.all() };
};

const sorted = (rows: readonly Row[]) =>
  [...rows].sort((one, other) => (String(one['_id']) < String(other['_id']) ? -1 : 1));

/** An author of this case with books, and what a list of those has. */
const shelf = async (given: Given) => {
  const client = await open(given);
  const books = client.model('book');
  const author_id = (await client.model('author').create({ name: unique('Sync') }))._id;
  const filter = { author_id };
  const add = (count: number, title = 'first') =>
    books.bulk(
      Array.from({ length: count }, (_, at) => ({ insertOne: { document: { title, pages: at + 1, author_id } } })),
    );
  const all = async (): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for await (const row of books.iterate({ filter })) rows.push(row);
    return sorted(rows);
  };
  const ids = async () => (await all()).map(({ _id }) => String(_id));
  /** Waits until the changes so far are delivered: a walk that begins before repeats them after its pages. */
  const delivered = async (): Promise<void> => {
    for (let changes = 1; changes > 0;) {
      const store = mapStore(new Map<string | number, Row>());
      await books.sync(store, { filter });
      ({ changes } = await books.sync(store, { filter }));
    }
  };
  return { client, books, filter, add, all, ids, delivered };
};

/** Changes, deletes, removes and adds some of the books. */
const disturb = async ({ books, add, ids }: Awaited<ReturnType<typeof shelf>>, round: number) => {
  const [one = '', other = '', third = ''] = await ids();
  await books.set(one, { title: `changed ${round}` });
  await books.remove(other);
  await books.remove(third, { permanent: true });
  await add(2, `round ${round}`);
};

/** A store that fails for every `every`th write, before or after it has written: as a program that is killed there. */
const failing = ({ store, rows }: Kept, every: number): Kept => {
  let writes = 0;
  return {
    rows,
    store: {
      ...store,
      apply: async (...given) => {
        const fails = ++writes % every === 0;
        if (fails && writes % (2 * every) === 0) throw new Error('killed');
        const isApplied = await store.apply(...given);
        if (fails) throw new Error('killed');
        return isApplied;
      },
    },
  };
};

/** A fetch that answers some requests with a 410. */
const refusing = (isRefused: (url: string) => boolean): Fetch => {
  const body = JSON.stringify({ status: 'fail', message: 'Gone', err: 'the history does not reach back' });
  return (input, init) =>
    isRefused(input) ? Promise.resolve(new Response(body, { status: 410 })) : globalThis.fetch(input, init);
};

const kinds: readonly (readonly [string, () => Kept])[] = [
  ['a map', inMap],
  ['IndexedDB', () => inDatabase()],
];

const ofEach = kinds.map(([kind, make]): Cases => ({
  [`a copy in ${kind} is what a list gives, with later changes and deletions`]: async (given) => {
    const here = await shelf(given);
    const { client, filter } = here;
    const { store, rows } = make();
    await here.add(5);
    await here.delivered();
    equal(await client.model('book').sync(store, { filter, limit: 2 }), { changes: 5 });
    equal(sorted(await rows()), await here.all());
    await disturb(here, 1);
    await client.model('book').sync(store, { filter, limit: 2 });
    equal(sorted(await rows()), await here.all());
    equal(await client.model('book').sync(store, { filter, limit: 2 }), { changes: 0 });
  },

  [`a copy in ${kind} that fits into one answer is one request, and misses nothing that is written meanwhile`]: async (
    given,
  ) => {
    const here = await shelf(given);
    const { store, rows } = make();
    await here.add(3);
    const requests: string[] = [];
    const fetch: Fetch = async (input, init) => {
      const answer = await globalThis.fetch(input, init);
      if (input.includes('/changes/')) requests.push(input);
      // after the first answer was made, and before it is read
      if (requests.length === 1) await here.add(1, 'meanwhile');
      return answer;
    };
    const books = (await open(given, { fetch })).model('book');
    const before = await here.all();
    equal(await books.sync(store, { filter: here.filter }), { changes: 3 });
    equal(sorted(await rows()), before);
    equal(requests.length, 1);
    // it may repeat what the copy has
    await books.sync(store, { filter: here.filter });
    equal(sorted(await rows()), await here.all());
  },

  [`a copy in ${kind} continues after it was killed at any moment`]: async (given) => {
    const here = await shelf(given);
    const books = here.client.model('book');
    const kept = make();
    const { store, rows } = failing(kept, 2);
    await here.add(7);
    let kills = 0;
    const options = { filter: here.filter, limit: 2 };
    const again = async (): Promise<void> => {
      await books.sync(store, options).catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'killed') throw error;
        kills += 1;
        return again();
      });
    };
    for (let round = 0; round < 4; round++) {
      await disturb(here, round);
      await again();
      equal(sorted(await rows()), await here.all());
    }
    equal(kills >= 4, true);
  },

  [`a copy in ${kind} begins again after a 410, without being empty, and without what is gone`]: async (given) => {
    const here = await shelf(given);
    const { store, rows } = make();
    const options = { filter: here.filter, limit: 2 };
    await here.add(6);
    await here.client.model('book').sync(store, options);
    const [gone = ''] = await here.ids();
    await here.books.remove(gone, { permanent: true });
    let refusals = 0;
    const fetch = refusing((url) => url.includes('since=') && ++refusals === 1);
    const other = await open(given, { fetch });
    const counts: number[] = [];
    const watched: SyncStore<Row> = {
      ...store,
      apply: async (...batch) => {
        const isApplied = await store.apply(...batch);
        counts.push((await rows()).length);
        return isApplied;
      },
    };
    await other.model('book').sync(watched, options);
    equal([refusals, Math.min(...counts)], [2, 5]);
    equal(sorted(await rows()), await here.all());
  },

  [`two that keep one copy in ${kind} at the same time do not harm it`]: async (given) => {
    const here = await shelf(given);
    const { store, rows } = make();
    const options = { filter: here.filter, limit: 1 };
    await here.add(4);
    const both = () => Promise.all([1, 2, 3].map(() => here.client.model('book').sync(store, options)));
    for (let round = 0; round < 2; round++) {
      await both();
      equal(sorted(await rows()), await here.all());
      await disturb(here, round);
    }
    await both();
    equal(sorted(await rows()), await here.all());
  },

  [`a copy in ${kind} begins again for another filter, other fields, and another user`]: async (given) => {
    const here = await shelf(given);
    const { store, rows } = make();
    await here.add(3);
    const [first = ''] = await here.ids();
    await here.books.set(first, { title: 'second' });
    const books = here.client.model('book');
    await books.sync(store, { filter: here.filter });
    const filter = { ...here.filter, title: 'second' };
    await books.sync(store, { filter, fields: ['title'] });
    equal(await rows(), [{ _id: first, id: first, title: 'second' }]);
    let isEmpty = false;
    const watched = { ...store, clear: () => ((isEmpty = true), store.clear()) };
    await (await open(given, { person: 'bob' })).model('book').sync(watched, { filter: here.filter });
    equal(isEmpty, true);
    equal(sorted(await rows()), await here.all());
  },
}));

export const syncs: Cases = {
  ...(Object.assign({}, ...ofEach) as Cases),

  'a position that the server keeps refusing ends with the 410': async (given) => {
    const { filter, add } = await shelf(given);
    await add(2);
    const client = await open(given, { fetch: refusing((url) => url.includes('since=')) });
    const { store } = inMap();
    const error = await failure(client.model('book').sync(store, { filter, limit: 1 }));
    equal([error['name'], error['status']], ['DossierError', 410]);
  },

  'a sync stops by its signal, and where its user signs out': async (given) => {
    const here = await shelf(given);
    await here.add(2);
    const stop = new AbortController();
    const { map, store } = inMap();
    const stopping = {
      ...store,
      apply: (...batch: Parameters<typeof store.apply>) => (stop.abort(), store.apply(...batch)),
    };
    const options = { filter: here.filter, limit: 1 };
    await failure(here.books.sync(stopping, { ...options, signal: stop.signal }));
    equal(map.size, 1);
    const leaving: SyncStore<Row> = {
      ...store,
      apply: async (...batch) => (await here.client.logout(), store.apply(...batch)),
    };
    equal((await failure(here.books.sync(leaving, options)))['status'], 401);
    equal(map.size, 2);
  },

  'a copy in IndexedDB survives its page, and is read by id': async (given) => {
    const here = await shelf(given);
    await here.add(2);
    await here.delivered();
    const name = unique('kept');
    const first = indexedDbStore<Row>(name);
    await here.books.sync(first, { filter: here.filter });
    await first.close();
    const second = indexedDbStore<Row>(name);
    equal(sorted(await second.all()), await here.all());
    const [id = ''] = await here.ids();
    equal((await second.get(id))?.['_id'], id);
    equal(await second.get('none'), undefined);
    equal(await here.books.sync(second, { filter: here.filter }), { changes: 0 });
    await second.clear();
    equal([await second.all(), await second.position()], [[], undefined]);
    await second.close();
  },

  'a map that had rows before keeps those that the collection has': async (given) => {
    const here = await shelf(given);
    await here.add(2);
    const map = new Map<string | number, Row>([['old', { _id: 'old' }]]);
    await here.books.sync(mapStore(map), { filter: here.filter });
    equal(sorted([...map.values()]), await here.all());
  },
};
