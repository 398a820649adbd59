/** The methods of models, each carried out by the server. */
import { createClient, DossierError } from 'dossier-client';
import { type Cases, equal, failure, type Given, unique } from './case.ts';

const as = async ({ url, people }: Given, person: keyof Given['people'] = 'ann') => {
  const client = createClient({ url });
  await client.login(people[person]);
  return client;
};

const titles = (found: readonly object[]): unknown[] => found.map((one) => ('title' in one ? one.title : undefined));

/** A client whose server is a function, and the addresses that it is asked for. */
function answeredBy(answer: () => Response) {
  const sent: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    sent.push(url);
    return Promise.resolve(answer());
  };
  return { client: createClient({ url: 'http://x.test', fetch, retry: { times: 0 } }), sent };
}

export const documents: Cases = {
  'takes an id that is not there for a mistake, before anything is sent': async () => {
    const { client, sent } = answeredBy(() => new Response('{"data":[]}'));
    const books = client.model('book');
    for (const none of [undefined, null]) {
      const id = none as unknown as string;
      for (const run of [
        () => books.one(id),
        () => books.set(id, { pages: 1 }),
        () => books.patch(id, { pages: 1 }),
        () => books.update(id, { pages: 1 }),
        () => books.remove(id),
        () => books.restore(id),
        () => books.history(id),
        () => books.revert(id, 1),
        () => books.purge(id),
        () => books.call('count', {}, { id }),
        () => books.rights({ id }),
      ])
        equal((await failure(run())).name, 'TypeError');
    }
    equal(sent, []);
  },

  'refuses an id that an address leaves out, before anything is sent': async () => {
    const { client, sent } = answeredBy(() => new Response('{"data":[]}'));
    const books = client.model('book');
    for (const id of ['', '.', '..'])
      for (const run of [
        () => books.one(id),
        () => books.set(id, { pages: 1 }),
        () => books.patch(id, { pages: 1 }),
        () => books.update(id, { pages: 1 }),
        () => books.remove(id),
        () => books.restore(id),
        () => books.history(id),
        () => books.history(id, 1),
        () => books.revert(id, 1),
        () => books.purge(id),
        () => books.call('count', {}, { id }),
        () => client.model(id).list(),
      ]) {
        const { status, err } = await failure(run());
        equal([status, err], [400, `${JSON.stringify(id)} is no id, and no name`]);
      }
    equal(sent, []);
  },

  'reports an answer that is not JSON as a DossierError': async () => {
    for (const text of ['<h1>Sign in to the network</h1>', '', '{"data":[']) {
      const { client } = answeredBy(() => new Response(text, { headers: { 'content-type': 'text/html' } }));
      const { name, status, err } = await failure(client.model('book').list());
      equal([name, status, String(err).startsWith('the answer is not JSON')], ['DossierError', 200, true]);
    }
  },

  'refuses an address without http or https': async () => {
    for (const url of ['localhost:4001', 'ftp://x.test', 'javascript:0']) {
      const { name, message } = await failure(Promise.resolve().then(() => createClient({ url })));
      equal([name, message], ['TypeError', `url must begin with http:// or https://, got ${url}`]);
    }
  },

  'creates, reads, sets, patches, updates, removes and restores a document': async (given) => {
    const books = (await as(given)).model('book');
    const title = unique('Emma');
    const made = await books.create({ title, pages: 3, published: new Date('1815-12-23'), print: { colour: 'red' } });
    equal([made.title, made.published, typeof made._id], [title, '1815-12-23T00:00:00.000Z', 'string']);
    equal((await books.one(made._id)).title, title);
    equal((await books.set(made._id, { pages: 4, 'print.copies': 2 })).print, { colour: 'red', copies: 2 });
    equal((await books.patch(made._id, { $inc: { pages: 2 }, $push: { tags: 'new' } })).pages, 6);
    equal((await books.patch(made._id, { print: { colour: null } }, { merge: true })).print, { copies: 2 });
    equal((await books.patch(made._id, [{ op: 'replace', path: '/pages', value: 9 }])).pages, 9);
    equal((await books.update(made._id, { pages: 10 })).pages, 10);
    equal(await books.remove(made._id), { deleted: { book: 1 }, unlinked: {} });
    equal((await failure(books.one(made._id)))['status'], 404);
    equal((await books.one(made._id, { showDeleted: true }))._id, made._id);
    equal((await books.restore(made._id))._deleted, false);
    await books.remove(made._id, { permanent: true });
    equal((await failure(books.restore(made._id)))['status'], 404);
  },

  'lists by filters, order, fields and links, with a count and a cursor': async (given) => {
    const client = await as(given);
    const author = await client.model('author').create({ name: unique('Jane') });
    const books = client.model('book');
    for (const pages of [1, 2, 3]) await books.create({ title: `Book ${pages}`, pages, author_id: author._id });
    const list = await books.list({
      filter: { 'author.name': author['name'], pages: { $gte: 1 } },
      sort: '-pages',
      limit: 2,
      fields: ['title'],
      populate: ['author'],
      count: true,
    });
    equal(titles(list.data), ['Book 3', 'Book 2']);
    equal([list.count, list.count_is, typeof list.next_cursor], [3, 'exact', 'string']);
    equal(list.data[0]?.['author'], author);
    equal('pages' in (list.data[0] ?? {}), false);
    const { next_cursor: after = '' } = list;
    const rest = await books.list({
      filter: { 'author.name': author['name'], pages: { $gte: 1 } },
      sort: '-pages',
      after,
    });
    equal([titles(rest.data), rest.next_cursor], [['Book 1'], undefined]);
    const one = await client.model('author').one(author._id, { populate: ['books'] });
    equal(titles(one['books'] as object[]), ['Book 1', 'Book 2', 'Book 3']);
    equal(
      titles((await books.list({ filter: { author_id: author._id }, sort: { pages: -1, title: 'asc' } })).data)[0],
      'Book 3',
    );
    equal(titles((await books.list({ filter: { author_id: author._id }, sort: ['-pages'] })).data)[0], 'Book 3');
  },

  'filters by every operator, also by those that a URL cannot express': async (given) => {
    const client = await as(given);
    const author_id = (await client.model('author').create({ name: unique('Filter') }))._id;
    const books = client.model('book');
    const made = [
      { title: 'null', pages: 1, tags: ['a', 'b'], meta: { n: 1 } },
      { title: '$gte:5', pages: 2, tags: ['b'], published: '2001-01-01T00:00:00.000Z' },
      { title: 'comma, (x) [y] & ünï', pages: 3, tags: [], chapters: [{ name: 'one', pages: 9 }] },
    ];
    for (const book of made) await books.create({ ...book, author_id });
    const cases: readonly (readonly [object, readonly number[]])[] = [
      [{ title: 'null' }, [1]],
      [{ published: null }, [1, 3]],
      [{ title: '$gte:5' }, [2]],
      [{ title: { $in: ['null', 'comma, (x) [y] & ünï'] } }, [1, 3]],
      [{ title: { $nin: ['comma, (x) [y] & ünï'] } }, [1, 2]],
      [{ title: /^COMMA/i }, [3]],
      [{ title: { $regex: '^comma' } }, [3]],
      [{ title: { $regex: 'NULL', $options: 'i' } }, [1]],
      [{ title: { $not: { $regex: 'null' } } }, [2, 3]],
      [{ pages: { $gt: 1, $lt: 3 } }, [2]],
      [{ pages: { $mod: [2, 1] } }, [1, 3]],
      [{ pages: { $ne: 2 } }, [1, 3]],
      [{ pages: 2 }, [2]],
      [{ published: { $lt: new Date('2002-01-01') } }, [2]],
      [{ published: { $exists: true } }, [2]],
      [{ published: { $type: 'date' } }, [2]],
      [{ tags: 'b' }, [1, 2]],
      [{ tags: { $all: ['a', 'b'] } }, [1]],
      [{ tags: { $size: 0 } }, [3]],
      [{ tags: ['a', 'b'] }, [1]],
      [{ 'chapters.name': 'one' }, [3]],
      [{ chapters: { $elemMatch: { name: 'one', pages: 9 } } }, [3]],
      [{ 'meta.n': 1 }, [1]],
      [{ $or: [{ pages: 1 }, { title: '$gte:5' }] }, [1, 2]],
      [{ $nor: [{ pages: 1 }, { $and: [{ pages: 2 }, { tags: 'b' }] }] }, [3]],
      [{ pages: { $in: Array.from({ length: 900 }, (_, at) => at + 3) } }, [3]],
      [{ pages: undefined, title: 'null' }, [1]],
    ];
    for (const [filter, expected] of cases) {
      const { data } = await books.list({ filter: { ...filter, author_id }, sort: 'pages' });
      equal([filter, data.map(({ pages }) => pages)], [filter, expected]);
      equal([filter, await books.count({ filter: { ...filter, author_id } })], [filter, expected.length]);
      const queried = await books.query({ ...filter, author_id }, { sort: 'pages' });
      equal([filter, queried.data.map(({ pages }) => pages)], [filter, expected]);
    }
  },

  'iterates over all documents by cursors, while others are deleted and created': async (given) => {
    const client = await as(given);
    const author_id = (await client.model('author').create({ name: unique('Walk') }))._id;
    const books = client.model('book');
    const ids: string[] = [];
    for (let pages = 1; pages <= 7; pages++)
      ids.push((await books.create({ title: unique('W'), pages: 10 * pages, author_id }))._id);
    const seen: unknown[] = [];
    for await (const { pages } of books.iterate({
      filter: { author_id },
      sort: 'pages',
      limit: 2,
      fields: ['pages'],
    })) {
      seen.push(pages);
      if (pages === 20) await books.remove(ids[0] ?? '', { permanent: true });
      if (pages === 30) await books.create({ title: unique('W'), pages: 5, author_id });
    }
    equal(seen, [10, 20, 30, 40, 50, 60, 70]);
    for await (const book of books.iterate({
      filter: { author_id, pages: { $mod: [20, 0] } },
      sort: 'pages',
      limit: 1,
    })) {
      seen.push(book.pages);
      if (seen.length === 9) break;
    }
    equal(seen.slice(7), [20, 40]);
  },

  'counts, lists values, searches, and exports': async (given) => {
    const client = await as(given);
    const author_id = (await client.model('author').create({ name: unique('Count') }))._id;
    const books = client.model('book');
    for (const [pages, tag] of [
      [1, 'x'],
      [2, 'y'],
      [3, 'y'],
    ] as const)
      await books.create({ title: `Persuasion ${tag}`, pages, tags: [tag], author_id });
    equal(await books.count({ filter: { author_id } }), 3);
    equal(await books.distinct('tags', { filter: { author_id } }), [
      { value: 'y', count: 2 },
      { value: 'x', count: 1 },
    ]);
    equal(titles((await books.list({ search: 'persuasion', filter: { author_id, pages: 1 } })).data), ['Persuasion x']);
    equal((await books.list({ search: { title: 'sion y' }, filter: { author_id } })).data.length, 2);
    // a filter that is too long for a URL
    const filter = { title: 'x'.repeat(5000) };
    for (const asked of [books.distinct('tags', { filter }), books.csv({ filter })])
      equal(/^this filter of (distinct|csv) is too long/.test((await failure(asked))['message']), true);
    const csv = await books.csv({ filter: { author_id }, sort: 'pages', fields: ['title', 'pages'] });
    equal(csv.trim().split(/\r?\n/).length, 4);
    const stream = await books.csvStream({ filter: { author_id }, sort: 'pages', fields: ['title', 'pages'] });
    equal(await new Response(stream).text(), csv);
    const rows = await books.aggregate<{ _id: string; pages: number }>([
      { $match: { author_id } },
      { $group: { _id: '$tags', pages: { $sum: '$pages' } } },
      { $sort: { pages: 1 } },
    ]);
    equal(
      rows.map(({ pages }) => pages),
      [1, 5],
    );
  },

  'creates or changes by a unique value': async (given) => {
    const books = (await as(given)).model('book');
    const isbn = unique('978');
    const first = await books.upsert({ isbn, title: 'One' }, { on: ['isbn'] });
    const second = await books.upsert({ isbn, title: 'Two' }, { on: ['isbn'] });
    equal([first._id, second.title], [second._id, 'Two']);
    const refused = await failure(books.create({ isbn, title: 'Three' }));
    equal([refused['status'], refused['errors'][0].path, refused['errors'][0].kind], [409, 'isbn', 'unique']);
  },

  'calls functions, writes in bulk and in batches, and asks for rights': async (given) => {
    const client = await as(given);
    const books = client.model('book');
    equal(await books.call('shout', { text: 'hello' }), 'HELLO');
    const { _id } = await books.create({ title: unique('Call'), pages: 5 });
    equal(await books.call('grow', { by: 2 }, { id: _id }), 7);
    const isbn = unique('bulk');
    const written = await books.bulk([
      { insertOne: { document: { isbn, title: 'Bulk', published: new Date(0) } } },
      { updateOne: { filter: { isbn, published: { $lt: new Date(1) } }, update: { $set: { pages: 3 } } } },
      { deleteOne: { filter: { isbn } } },
    ]);
    equal([written.nInserted, written.nModified, written.nRemoved], [1, 1, 1]);
    const path = '/api/author';
    const answers = await client
      .batch([
        { ref: 'a', method: 'POST', path, body: { name: 'Batch' } },
        { method: 'PUT', path: '/api/author/$a._id', body: { name: 'Batched' } },
      ])
      .catch((error: DossierError) => {
        // a database without transactions
        equal(error.status, 501);
        return client.batch([{ method: 'POST', path, body: { name: 'Batch' } }], { atomic: false });
      });
    equal(answers[0]?.status, 201);
    equal((await books.rights()).rows, { c: 'all', r: 'all', u: 'all', d: 'all' });
    equal((await books.rights({ id: _id })).rows.u, true);
    equal((await client.model('note').rights()).rows.r, 'own');
  },

  'errors have one class, with status, reason and faults': async (given) => {
    const client = await as(given);
    const error = await failure(client.model('book').create({ pages: 0, titel: 'x' }));
    equal([error instanceof DossierError, error instanceof Error, error['name']], [true, true, 'DossierError']);
    equal([error['status'], error['body'].message], [400, 'Validation failed']);
    equal(error['errors'].map(({ path }: { path: string }) => path).sort(), ['pages', 'titel', 'title']);
    equal((await failure(client.model('nothing').list()))['status'], 404);
    const headers = { 'x-request-id': 'request-of-a-failure' };
    equal((await failure(client.request('/api/nothing', { headers })))['requestId'], 'request-of-a-failure');
    equal((await failure(createClient({ url: given.url }).model('note').list()))['status'], 401);
    equal((await failure(client.model('user').create({ email: 'x@x.test' })))['status'], 403);
    const silent = createClient({ url: 'http://127.0.0.1:1', retry: { times: 0 } });
    const unanswered = await failure(silent.model('book').list());
    equal(unanswered['requestId'], undefined);
    equal([unanswered['status'], unanswered instanceof DossierError], [0, true]);
  },

  'a request ends when its signal aborts': async (given) => {
    const client = await as(given);
    const stop = new AbortController();
    const reason = new Error('enough');
    const asked = client.model('book').list({ signal: stop.signal });
    stop.abort(reason);
    equal((await failure(asked))['message'], 'enough');
    equal((await failure(client.model('book').create({ title: 'x' }, { signal: stop.signal })))['message'], 'enough');
    equal((await failure(client.me({ signal: AbortSignal.abort(reason) })))['message'], 'enough');
  },

  'names with odd characters stay names': async (given) => {
    const client = await as(given);
    equal((await failure(client.model('book').one('../author')))['status'], 400);
    equal((await failure(client.model('book/x?y').list()))['status'], 404);
    equal((await failure(client.model('book').call('../shout')))['status'], 403);
    equal((await failure(client.model('book').list({ filter: { 'a][$where': 1 } })))['status'], 400);
    equal((await failure(client.model('book').list({ filter: { $where: '1' } })))['status'], 400);
  },
};
