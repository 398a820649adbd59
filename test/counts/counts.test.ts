/** `GET /count`: the counts of all models are those of the caller's lists. */
import { beforeAll, expect, test } from '@jest/globals';
import { makeKey } from '../support/fixtures/keys.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

type Names = 'root' | 'ann' | 'ed';
const many = 10_020;
let server: PeopledServer<Names>;

beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'ed'], {
    models: {
      leaf: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
      owned: ({ Schema }) => new Schema({ n: Number }, { perms: { owner: 'crud', admin: 'r' } }),
      ruled: ({ Schema }) => new Schema({ n: Number }, { perms: { user: { r: { where: { n: 1 } } }, admin: 'r' } }),
      secret: ({ Schema }) => new Schema({ n: Number }, { perms: { admin: 'crud' } }),
      narrowed: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
      refused: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
      answered: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
    },
    pre_hooks: {
      get: (req: any, res, next) => {
        const { name } = req.dossier.model;
        if (name === 'narrowed') req.dossier.filter = { n: { $gte: 25 } };
        if (name === 'answered') res.json({ data: [] });
        else next(name === 'refused' ? Object.assign(new Error('not for you'), { statusCode: 403 }) : undefined);
      },
    },
  });
  const collection = (name: string) => server.dossier.services.connection.collection(name);
  const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, _deleted: n < 10 }));
  await collection('leafs').insertMany(rows(many));
  for (const name of ['ruleds', 'secrets', 'narroweds', 'refuseds', 'answereds'])
    await collection(name).insertMany(rows(30));
  for (const n of [1, 2]) await server.as('ann', 'POST', '/api/owned', { body: { n } });
});

const countsOf = async (who: Names | 'anonymous'): Promise<object> => {
  const { status, rows } = await server.as(who, 'GET', '/count');
  expect(status).toBe(200);
  return Object.fromEntries(rows.map(({ model, count, count_is }) => [model, `${String(count_is)} ${String(count)}`]));
};

test.each<[Names | 'anonymous', object]>([
  ['anonymous', { leaf: 'at_least 10000', narrowed: 'exact 5' }],
  ['ann', { leaf: 'at_least 10000', narrowed: 'exact 5', owned: 'exact 2', ruled: 'exact 0', user: 'exact 1' }],
  ['ed', { leaf: 'at_least 10000', narrowed: 'exact 5', owned: 'exact 0', ruled: 'exact 0', user: 'exact 1' }],
  [
    'root',
    {
      ...{ leaf: 'at_least 10000', narrowed: 'exact 5', owned: 'exact 2', ruled: 'exact 20', secret: 'exact 20' },
      user: 'exact 3',
    },
  ],
])('%s has the counts of the models that they list', async (who, expected) => {
  expect(await countsOf(who)).toEqual(expected);
});

test('a key with scopes counts what its scopes open', async () => {
  const { headers } = await makeKey(server, server.callers.root, { scopes: { secret: 'r' } });
  const { rows } = await server.get('/count', { headers });
  expect(rows).toEqual([{ model: 'secret', count: 20, count_is: 'exact' }]);
});
