/** The counts of lists: exact, capped and estimated ones, and how each is labelled. */
import { beforeAll, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const many = 10_020;
let server: PeopledServer<'root' | 'ann'>;

beforeAll(async () => {
  server = await openPeople(['root', 'ann'], {
    models: {
      leaf: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
      few: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
      owned: ({ Schema }) => new Schema({ n: Number }, { perms: { owner: 'crud', admin: 'r' } }),
      ruled: ({ Schema }) => new Schema({ n: Number }, { perms: { all: { r: { where: { n: 1 } } }, admin: 'r' } }),
    },
  });
  const collection = (name: string) => server.dossier.services.connection.collection(name);
  const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, _deleted: n < 10 }));
  await collection('leafs').insertMany(rows(many));
  for (const name of ['fews', 'owneds', 'ruleds']) await collection(name).insertMany(rows(30));
});

test.each<[path: string, count: object]>([
  ['leaf?count=exact', { count: 10_010, count_is: 'exact', page_count: 1001 }],
  ['leaf?count=true', { count: 10_010, count_is: 'exact', page_count: 1001 }],
  ['leaf?page=2', { count: 10_010, count_is: 'exact', page_count: 1001 }],
  ['leaf?count=capped', { count: 10_000, count_is: 'at_least', page_count: 1000 }],
  ['leaf?count=capped&page=2', { count: 10_000, count_is: 'at_least', page_count: 1000 }],
  ['leaf?count=capped&filter[n]=$gte:20', { count: 10_000, count_is: 'exact', page_count: 1000 }],
  ['leaf?count=capped&filter[n]=$lt:20', { count: 10, count_is: 'exact', page_count: 1 }],
  ['leaf?count=estimated', { count: many, count_is: 'estimate', page_count: 1002 }],
  ['leaf?count=estimated&filter[n]=$gte:10', { count: 10_000, count_is: 'at_least', page_count: 1000 }],
  ['leaf?count=estimated&showDeleted=1', { count: many, count_is: 'estimate', page_count: 1002 }],
  ['few?count=estimated', { count: 30, count_is: 'estimate', page_count: 3 }],
  ['few?count=estimated&showDeleted=1&filter[n]=3', { count: 1, count_is: 'exact', page_count: 1 }],
  ['few?count=', {}],
  ['few?count=0', {}],
  ['few', {}],
])('%s', async (path, expected) => {
  const { body } = await server.get(`/api/${path}${path.includes('?') ? '&' : '?'}limit=10`);
  const counted = Object.entries(body).filter(([name]) => name.includes('count'));
  expect(Object.fromEntries(counted)).toEqual(expected);
});

test('an estimate counts no rows that the caller may not read', async () => {
  const count = async (person: 'root' | 'ann', model: string): Promise<unknown[]> => {
    const counts = ['', '&showDeleted=1'].map(async (deleted) => {
      const { body } = await server.as(person, 'GET', `/api/${model}?count=estimated${deleted}`);
      return [body['count'], body['count_is']];
    });
    return (await Promise.all(counts)).flat();
  };
  expect(await count('root', 'owned')).toEqual([30, 'estimate', 30, 'estimate']);
  expect(await count('ann', 'owned')).toEqual([0, 'exact', 0, 'exact']);
  expect(await count('root', 'ruled')).toEqual([30, 'estimate', 30, 'estimate']);
  expect(await count('ann', 'ruled')).toEqual([0, 'exact', 1, 'exact']);
});

test('other values are refused, also by /count', async () => {
  const err = 'count: must be exact (or true, 1), capped or estimated, or for no count false or 0, got "all"';
  for (const path of ['/api/leaf?count=all', '/count/leaf?count=all'])
    expect((await server.get(path)).body).toMatchObject({ status: 'fail', err });
  expect((await server.get('/api/leaf?count=exact&count=capped')).status).toBe(400);
});
