/** Lists: order, fields, pages, counts, search, deleted documents and invalid parameters (docs/queries.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openShelf, type Shelf, shelfModels } from '../support/fixtures/shelf.ts';
import { startServer } from '../support/server.ts';

let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf();
});

const [apple, banana, cherry, date, elder] = [
  'Apple pie',
  'Banana (split)',
  'cherry, a pie',
  'Date.*',
  'Elder pie',
] as const;
const all = [apple, banana, cherry, date];

describe('the order', () => {
  test.each<[query: string, titles: readonly string[]]>([
    ['', all],
    ['sort=', all],
    ['sort=-_id', [date, cherry, banana, apple]],
    ['sort=-n', [date, cherry, banana, apple]],
    ['sort=%2Bn', all],
    ['sort[n]=desc', [date, cherry, banana, apple]],
    ['sort[n]=-1', [date, cherry, banana, apple]],
    ['sort[n]=asc', all],
    ['sort=on,-n', [date, banana, cherry, apple]],
    ['sort[on]=-1&sort[n]=1', [apple, cherry, banana, date]],
    ['sort=-sub.deep.value,-n', [banana, apple, date, cherry]],
    ['sort=-createdAt', [date, cherry, banana, apple]],
    ['sort=-id', [date, cherry, banana, apple]],
    ['sort=title', [apple, banana, date, cherry]],
  ])('%s', async (query, titles) => {
    expect(await shelf.titles(query)).toEqual(titles);
  });
});

describe('fields', () => {
  const always = ['_id', 'id'];
  test.each<[query: string, names: readonly string[]]>([
    ['fields=title', [...always, 'title']],
    ['fields=title,n', [...always, 'title', 'n']],
    ['fields=_id', always],
    ['fields=sub.name', [...always, 'sub']],
    ['fields=title&populate=maker', [...always, 'title', 'maker']],
  ])('%s shows these and no more', async (query, names) => {
    const { rows } = await shelf.get(`/api/thing?filter[n]=1&${query}`);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([...names].sort());
  });

  test('nested fields keep their place, and -name omits a field', async () => {
    const { rows } = await shelf.get('/api/thing?filter[n]=1&fields=sub.deep.value');
    expect(rows[0]).toEqual({ _id: shelf.ids['apple'], id: shelf.ids['apple'], sub: { deep: { value: 10 } } });
    const without = (await shelf.get('/api/thing?filter[n]=1&fields=-sub,-meta,-_id')).rows[0];
    expect(without).toMatchObject({ _id: shelf.ids['apple'], id: shelf.ids['apple'], title: apple });
    expect(without).not.toHaveProperty('sub');
    expect(without).not.toHaveProperty('meta');
  });

  test('one document accepts them too', async () => {
    const { document } = await shelf.get(`/api/thing/${shelf.ids['apple'] ?? ''}?fields=n`);
    expect(document).toEqual({ _id: shelf.ids['apple'], id: shelf.ids['apple'], n: 1 });
  });
});

describe('pages', () => {
  const [next_cursor, prev_cursor] = [expect.any(String), expect.any(String)];
  const counted = (count: number, page_count: number): object => ({ count, count_is: 'exact', page_count });
  test.each<[query: string, beside: object]>([
    ['', { limit: 100, page: 1 }],
    ['limit=4', { limit: 4, page: 1 }],
    ['limit=3', { limit: 3, page: 1, next: '/api/thing?limit=3&page=2', next_cursor }],
    ['limit=3&page=1', { limit: 3, page: 1, ...counted(4, 2), next: '/api/thing?limit=3&page=2', next_cursor }],
    ['limit=3&page=2', { limit: 3, page: 2, ...counted(4, 2), prev: '/api/thing?limit=3&page=1', prev_cursor }],
    [
      'limit=2&count=true',
      { limit: 2, page: 1, ...counted(4, 2), next: '/api/thing?limit=2&count=true&page=2', next_cursor },
    ],
    ['limit=2&count=0', { limit: 2, page: 1, next: '/api/thing?limit=2&count=0&page=2', next_cursor }],
    ['limit=4&page=2', { limit: 4, page: 2, ...counted(4, 1), prev: '/api/thing?limit=4&page=1', prev_cursor }],
    ['filter[on]=true&count=1', { limit: 100, page: 1, ...counted(2, 1) }],
    ['filter[n]=99&count=1', { limit: 100, page: 1, ...counted(0, 0) }],
    ['limit=5000', { limit: 1000, page: 1, limit_capped: true }],
  ])('%s', async (query, beside) => {
    const { body } = await shelf.get(`/api/thing?${query}`);
    const { data, ...rest } = body;
    expect(rest).toEqual(beside);
    expect(Array.isArray(data)).toBe(true);
  });

  test('do not overlap, and past the last one data is empty', async () => {
    for (const limit of [1, 2]) {
      const titles: unknown[] = [];
      for (const page of [1, 2, 3, 4, 5]) titles.push(...(await shelf.titles(`sort=on&limit=${limit}&page=${page}`)));
      expect(titles).toEqual(await shelf.titles('sort=on'));
    }
    expect(await shelf.titles('limit=2&page=9')).toEqual([]);
  });

  test('next and prev keep the filters and omit credentials', async () => {
    const { body } = await shelf.get(`/api/thing?filter[n]=$gte:2&sort=-n&limit=1&page=2&apikey=${shelf.root.apikey}`);
    expect(String(body['next']) + String(body['prev'])).not.toContain(shelf.root.apikey);
    expect((await shelf.get(String(body['next']))).rows[0]).toMatchObject({ title: banana });
    expect((await shelf.get(String(body['prev']))).rows[0]).toMatchObject({ title: date });
  });

  test('next and Location begin with API_URL where it is set', async () => {
    const server = await startServer({ models: shelfModels, api_url: 'https://api.example/base/' });
    await server.post('/setup', { email: 'root@x.test', password: 'p' });
    const headers = { authorization: `Basic ${Buffer.from('root@x.test:p').toString('base64')}` };
    const made = await server.post('/api/part', { label: 'a' }, { headers });
    expect(made.headers.get('location')).toBe(`https://api.example/base/api/part/${String(made.document['_id'])}`);
    await server.post('/api/part', { label: 'b' }, { headers });
    const { body } = await server.get('/api/part?limit=1');
    expect(body['next']).toBe('https://api.example/base/api/part?limit=1&page=2');
    expect((await server.get('/openapi.json')).body['servers']).toEqual([{ url: 'https://api.example/base' }]);
    expect((await server.get('/')).text).toContain('https://api.example/base/login');
    await server.close();
  });
});

describe('search', () => {
  test.each<[query: string, titles: readonly string[]]>([
    ['search[title]=PIE', [apple, cherry]],
    ['search[title]=(split)', [banana]],
    ['search[title]=.*', [date]],
    ['search[title]=^A', []],
    ['search[title]=\\', []],
    ['search[sub.name]=orch', [apple]],
    ['search[tags]=swee', [apple, banana]],
    ['search[title]=pie&filter[n]=3', [cherry]],
    ['search[title]=pie&showDeleted=true', [apple, cherry, elder]],
    ['search[title]=pie&search[sub.name]=orch', [apple]],
    ['search=banana', [banana]],
    ['search=nothinglikeit', []],
    ['search=pie&filter[n]=$gt:1', [cherry]],
    ['search=pie&sort=-n', [cherry, apple]],
    ['search=elder', []],
    ['search=elder&showDeleted=true', [elder]],
  ])('%s', async (query, titles) => {
    expect(await shelf.titles(query)).toEqual(titles);
  });

  test('full text adds a score and sorts by it', async () => {
    const { rows, body } = await shelf.get('/api/thing?search=apple orchard cherry&page=1&fields=title');
    expect(rows.map(({ title }) => title)).toEqual([apple, cherry]);
    const [first, second] = rows.map(({ score }) => score);
    expect(Number(first)).toBeGreaterThan(Number(second));
    expect(Number(second)).toBeGreaterThan(0);
    expect(body['count']).toBe(2);
  });

  test('full text needs a text index', async () => {
    const { status, body } = await shelf.get('/api/maker?search=ada');
    expect({ status, ...body }).toMatchObject({ status: 'fail', message: 'Search not available' });
    expect(status).toBe(400);
  });
});

describe('deleted rows', () => {
  test.each<[query: string, titles: readonly string[]]>([
    ['showDeleted=true', [...all, elder]],
    ['showDeleted=1', [...all, elder]],
    ['showDeleted=0', all],
    ['showDeleted=', all],
    ['showDeleted=false', all],
    ['showDeleted=true&filter[_deleted]=true', [elder]],
    ['filter[_deleted]=true', []],
    ['filter[$or][0][_deleted]=true', []],
  ])('%s', async (query, titles) => {
    expect(await shelf.titles(query)).toEqual(titles);
  });

  test('by id they are a 404 with that reason, unless showDeleted is set', async () => {
    const path = `/api/thing/${shelf.ids['elder'] ?? ''}`;
    const hidden = await shelf.get(path);
    expect(hidden.status).toBe(404);
    expect(hidden.body['err']).toMatch(/deleted/);
    expect((await shelf.get(`${path}?showDeleted=1`)).document).toMatchObject({ title: elder, _deleted: true });
  });
});

describe('a parameter is refused', () => {
  test.each([
    'fliter[n]=1',
    'Limit=1',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=1e9',
    'limit=abc',
    'limit=',
    'limit=Infinity',
    'limit=1000000000000000',
    'limit=0x10',
    'limit=10;20',
    'limit=１０',
    'limit=1&limit=1000',
    'limit[a]=1',
    'limit[]=5',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=abc',
    'page=1e9',
    'page=99999999999999999999',
    'page=NaN',
    'page=',
    'page=1&page=2',
    'count=maybe',
    'showDeleted=yes',
    'showDeleted=true&showDeleted=false',
    'showDeleted[x]=1',
    'autopopulate=2',
    'sort=n&sort=title',
    'sort=n,-n',
    'sort=_id,title,-id',
    'sort[]=n&sort[x]=1',
    'sort[n]=5',
    'sort[n]=up',
    'sort[n][$meta]=textScore',
    'sort[$natural]=1',
    'sort=$where',
    'sort[__proto__]=1',
    `sort=${Array.from({ length: 11 }, (_, at) => `f${at}`).join(',')}`,
    'fields=title&fields=n',
    'fields[]=title',
    'fields=title,-n',
    'fields[title]=$n',
    'fields=$where',
    'fields=a.$',
    'fields=__proto__,constructor',
    'search=a&search[title]=b',
    'search[title][]=a',
    'search[title][$regex]=.*',
    'search[]=a',
    'search[title]=%00',
    'search[title]=%ff',
    'populate=nosuch',
    'populate[$where]=1',
    'populate=maker.name',
    'a[b=1',
    '[a]=1',
    'a]b=1',
    'constructor[prototype][polluted]=1',
  ])('%s', async (query) => {
    const { status, body, text } = await shelf.get(`/api/thing?${query}`);
    expect({ status, text }).toEqual({ status: 400, text });
    expect(body).toMatchObject({ status: 'fail', message: expect.any(String), err: expect.any(String) });
  });

  test('unless it begins with _ or the config file lists it', async () => {
    const server = await startServer({ models: shelfModels, extra_parameters: ['utm'] });
    expect((await server.get('/api/thing?utm=1&_anything=2')).status).toBe(200);
    expect((await server.get('/api/thing?utn=1')).body['err']).toBe('utn is not a parameter of any endpoint');
    await server.close();
  });
});

test('next keeps all of a query string, question marks too', async () => {
  const { body } = await shelf.get('/api/thing?limit=1&filter[$or][0][title]=what?&filter[$or][1][n]=$gte:0&sort=n');
  const next = new URL(String(body['next']), 'http://x').searchParams;
  expect([...next]).toEqual([
    ['limit', '1'],
    ['filter[$or][0][title]', 'what?'],
    ['filter[$or][1][n]', '$gte:0'],
    ['sort', 'n'],
    ['page', '2'],
  ]);
});

test('a page far beyond the end is empty', async () => {
  expect(await shelf.titles('page=1000000000000&limit=1000')).toEqual([]);
});
