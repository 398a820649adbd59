/** Cursors: what they are bound to, what they contain, where they lead, and what is refused. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ObjectId } from '../../src/models/object-id.ts';
import type { Answer } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

let server: PeopledServer<'root' | 'ann' | 'bob'>;
let collection: (name: string) => ReturnType<PeopledServer['dossier']['services']['connection']['collection']>;

const titles = ['Ape', 'Bee', 'Cat', 'Dog', 'Eel', 'Fox', 'Gnu'];
const rowOf = (title: string, n: number): Record<string, unknown> => ({ title, n: n % 3, _deleted: false });

beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], {
    models: {
      beast: ({ Schema }) => {
        const schema = new Schema(
          { title: String, n: Number, free: {}, parts: [{ a: Number, b: Number }] },
          { perms: { all: 'crud' } },
        );
        return schema.index({ title: 'text' });
      },
      other: ({ Schema }) => new Schema({ title: String, n: Number }, { perms: { all: 'r' } }),
      owned: ({ Schema }) => new Schema({ title: String }, { perms: { owner: 'crud', admin: 'crud' } }),
      due: ({ Schema }) =>
        new Schema({ title: String, at: Date }, { perms: { all: { r: { where: { at: { $lt: '$now' } } } } } }),
      stamped: ({ Schema }) => new Schema({ title: String, at: Date }, { perms: { all: 'r' } }),
    },
    pre_hooks: {
      get: (req, _res, next) => {
        if (req.params['model'] === 'stamped') req.dossier.filter = { at: { $lt: new Date() } };
        next();
      },
    },
  });
  collection = (name) => server.dossier.services.connection.collection(name);
  for (const name of ['others', 'dues', 'stampeds'])
    await collection(name).insertMany(titles.map((title, n) => ({ ...rowOf(title, n), at: new Date(0) })));
});
beforeEach(async () => {
  await collection('beasts').deleteMany({});
  await collection('beasts').insertMany(titles.map(rowOf));
});

const list = (query: string): Promise<Answer> => server.get(`/api/beast?${query}`);
const cursorOf = async (query: string): Promise<string> => String((await list(query)).body['next_cursor']);
const shown = ({ rows }: Answer): unknown[] => rows.map(({ title }) => title);

describe('lead', () => {
  test('from the first page to the last and back', async () => {
    const first = await list('sort=title&limit=3');
    expect(shown(first)).toEqual(['Ape', 'Bee', 'Cat']);
    expect(first.body).not.toHaveProperty('prev_cursor');
    const second = await list(`sort=title&limit=3&after=${String(first.body['next_cursor'])}`);
    expect(shown(second)).toEqual(['Dog', 'Eel', 'Fox']);
    expect(second.body).not.toHaveProperty('page');
    const third = await list(`sort=title&limit=3&after=${String(second.body['next_cursor'])}`);
    expect(shown(third)).toEqual(['Gnu']);
    expect(third.body).not.toHaveProperty('next_cursor');
    expect(third.body).not.toHaveProperty('next');
    const back = await list(`sort=title&limit=3&before=${String(third.body['prev_cursor'])}`);
    expect(shown(back)).toEqual(['Dog', 'Eel', 'Fox']);
    const start = await list(`sort=title&limit=3&before=${String(back.body['prev_cursor'])}`);
    expect(shown(start)).toEqual(['Ape', 'Bee', 'Cat']);
    expect(start.body).not.toHaveProperty('prev_cursor');
    expect(start.body).toHaveProperty('next_cursor');
  });

  test('through next and prev, too', async () => {
    const second = await list(`sort=-n&limit=3&after=${await cursorOf('sort=-n&limit=3')}`);
    const third = await server.get(String(second.body['next']));
    expect(third.rows).toHaveLength(1);
    expect(shown(await server.get(String(third.body['prev'])))).toEqual(shown(second));
  });

  test('on from a numbered page, also past the last one', async () => {
    const second = await list('limit=3&page=2');
    expect(shown(await list(`limit=3&after=${String(second.body['next_cursor'])}`))).toEqual(['Gnu']);
    expect(shown(await list(`limit=3&before=${String(second.body['prev_cursor'])}`))).toEqual(['Ape', 'Bee', 'Cat']);
    const beyond = await list('limit=3&page=9');
    expect(shown(await list(`limit=3&before=${String(beyond.body['prev_cursor'])}`))).toEqual(['Eel', 'Fox', 'Gnu']);
  });

  test('on after the rows next to them are deleted', async () => {
    const cursor = await cursorOf('limit=3');
    await collection('beasts').deleteMany({ title: { $in: ['Cat', 'Dog', 'Eel', 'Fox', 'Gnu'] } });
    const end = await list(`limit=3&after=${cursor}`);
    expect(end.rows).toEqual([]);
    expect(end.body).not.toHaveProperty('next_cursor');
    expect(shown(await list(`limit=3&before=${String(end.body['prev_cursor'])}`))).toEqual(['Ape', 'Bee']);
  });

  test('on with another limit and other fields, with a count of all rows', async () => {
    const answer = await list(
      `sort=n,title&limit=2&fields=title&count=true&after=${await cursorOf('sort=n,title&limit=4')}`,
    );
    expect(answer.rows.map(({ title, n }) => [title, n])).toEqual([
      ['Eel', undefined],
      ['Cat', undefined],
    ]);
    expect(answer.body).toMatchObject({ count: 7, count_is: 'exact', page_count: 4 });
  });

  test('through POST /query', async () => {
    const ask = (query: object, cursor = ''): Promise<Answer> =>
      server.post(`/query/beast?sort=-title&limit=2${cursor}`, { query });
    const first = await ask({ n: { $in: [0, 1] } });
    const after = `&after=${String(first.body['next_cursor'])}`;
    expect([shown(first), shown(await ask({ n: { $in: [0, 1] } }, after))]).toEqual([
      ['Gnu', 'Eel'],
      ['Dog', 'Bee'],
    ]);
    expect((await ask({ n: { $in: [0, 2] } }, after)).status).toBe(400);
  });

  test('through GET /csv, whose next page is in Link', async () => {
    const cursor = await cursorOf('sort=title&limit=2');
    const first = await server.get(`/csv/beast?sort=title&limit=3&fields=title&after=${cursor}`);
    expect(first.text.split('\r\n').map((line) => line.split(',')[1])).toEqual([
      'title',
      'Cat',
      'Dog',
      'Eel',
      undefined,
    ]);
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await server.get(next)).text).toContain('Fox');
    expect((await server.get(`/csv/beast?limit=all&after=${cursor}`)).status).toBe(400);
  });

  test('through rules and hooks that compare with the time', async () => {
    for (const model of ['due', 'stamped']) {
      const first = await server.get(`/api/${model}?limit=4`);
      const second = await server.get(`/api/${model}?limit=4&after=${String(first.body['next_cursor'])}`);
      expect(shown(second)).toEqual(['Eel', 'Fox', 'Gnu']);
    }
  });
});

describe('contain', () => {
  test('nothing readable, and the same text for equal answers', async () => {
    const cursor = await cursorOf('sort=title&limit=3');
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    expect(text).not.toMatch(/Cat|title|beast/);
    // random letters of the cursor may spell the shortest of them
    expect(cursor).not.toMatch(/\bCat\b|title|beast/);
    expect(await cursorOf('sort=title&limit=3')).toBe(cursor);
    const [one, other] = [await list('sort=title&limit=3'), await list('sort=title&limit=3')];
    expect(one.headers.get('etag')).toBe(other.headers.get('etag'));
  });

  test('positions of at most 4096 bytes', async () => {
    await collection('beasts').insertMany([
      rowOf('z'.repeat(3000), 1),
      rowOf('z'.repeat(5000), 1),
      rowOf('zz', 1),
      rowOf('~', 1),
    ]);
    const ninth = await list('sort=title&limit=9&fields=n');
    const tenth = await list(`sort=title&limit=1&after=${String(ninth.body['next_cursor'])}&fields=n`);
    expect(tenth.rows).toHaveLength(1);
    const { status, body } = await list(`sort=title&limit=1&after=${String(tenth.body['next_cursor'])}`);
    expect([status, body['err']]).toEqual([
      400,
      'after: the values of sort have more than 4096 bytes there: sort by another field, or use page',
    ]);
  });

  test('no values of types that the database does not compare', async () => {
    await collection('beasts').insertOne({ title: /a/, _deleted: false });
    const page = await list('sort=-title&limit=1&fields=n');
    const { status, body } = await list(`sort=-title&limit=1&after=${String(page.body['next_cursor'])}`);
    expect([status, body['err']]).toEqual([400, expect.stringContaining('title has a value of the type regex there')]);
  });
});

describe('are refused', () => {
  const wrong = 'this cursor was changed, or is of another list';
  test.each<[what: string, first: string, second: string, err: string]>([
    [
      'after and before together',
      'limit=2',
      'limit=2&after=CURSOR&before=CURSOR',
      'after: must not be given with before',
    ],
    ['after with page', 'limit=2', 'limit=2&page=2&after=CURSOR', 'after: must not be given with page'],
    ['before with page', 'limit=2', 'page=1&before=CURSOR', 'before: must not be given with page'],
    ['twice', 'limit=2', 'after=CURSOR&after=CURSOR', 'after: takes one value'],
    ['empty', 'limit=2', 'after=', `after: ${wrong}`],
    ['with another filter', 'limit=2&filter[n]=1', 'filter[n]=2&after=CURSOR', `after: ${wrong}`],
    ['without the filter', 'limit=2&filter[n]=$lt:9', 'before=CURSOR', `before: ${wrong}`],
    ['with another search', 'limit=2&search[title]=e', 'search[title]=a&after=CURSOR', `after: ${wrong}`],
    ['with another order', 'limit=2&sort=title', 'sort=-title&after=CURSOR', `after: ${wrong}`],
    ['with another showDeleted', 'limit=2', 'showDeleted=true&after=CURSOR', `after: ${wrong}`],
    ['changed', 'limit=2', 'after=CURSOR0', `after: ${wrong}`],
    ['cut', 'limit=2', 'after=CURSO', `after: ${wrong}`],
    ['made up', 'limit=2', 'after=eyJfaWQiOiIxIn0', `after: ${wrong}`],
    [
      'in an order by several fields of a list',
      'limit=2',
      'sort=parts.a,parts.b&after=CURSOR',
      'an order by several fields of the list parts has no cursors',
    ],
  ])('%s', async (_what, first, second, err) => {
    const { status, body } = await list(second.replaceAll('CURSOR', await cursorOf(first)));
    expect([status, body['err']]).toEqual([400, expect.stringContaining(err)]);
  });

  test('with any bit changed', async () => {
    const cursor = await cursorOf('limit=2');
    for (let at = 0; at < cursor.length; at += 7) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
      expect((await list(`limit=2&after=${changed}`)).status).toBe(400);
    }
    // the spare bits of the last character
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const end of last)
      expect([end, (await list(`limit=2&after=${cursor.slice(0, -1)}${end}`)).status]).toEqual([
        end,
        end === cursor.at(-1) ? 200 : 400,
      ]);
  });

  test('for another model, and for callers with other rows', async () => {
    expect((await server.get(`/api/other?after=${await cursorOf('limit=2')}`)).status).toBe(400);
    for (const person of ['ann', 'bob'] as const)
      for (const title of titles) await server.as(person, 'POST', '/api/owned', { body: { title } });
    const path = '/api/owned?limit=2';
    const ofAnn = await server.as('ann', 'GET', path);
    const next = `${path}&after=${String(ofAnn.body['next_cursor'])}`;
    expect((await server.as('ann', 'GET', next)).status).toBe(200);
    expect((await server.as('bob', 'GET', next)).status).toBe(400);
    expect((await server.as('root', 'GET', next)).status).toBe(400);
  });

  needs('text search')('in the order of scores', async () => {
    const scored = await list('search=ape&limit=1');
    expect(scored.body).not.toHaveProperty('next_cursor');
    for (const query of ['search=ape', 'search=ape&sort=score']) {
      const { status, body } = await list(`${query}&after=${await cursorOf('limit=2')}`);
      expect([status, body['err']]).toEqual([
        400,
        expect.stringContaining('has no cursors: sort by fields, such as sort=_id'),
      ]);
    }
    await collection('beasts').insertMany([rowOf('Ape two', 1), rowOf('Ape three', 2)]);
    const sorted = await list('search=ape&sort=title&limit=2');
    expect(shown(await list(`search=ape&sort=title&limit=2&after=${String(sorted.body['next_cursor'])}`))).toEqual([
      'Ape two',
    ]);
  });
});

test('rows with an _id of another type do not stop a walk in another order', async () => {
  await collection('beasts').insertMany([
    { _id: 'text' as unknown as ObjectId, n: 5 },
    { _id: 7 as unknown as ObjectId, n: 5 },
  ]);
  const first = await list('sort=-n&limit=1&fields=title');
  const second = await list(`sort=-n&limit=1&fields=title&after=${String(first.body['next_cursor'])}`);
  expect([first, second].map(({ rows }) => rows[0]?.['_id'])).toEqual([7, 'text']);
});
