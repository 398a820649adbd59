/** `/query`: a list with its filter in the body. */
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const query = (as: Person, model: string, body: unknown, parameters = '') =>
  world.as(as, 'POST', `/query/${model}${parameters}`, { body });
const titles = (body: { data?: { title: string }[] }) => (body.data ?? []).map(({ title }) => title);

describe('the same answer as a list', () => {
  test.each([
    '',
    '?limit=1',
    '?limit=1&page=2',
    '?count=true',
    '?sort=-title',
    '?fields=title',
    '?populate=author&limit=1',
    '?autopopulate=1',
  ])('%s', async (parameters) => {
    const list = await world.as('eve', 'GET', `/api/book${parameters}`);
    const { status, text } = await query('eve', 'book', { query: {} }, parameters);
    expect(status).toBe(list.status);
    expect(text.replaceAll('/query/book', '/api/book')).toBe(list.text);
  });

  test('filters of the URL are joined by AND, and search is ignored', async () => {
    const either = { $or: [{ title: 'Book of ann' }, { title: { $regex: 'EVE$', $options: 'i' } }] };
    expect(titles((await query('anonymous', 'book', { query: either }, '?sort=title')).body)).toEqual([
      'Book of ann',
      'Book of eve',
    ]);
    expect(
      titles((await query('anonymous', 'book', { query: either }, '?filter[price]=12&search=nosuch')).body),
    ).toEqual(['Book of eve']);
  });

  test('ids and dates in every form', async () => {
    const author = world.ids['author'];
    for (const value of [author, { $oid: author }, `ObjectId("${author}")`, { $in: [author, { $oid: author }] }])
      expect(titles((await query('anonymous', 'book', { query: { author_id: value } })).body)).toHaveLength(2);
    for (const value of [
      '2024-02-03T04:05:06Z',
      { $date: '2024-02-03T04:05:06Z' },
      'new Date("2024-02-03T04:05:06Z")',
      { $lt: 'relative_date(1, day)' },
    ])
      expect(titles((await query('anonymous', 'book', { query: { published: value } })).body)).toHaveLength(2);
  });
});

describe('rows that the caller may not read', () => {
  test.each<[unknown]>([
    [{}],
    [{ $or: [{}, { _owner_id: { $exists: true } }] }],
    [{ _deleted: true }],
    [{ $nor: [{ title: 'x' }] }],
  ])('%j', async (filter) => {
    const { text } = await query('eve', 'note', { query: filter });
    expect(text).not.toMatch(/BODY-ann|GONE-BODY|CANARY|\$2b\$/);
  });

  test('a link that the caller may not read', async () => {
    expect((await query('anonymous', 'book', { query: {} }, '?populate=author')).status).toBe(403);
  });
});

describe('a part of the body besides the filter, which would have no effect', () => {
  test.each<[string, unknown, string]>([
    ['limit', 2, '"limit" is a parameter: send it in the URL, as in ?limit=<value>'],
    ['sort', { title: 1 }, '"sort" is a parameter: send it in the URL, as in ?sort=<value>'],
    ['filter', { title: 'x' }, '"filter" is a parameter: send it in the URL, as in ?filter=<value>'],
    ['where', {}, '"where" is not a part of the body, which is {"query": {<field>: <value>}}'],
    ['title', 'x', '"title" is not a part of the body, which is {"query": {<field>: <value>}}'],
  ])('%s', async (name, value, err) => {
    for (const parameters of ['', '?explain=true']) {
      const { status, body } = await query('root', 'book', { query: {}, [name]: value }, parameters);
      expect({ status, body }).toMatchObject({ status: 400, body: { message: 'Bad request body', err } });
    }
  });
});

describe('what is refused', () => {
  let deep: unknown = { title: 'x' };
  for (let level = 0; level < 11; level++) deep = { $and: [deep] };
  test.each<[unknown]>([
    [{ query: [] }],
    [{ query: 'x' }],
    [{ query: null }],
    [{}],
    ['[]'],
    ['"x"'],
    [{ query: [{ title: 'a' }] }],
    [{ query: deep }],
    ...['$where', '$expr', '$function', '$accumulator', '$jsonSchema', '$near', '$text', '$comment', '$rand'].flatMap(
      (name): [unknown][] => [
        [{ query: { [name]: 1 } }],
        [{ query: { $and: [{ [name]: 1 }] } }],
        [{ query: { title: { [name]: 1 } } }],
        [{ query: { title: { $not: { [name]: 1 } } } }],
        [{ query: { tags: { $elemMatch: { [name]: 1 } } } }],
      ],
    ),
    [{ query: { title: { $: 1 } } }],
    [{ query: { password: 'x' } }],
    [{ query: { $or: [{ 'login.password': { $regex: '^.' } }] } }],
    [{ query: { login: { password: 'x' } } }],
    [{ query: { login: { $eq: { password: 'x' } } } }],
    [{ query: { title: { $code: 'x' } } }],
    [{ query: { title: { $oid: 'zz' } } }],
    [{ query: { title: { $regex: '(a+)+$' } } }],
    [{ query: { title: { $regex: '[' } } }],
  ])('%j', async (body) => {
    const answer = await query('eve', 'book', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ status: 'fail' });
  });
});
