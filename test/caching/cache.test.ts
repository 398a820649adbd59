/** The cache: which answers it keeps, for which callers, and that a write invalidates them. */
import { changeFeed } from '../../src/ports/core.ts';
import { makeRoot, openPeople } from '../support/fixtures/people.ts';
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openReading({ cache: { enabled: true } });
});

const get = (path: string, as: Person = 'anonymous') => world.as(as, 'GET', path);
const cacheOf = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('x-cache');

describe('what is kept', () => {
  const reads: [string, () => ReturnType<World['send']>][] = [
    ['a list', () => get('/api/book?sort=title')],
    ['a page with a count', () => get('/api/book?limit=1&page=1')],
    ['a document', () => get(`/api/book/${world.ids['annBook']}`)],
    ['a query', () => world.send('POST', '/query/book', { body: { query: { price: { $gt: 1 } } } })],
    [
      'an aggregate',
      () => world.send('POST', '/aggregate/book', { body: [{ $group: { _id: null, n: { $sum: 1 } } }] }),
    ],
    ['linked documents', () => get('/api/book?autopopulate=1', 'eve')],
  ];
  test.each(reads)('%s', async (_name, read) => {
    await world.as('root', 'GET', '/cache/clear');
    const first = await read();
    const second = await read();
    expect([first.status, first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual([200, 'miss', 'hit']);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  const changing: [string, object][] = [
    ['chance', { $sample: { size: 1 } }],
    ['chance in a branch', { $facet: { some: [{ $sample: { size: 1 } }] } }],
    ['a random number', { $addFields: { a: { $add: [1, { $rand: {} }] } } }],
    ['now', { $addFields: { a: '$$NOW' } }],
    ['now in a condition', { $match: { $expr: { $lt: ['$createdAt', '$$NOW'] } } }],
  ];
  test.each(changing)('an aggregate with %s is not', async (_name, stage) => {
    for (let times = 0; times < 2; times++)
      expect(await cacheOf(world.send('POST', '/aggregate/book', { body: [stage] }))).toBeNull();
  });

  test('a text that only looks like now is', async () => {
    const body = [{ $addFields: { a: { $literal: '$$NOW $rand' } } }];
    const read = () => cacheOf(world.send('POST', '/aggregate/book', { body }));
    expect([await read(), await read()]).toEqual(['miss', 'hit']);
  });

  test('an aggregate with a date relative to now is read each time', async () => {
    const body = [{ $match: { createdAt: { $gte: 'relative_date(-1)' } } }];
    const read = () => cacheOf(world.send('POST', '/aggregate/book', { body }));
    expect([await read(), await read()]).toEqual(['miss', 'miss']);
  });

  test('equal addresses with other bodies, or another time, are other requests', async () => {
    const query = (title: string) => world.send('POST', '/query/book', { body: { query: { title: { $ne: title } } } });
    const first = await query('a');
    expect((await query('a')).headers.get('x-cache')).toBe('hit');
    expect((await query('b')).headers.get('x-cache')).toBe('miss');
    expect((await query('a')).text).toBe(first.text);
    const yesterday = { query: { createdAt: { $gte: 'relative_date(-1)' } } };
    for (let times = 0; times < 2; times++)
      expect(await cacheOf(world.send('POST', '/query/book', { body: yesterday }))).toBe('miss');
  });

  test('cached answers wait for no semaphore', async () => {
    const { shares } = world.dossier.services;
    const path = '/api/book?sort=-title';
    const first = await get(path);
    const done = new AbortController();
    const ended = new Promise<void>((end) => done.signal.addEventListener('abort', () => end()));
    // more than may work at once
    const crowd = Array.from({ length: 100 }, () => shares.lists(done, () => ended).catch(() => undefined));
    try {
      const second = await get(path);
      expect([second.headers.get('x-cache'), second.text]).toEqual(['hit', first.text]);
    } finally {
      done.abort();
      await Promise.all(crowd);
    }
  });

  test('a request for deleted documents does not fill the cache of others', async () => {
    const path = `/api/wiki/${world.ids['goneWiki']}`;
    expect((await get(`${path}?showDeleted=1`)).status).toBe(200);
    expect((await get(path)).status).toBe(404);
    expect((await get(`${path}?showDeleted=1`)).status).toBe(200);
  });
});

describe('for whom', () => {
  test('own rows are each caller’s own, and rights come first', async () => {
    const ann = await get('/api/note?limit=5', 'ann');
    const eve = await get('/api/note?limit=5', 'eve');
    expect(ann.text).toContain('BODY-ann');
    expect(eve.headers.get('x-cache')).toBe('miss');
    expect(eve.text).not.toContain('BODY-ann');
    expect((await get('/api/note?limit=5')).status).toBe(401);
    expect((await get(`/api/note/${world.ids['annNote']}`, 'ann')).status).toBe(200);
    expect((await get(`/api/note/${world.ids['annNote']}`, 'eve')).status).toBe(404);
    expect((await get('/api/user', 'root')).body['data']).toHaveLength(3);
    expect((await get('/api/user', 'eve')).body['data']).toHaveLength(1);
  });

  test('callers who see the same share an answer', async () => {
    await get('/api/wiki?sort=title&limit=2', 'ann');
    expect(await cacheOf(get('/api/wiki?sort=title&limit=2', 'eve'))).toBe('hit');
  });

  test('the figures are for admins, and hold no keys', async () => {
    expect((await get('/cache/stats')).status).toBe(401);
    expect((await get('/cache/stats', 'eve')).status).toBe(403);
    expect((await get('/cache/clear', 'eve')).status).toBe(403);
    const { body } = await get('/cache/stats', 'root');
    expect(Object.keys(body).sort()).toEqual(['hits', 'keys', 'ksize', 'misses', 'vsize']);
    expect(body['keys']).toBeGreaterThan(0);
  });
});

describe('a write empties it', () => {
  const write = (method: string, path: string, body?: unknown, as: Person = 'root') =>
    world.as(as, method, path, { ...(body === undefined ? {} : { body }) });
  const id = (name: string): string => world.ids[name] ?? '';
  const writes: [string, () => ReturnType<World['send']>][] = [
    ['POST', () => write('POST', '/api/wiki', { title: 'new' })],
    ['PUT', () => write('PUT', `/api/wiki/${id('annWiki')}`, { count: 8 })],
    ['a silent PUT', () => write('PUT', `/api/wiki/${id('annWiki')}?_silence=true`, { count: 9 })],
    ['/update', () => write('PUT', `/update/wiki/${id('annWiki')}`, { count: 10 })],
    ['DELETE', () => write('DELETE', `/api/wiki/${id('annWiki')}`)],
    ['restoring', () => write('PUT', `/api/wiki/${id('annWiki')}`, { _deleted: false })],
    ['/setup/data', () => write('POST', '/setup/data', { wiki: [{ title: 'given' }] })],
    ['cascade from a link', () => write('DELETE', `/api/note/${id('eveNote')}?_cascade=1`)],
    ['$merge', () => write('POST', '/aggregate/book', [{ $project: { title: 1 } }, { $merge: { into: 'wikis' } }])],
  ];
  test.each(writes)('%s', async (_name, write) => {
    const count = () => world.as('eve', 'POST', '/aggregate/wiki', { body: [{ $count: 'n' }] });
    await get('/api/wiki?sort=title&limit=100', 'eve');
    await count();
    expect([200, 201]).toContain((await write()).status);
    expect(await cacheOf(get('/api/wiki?sort=title&limit=100', 'eve'))).toBe('miss');
    expect(await cacheOf(count())).toBe('miss');
  });

  test('a write to a linked or joined model, too', async () => {
    const join = [{ $lookup: { from: 'authors', localField: 'author_id', foreignField: '_id', as: 'a' } }];
    const joined = () => world.as('eve', 'POST', '/aggregate/book', { body: join });
    const linked = () => get('/api/book?populate=author', 'eve');
    await joined();
    await linked();
    await write('PUT', `/api/author/${id('author')}`, { name: 'Grace' });
    for (const read of [joined, linked]) {
      const answer = await read();
      expect(answer.headers.get('x-cache')).toBe('miss');
      expect(answer.text).toContain('Grace');
    }
  });

  /** Changes another model, and waits until the database has reported that and all changes before it. */
  const caughtUp = (price: number): Promise<void> => {
    const { of, registry } = world.dossier.services;
    const feed = of(changeFeed);
    const book = registry.get('book');
    return new Promise((done) => {
      const stop = feed.listen({
        deliver: ({ model, after }) => (model === book && after?.['price'] === price ? (stop(), done()) : undefined),
        missed: () => undefined,
      });
      void write('PUT', `/api/book/${id('annBook')}`, { price });
    });
  };

  test('once: the database reports the write too, and what was read since then stays', async () => {
    // earlier changes that this server has not made, such as those of $merge, empty the cache when they are reported
    await caughtUp(71);
    await write('POST', '/api/wiki', { title: 'once' });
    await get('/api/wiki?sort=-title&limit=2');
    await caughtUp(72);
    expect(await cacheOf(get('/api/wiki?sort=-title&limit=2'))).toBe('hit');
  });

  test('a reader who races a write never leaves an old answer behind', async () => {
    const path = `/api/wiki/${id('annWiki')}`;
    for (let count = 100; count < 115; count++) {
      const readers = Array.from({ length: 4 }, () => get(path));
      const written = await write('PUT', path, { count });
      expect(written.status).toBe(200);
      const after = await get(path);
      expect(after.body['data'].count).toBe(count);
      await Promise.all(readers);
      expect((await get(path)).body['data'].count).toBe(count);
    }
  });
});

test.each([
  [{ all: 'c', admin: 'r', user: 'r' }, 'ann', 'ann'],
  [{ all: 'c', admin: 'r', owner: 'r' }, 'ann', undefined],
])('the name of an owner with the letters %j is cached for those who see it', async (perms, toAnn, toBob) => {
  const server = await openPeople(['root', 'ann', 'bob'], {
    cache: { enabled: true },
    models: {
      user: `export default ({ Schema }) =>
        new Schema({ name: { type: String, perms: ${JSON.stringify(perms)} } }, { perms: { admin: 'crud' } });`,
      post: ({ Schema }) => new Schema({ title: String }, { perms: { all: 'r', user: 'cr' } } as object),
    },
  });
  await server.as('ann', 'POST', '/api/post', { body: { title: 'a' } });
  const nameFor = async (caller: 'root' | 'ann' | 'bob' | 'anonymous'): Promise<unknown> =>
    (await server.as(caller, 'GET', '/api/post?populate=_owner')).body['data'][0]._owner.name;
  for (let times = 0; times < 2; times++)
    expect([await nameFor('root'), await nameFor('ann'), await nameFor('bob'), await nameFor('anonymous')]).toEqual([
      'ann',
      toAnn,
      toBob,
      undefined,
    ]);
});

test.each([
  ['updateMany', { filter: {}, update: { $set: { n: 2 } } }],
  ['deleteMany', { filter: {} }],
])('a bulk write by %s empties it at once', async (name, operation) => {
  const thing = `import { Schema } from 'mongoose';
    export default new Schema({ n: Number }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });`;
  const server = await startServer({ cache: { enabled: true }, models: { thing } });
  const root = await makeRoot(server);
  await server.post('/api/thing', { n: 1 });
  const read = () => server.get('/api/thing');
  await read();
  expect((await read()).headers.get('x-cache')).toBe('hit');
  expect((await server.post('/bulkwrite/thing', [{ [name]: operation }], root)).status).toBe(200);
  const { headers, rows } = await read();
  expect([headers.get('x-cache'), rows.filter(({ n }) => n === 1)]).toEqual(['miss', []]);
});

test('what middleware of another model writes empties it at once', async () => {
  const server = await startServer({
    cache: { enabled: true },
    models: {
      item: ({ Schema }) => {
        // otherwise a change would save, and run the middleware of `save` alone
        const item = new Schema({ title: String }, { perms: { all: 'crud' }, save_on_put: false } as object);
        item.post('save', async function () {
          await this.db.model('log').create({ title: this.get('title') });
        });
        item.post('findOneAndUpdate', async function (row: { title: string }) {
          await this.model.db.model('log').updateMany({}, { $set: { title: row.title } });
        });
        return item;
      },
      log: ({ Schema }) => new Schema({ title: String }, { perms: { all: 'r' } } as object),
    },
  });
  const logged = async () => (await server.get('/api/log')).rows.map(({ title }) => title);
  for (let n = 1; n <= 5; n++) {
    await logged();
    const { document } = await server.post('/api/item', { title: `item ${n}` });
    expect(await logged()).toContain(`item ${n}`);
    await server.put(`/api/item/${String(document['_id'])}`, { title: `changed ${n}` });
    expect(new Set(await logged())).toEqual(new Set([`changed ${n}`]));
  }
});

test('a server without a cache reports it', async () => {
  const models: ModelFiles = { book: ({ Schema }) => new Schema({ title: String }, { perms: { all: 'r' } } as object) };
  const plain = await openPeople(['root'], { models });
  expect((await plain.as('root', 'GET', '/cache/stats')).body).toEqual({ cache_enabled: false });
  expect((await plain.as('root', 'GET', '/cache/clear')).body).toMatchObject({ status: 'ok' });
  expect(await cacheOf(plain.get('/api/book'))).toBeNull();
});
