/** Reverse links: the documents that link to a document, shown with it (docs/links.md, "Reverse links"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from '../../src/models/object-id.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const models: ModelFiles = {
  film: ({ Schema, ObjectId: id }) =>
    new Schema(
      {
        title: String,
        director_id: { type: id, link: 'person', reverse: 'films' },
        note: { type: String, select: false },
      },
      { perms: { all: 'r', user: 'crud' } } as object,
    ),
  // its virtual makes the server read whole documents
  show: ({ Schema }) => {
    const show = new Schema({ title: String, parts: Number }, { perms: { all: 'r' } } as object);
    show.virtual('shout').get(function (this: { title?: string }) {
      return `${this.title ?? ''}!`;
    });
    return show;
  },
  free: ({ Schema }) => new Schema({}, { strict: false, perms: { all: 'r' } } as object),
  person: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'r' } } as object),
  review: ({ Schema, ObjectId: id }) =>
    new Schema(
      {
        film_id: { type: id, link: 'film', reverse: 'reviews' },
        show_id: { type: id, link: 'show', reverse: 'reviews' },
        free_id: { type: id, link: 'free', reverse: 'reviews' },
        author_id: { type: id, link: 'person' },
        rating: Number,
        text: String,
        password: String,
        secret: { type: String, perms: { admin: 'r' } },
        diary: { type: String, perms: { owner: 'r' } },
      },
      { perms: { all: { r: { where: { rating: { $gt: 0 } } } }, user: 'cud', owner: 'crud', admin: 'crud' } } as object,
    ),
  list: ({ Schema, ObjectId: id }) =>
    new Schema(
      {
        name: String,
        film_ids: [{ type: id, link: 'film', reverse: 'lists' }],
        rows: [{ _id: false, film_id: { type: id, link: 'film', reverse: 'rows' } }],
      },
      { perms: { all: 'r' } } as object,
    ),
  draft: ({ Schema, ObjectId: id }) =>
    new Schema({ film_id: { type: id, link: 'film', reverse: 'drafts' }, text: String }, {
      perms: { owner: 'r' },
    } as object),
  hush: ({ Schema, ObjectId: id }) =>
    new Schema({ film_id: { type: id, link: 'film', reverse: 'hushed', perms: { admin: 'r' } } }, {
      perms: { all: 'r' },
    } as object),
};

const id = (kind: number, number: number): ObjectId =>
  new ObjectId(`${kind.toString(16).padStart(2, '0')}${number.toString(16).padStart(22, '0')}`);
const film = (number: number): ObjectId => id(1, number);
const person = (number: number): ObjectId => id(2, number);
const review = (number: number): ObjectId => id(3, number);

let server: PeopledServer<'root' | 'ann'>;
const fill = async (name: string, rows: readonly object[]): Promise<void> => {
  const { connection, registry } = server.dossier.services;
  const base = { _deleted: false, createdAt: new Date(0), updatedAt: new Date(0), __v: 0 };
  await connection.collection(registry.get(name).collection).insertMany(rows.map((row) => ({ ...base, ...row })));
};

beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models, cache: { enabled: true, ttl: 3600 } });
  const ann = new ObjectId(server.callers.ann.user_id);
  await fill('person', [
    { _id: person(1), name: 'Ada' },
    { _id: person(2), name: 'Bo' },
  ]);
  await fill('film', [
    { _id: film(1), title: 'One', director_id: person(1), note: 'x' },
    { _id: film(2), title: 'Two', director_id: person(1) },
    { _id: film(3), title: 'Three', director_id: person(2) },
    { _id: film(4), title: 'Many' },
  ]);
  await fill('show', [{ _id: id(8, 1), title: 'Show', parts: 3 }]);
  await fill('free', [{ _id: id(9, 1), title: 'Free', reviews: 'stored' }]);
  const one = { film_id: film(1), show_id: id(8, 1), free_id: id(9, 1) };
  await fill('review', [
    { _id: review(3), ...one, rating: 3, text: 'c', author_id: person(2), diary: 'CANARY' },
    { _id: review(1), ...one, rating: 1, text: 'a', author_id: person(1), password: 'CANARY', secret: 'CANARY' },
    { _id: review(2), ...one, rating: 2, text: 'b', _owner_id: ann, diary: 'mine' },
    { _id: review(4), ...one, rating: 0, text: 'CANARY' },
    { _id: review(5), ...one, rating: 5, text: 'CANARY', _deleted: true },
    { _id: review(6), film_id: film(2), rating: 6, text: 'f', author_id: id(2, 9) },
    ...Array.from({ length: 150 }, (_, n) => ({ _id: review(1000 - n), film_id: film(4), rating: n < 20 ? 0 : n })),
  ]);
  await fill('list', [
    {
      _id: id(4, 1),
      name: 'L1',
      film_ids: [film(1), film(2), film(1)],
      rows: [{ film_id: film(3) }, { film_id: film(3) }],
    },
    { _id: id(4, 2), name: 'L2', film_ids: [film(2)], rows: [] },
  ]);
  await fill('draft', [
    { _id: id(5, 1), film_id: film(1), text: 'mine', _owner_id: ann },
    { _id: id(5, 2), film_id: film(1), text: 'CANARY' },
  ]);
  await fill('hush', [{ _id: id(6, 1), film_id: film(1) }]);
});

const one = async (query: string, number = 1): Promise<Document> => {
  const answer = await server.get(`/api/film/${String(film(number))}?${query}`);
  expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining('CANARY')]);
  return answer.document;
};
const texts = (list: unknown): string => (list as { text: string }[]).map(({ text }) => text).join('');

describe('populate shows the linking documents', () => {
  test('in the order of their ids, those that the caller may read', async () => {
    const { reviews, ...rest } = await one('populate=reviews');
    expect(texts(reviews)).toBe('abc');
    expect(rest).not.toHaveProperty('reviews_more');
    expect((reviews as Document[])[0]).toMatchObject({ _id: String(review(1)), rating: 1, film_id: String(film(1)) });
  });

  test('only the fields named, and their ids', async () => {
    const { reviews } = await one('populate[reviews]=rating,text');
    expect((reviews as Document[])[0]).toEqual({ _id: String(review(1)), id: String(review(1)), rating: 1, text: 'a' });
    const without = await one('populate[reviews]=-text,-rating');
    expect((without['reviews'] as Document[])[0]).not.toHaveProperty('text');
  });

  test('as an empty list where there are none', async () => {
    expect(await one('populate=reviews', 3)).toHaveProperty('reviews', []);
  });

  test('at most 100, and reports whether there are more', async () => {
    const { reviews, reviews_more } = await one('populate=reviews', 4);
    expect((reviews as Document[]).map(({ _id }) => _id)).toEqual(
      Array.from({ length: 100 }, (_, n) => String(review(851 + n))),
    );
    expect(reviews_more).toBe(true);
  });

  test('in lists, queries and with fields of the document', async () => {
    for (const { rows } of [
      await server.get('/api/film?populate=reviews&fields=title&sort=-title&limit=2&page=1'),
      await server.post('/query/film?populate=reviews&fields=title&sort=-title&limit=2', { query: {} }),
    ])
      expect(rows).toEqual([
        expect.objectContaining({ title: 'Two', reviews: [expect.objectContaining({ text: 'f' })] }),
        expect.objectContaining({ title: 'Three', reviews: [] }),
      ]);
  });

  test('through lists of links, each document once', async () => {
    const { rows } = await server.get('/api/film?populate[lists]=name&populate[rows]=name&fields=title&limit=3');
    const names = (list: unknown): string => (list as { name: string }[]).map(({ name }) => name).join();
    expect(rows.map(({ lists, rows: held }) => [names(lists), names(held)])).toEqual([
      ['L1', ''],
      ['L1,L2', ''],
      ['', 'L1'],
    ]);
  });

  test('with links of their own, and behind links', async () => {
    const { reviews } = await one('populate[reviews.author]=name');
    expect((reviews as Document[]).map(({ author }) => (author as Document | null)?.['name'])).toEqual([
      'Ada',
      undefined,
      'Bo',
    ]);
    const { director } = await one('populate=director.films');
    expect((director as Document)['films']).toMatchObject([{ title: 'One' }, { title: 'Two' }]);
    const { rows } = await server.get('/api/person?populate=films.reviews&fields=name');
    expect(rows).toMatchObject([
      {
        name: 'Ada',
        films: [
          { title: 'One', reviews: [{}, {}, {}] },
          { title: 'Two', reviews: [{ text: 'f' }] },
        ],
      },
      { name: 'Bo', films: [{ title: 'Three', reviews: [] }] },
    ]);
  });

  test('with models that compute fields, and those without a strict schema', async () => {
    const show = (await server.get(`/api/show/${String(id(8, 1))}?populate[reviews]=text`)).document;
    expect(show).toMatchObject({ shout: 'Show!', reviews: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
    const free = (await server.get(`/api/free?populate[reviews]=text`)).rows;
    expect(free).toMatchObject([{ title: 'Free', reviews: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] }]);
  });

  test('autopopulate leaves them out, unless they are named too', async () => {
    expect(await one('autopopulate=1')).toMatchObject({ director: { name: 'Ada' } });
    expect(await one('autopopulate=1')).not.toHaveProperty('reviews');
    expect(await one('autopopulate=1&populate=reviews')).toMatchObject({ director: {}, reviews: [{}, {}, {}] });
  });

  test('showDeleted shows deleted ones', async () => {
    const { document } = await server.get(
      `/api/film/${String(film(1))}?populate=reviews&showDeleted=true`,
      server.callers.root,
    );
    expect(texts(document['reviews'])).toBe('abcCANARYCANARY');
  });

  test('a CSV does not show them', async () => {
    expect((await server.get('/csv/film?fields=title&populate=reviews&limit=1')).text).toBe(
      `_id,title\r\n${String(film(1))},One\r\n`,
    );
  });
});

describe('rights on the linking model', () => {
  test('fields and rows', async () => {
    const ofAnn = (await server.get(`/api/film/${String(film(1))}?populate=reviews`, server.callers.ann)).document;
    expect((ofAnn['reviews'] as Document[]).map(({ diary }) => diary)).toEqual([undefined, 'mine', undefined]);
    const ofRoot = (await server.get(`/api/film/${String(film(1))}?populate=reviews`, server.callers.root)).document;
    expect(texts(ofRoot['reviews'])).toBe('abcCANARY');
    expect(ofRoot['reviews']).toContainEqual(expect.objectContaining({ secret: 'CANARY' }));
    expect(JSON.stringify(ofRoot)).not.toContain('password');
  });

  test('own documents only; an unreadable model is refused as with any link', async () => {
    const { document } = await server.get(`/api/film/${String(film(1))}?populate=drafts`, server.callers.ann);
    expect(texts(document['drafts'])).toBe('mine');
    const refused = await server.get('/api/film?populate=drafts');
    expect([refused.status, refused.body['err']]).toEqual([403, 'you may not read drafts']);
  });

  test('a hidden link is answered like an unknown one', async () => {
    const hidden = await server.get('/api/film?populate=hushed');
    const unknown = await server.get('/api/film?populate=zzzzzz');
    expect([hidden.status, hidden.text.replace('hushed', 'zzzzzz')]).toEqual([400, unknown.text]);
    expect((await server.get('/api/film?populate=hushed', server.callers.root)).rows[0]).toMatchObject({
      hushed: [{}],
    });
  });

  test('descriptions list the reverse links that the caller may follow', async () => {
    const described = async (who: 'root' | 'ann' | undefined): Promise<string[]> => {
      const sent = who === undefined ? {} : server.callers[who];
      const { reverses } = (await server.get('/model/film', sent)).body['data'] as { reverses: object };
      const schemas = (await server.get('/openapi.json', sent)).body['components'].schemas as Record<string, never>;
      const { properties } = schemas['film'] as unknown as { properties: object };
      expect(Object.keys(properties)).toEqual(
        expect.arrayContaining(Object.keys(reverses).flatMap((as) => [as, `${as}_more`])),
      );
      for (const as of ['reviews', 'lists', 'rows', 'drafts', 'hushed'])
        expect([as, as in properties]).toEqual([as, as in reverses]);
      return Object.keys(reverses).sort();
    };
    expect(await described(undefined)).toEqual(['lists', 'reviews', 'rows']);
    expect(await described('ann')).toEqual(['drafts', 'lists', 'reviews', 'rows']);
    expect(await described('root')).toEqual(['drafts', 'hushed', 'lists', 'reviews', 'rows']);
    const { data } = (await server.get('/model/film')).body;
    expect(data.reverses.reviews).toEqual({ model: 'review', path: 'film_id' });
    expect((await server.get('/model/review')).body['data'].fields.film_id).toMatchObject({
      link: 'film',
      reverse: 'reviews',
    });
  });
});

test.each([
  ['reviews.', 400, 'no link is named'],
  ['reviws', 400, 'did you mean \\"reviews\\"'],
  ['_id', 400, 'film has no link named _id'],
  ['reviews.nothing', 400, 'review has no link named nothing'],
  ['reviews_more', 400, 'film has no link named reviews_more'],
])('populate=%s is a %d', async (names, status, reason) => {
  const answer = await server.get(`/api/film?populate=${names}`);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(reason)]);
});

test('cached answers and their tags change with the linking documents', async () => {
  const { headers } = server.callers.root;
  const ask = async (): Promise<[unknown, unknown, string]> => {
    const answer = await server.get(`/api/film/${String(film(2))}?populate=reviews`);
    return [texts(answer.document['reviews']), answer.headers.get('x-cache'), String(answer.headers.get('etag'))];
  };
  const first = await ask();
  expect(first).toEqual(['f', 'miss', expect.any(String)]);
  expect(await ask()).toEqual(['f', 'hit', first[2]]);
  const matched = await server.get(`/api/film/${String(film(2))}?populate=reviews`, {
    headers: { 'if-none-match': first[2] },
  });
  expect(matched.status).toBe(304);
  await server.put(`/api/review/${String(review(6))}`, { text: 'g' }, { headers });
  const second = await ask();
  expect(second).toEqual(['g', 'miss', expect.any(String)]);
  expect(second[2]).not.toBe(first[2]);
});

test('an answer that is too large is a 413', async () => {
  const small = await startServer({ models, query_limits: { max_response_size: 20_000 } });
  const { connection, registry } = small.dossier.services;
  const row = { _deleted: false, createdAt: new Date(0), updatedAt: new Date(0), __v: 0 };
  await connection.collection(registry.get('film').collection).insertOne({ ...row, _id: film(1) });
  await connection
    .collection(registry.get('review').collection)
    .insertMany(Array.from({ length: 50 }, () => ({ ...row, film_id: film(1), rating: 1, text: 'x'.repeat(1000) })));
  expect((await small.get('/api/film?populate=reviews')).status).toBe(413);
  expect((await small.get('/api/film?populate[reviews]=rating')).status).toBe(200);
});

test('linking documents that together are too large for the database are a 413', async () => {
  // more than the 16 MB of a document
  const text = 'x'.repeat(170_000);
  await fill('film', [{ _id: film(5), title: 'Large' }]);
  await fill(
    'review',
    Array.from({ length: 100 }, (_, n) => ({ _id: review(2000 + n), film_id: film(5), rating: 1, text })),
  );
  const path = `/api/film/${String(film(5))}`;
  expect((await server.get(`${path}?populate=reviews`)).status).toBe(413);
  expect((await server.get(`${path}?populate[reviews]=rating`)).document['reviews']).toHaveLength(100);
});

test('the link has an index', () => {
  const { registry } = server.dossier.services;
  const keys = (name: string): string[] =>
    registry.get(name).schema.indexes.map(([fields]) => Object.keys(fields).join());
  expect(keys('review')).toEqual(expect.arrayContaining(['film_id,_id', 'show_id,_id']));
  expect(keys('list')).toEqual(expect.arrayContaining(['film_ids,_id', 'rows.film_id,_id']));
});

describe('the start fails', () => {
  const target = (fields: string): string =>
    `import { Schema } from 'mongoose';\nexport default new Schema({ title: String, ${fields} } as object);`;
  const source = (option: string, more = ''): string => `import { Schema } from 'mongoose';
const { ObjectId } = Schema.Types;
export default new Schema({ film_id: { type: ObjectId, link: 'film', reverse: ${option} }, ${more} } as object);`;
  const aliased = `import { Schema } from 'mongoose';
const film = new Schema({ title: { type: String, alias: 'reviews' }, n: Number } as object);
film.virtual('taken').get(() => 1);
export default film;`;

  test.each<[string, ModelFiles, string]>([
    ['a path', { film: target('reviews: [String]'), review: source(`'reviews'`) }, 'film has a field reviews'],
    [
      'a nested path',
      { film: target('reviews: { n: Number }'), review: source(`'reviews'`) },
      'film has a field reviews',
    ],
    [
      'a path with _more',
      { film: target('reviews_more: Boolean'), review: source(`'reviews'`) },
      'film has a field reviews_more',
    ],
    [
      'a link',
      { film: target(`reviews_id: { type: Schema.Types.ObjectId, link: 'film' }`), review: source(`'reviews'`) },
      'film shows a link as reviews',
    ],
    ['an alias', { film: aliased, review: source(`'reviews'`) }, 'film has a virtual reviews'],
    ['a virtual', { film: aliased, review: source(`'taken'`) }, 'film has a virtual taken'],
    ['a standard field', { film: target(''), review: source(`'createdAt'`) }, 'film has a field createdAt'],
    ['id', { film: target(''), review: source(`'id'`) }, 'id is a reserved name'],
    ['score', { film: target(''), review: source(`'score'`) }, 'score is a reserved name'],
    ['a name of Mongoose', { film: target(''), review: source(`'save'`) }, 'save is a reserved name'],
    ['a name of JavaScript', { film: target(''), review: source(`'constructor'`) }, 'constructor is a reserved name'],
    [
      'a password',
      { film: target(''), review: source(`'password'`) },
      'reverse of film_id is password, which no answer shows',
    ],
    ['a dotted name', { film: target(''), review: source(`'a.b'`) }, 'a name has letters'],
    ['an empty name', { film: target(''), review: source(`''`) }, 'a name has letters'],
    ['no name', { film: target(''), review: source('true') }, 'reverse of film_id must be a name'],
    [
      'another reverse link to the model',
      { film: target(''), review: source(`'all'`), vote: source(`'all'`) },
      'film shows film_id of review as all',
    ],
    [
      'another reverse link of the same file',
      { film: target(''), review: source(`'all'`, `best_id: { type: ObjectId, link: 'film', reverse: 'all' }`) },
      'film shows film_id of review as all',
    ],
    [
      'a field that another reverse link adds',
      { film: target(''), a: source(`'all'`), b: source(`'all_more'`) },
      'film shows film_id of a as all',
    ],
    [
      'a path without a link',
      {
        review: `import { Schema } from 'mongoose';\nexport default new Schema({ n: { type: Number, reverse: 'all' } } as object);`,
      },
      'reverse of n needs a link',
    ],
    ['an unknown model', { review: source(`'reviews'`) }, 'film_id links to film, but no model has this name'],
    [
      'the values of a map',
      {
        film: target(''),
        review: `import { Schema } from 'mongoose';
export default new Schema({ by: { type: Map, of: { type: Schema.Types.ObjectId, link: 'film', reverse: 'all' } } } as object);`,
      },
      'the values of a map cannot be shown',
    ],
  ])('for %s', async (_what, files, reason) => {
    await expect(startServer({ models: files })).rejects.toThrow(reason);
  });
});
