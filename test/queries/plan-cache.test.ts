/** Equal query strings, whose plans are kept: each caller gets their own rows, and each page the cursor of its own last row. */
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';
import { startServer } from '../support/server.ts';

const people: readonly Person[] = ['anonymous', 'ann', 'eve', 'root'];
const paths = [
  '/api/book?limit=1&sort=-title',
  '/api/note?limit=1',
  '/api/note?filter[title]=$regex:note&autopopulate=1',
  '/api/wiki?filter[note.title]=Note%20of%20ann',
  '/api/ledger?fields=amount',
];

test('callers that send the same request in turn each get their own answer', async () => {
  const world: World = await openReading();
  const ask = async (person: Person, path: string) => {
    const { status, text } = await world.as(person, 'GET', path);
    return { person, path, status, text: text.replace(/"id":"[0-9a-f-]{36}"/, '') };
  };
  const alone = new Map<string, unknown>();
  // another URL for the same list
  for (const person of people) for (const path of paths) alone.set(person + path, await ask(person, `${path}&`));
  const plain = (answer: unknown): string => JSON.stringify(answer).replaceAll('&"', '"');
  for (let round = 0; round < 3; round++)
    for (const path of paths)
      for (const person of people) expect(plain(await ask(person, path))).toBe(plain(alone.get(person + path)));
});

const models = {
  thing: ({ Schema }: any) => new Schema({ title: String, n: Number }, { perms: { all: 'crud' } }),
};

test('an equal request after a change returns the cursor of the new last row', async () => {
  const server = await startServer({ models });
  for (const n of [1, 3, 5, 7]) await server.post('/api/thing', { n });
  const path = '/api/thing?sort=n&limit=2';
  const numbers = ({ rows }: { rows: readonly Record<string, unknown>[] }) => rows.map(({ n }) => n);
  const first = await server.get(path);
  const again = await server.get(path);
  expect(again.body['next_cursor']).toBe(first.body['next_cursor']);
  await server.post('/api/thing', { n: 2 });
  const changed = await server.get(path);
  expect(numbers(changed)).toEqual([1, 2]);
  expect(changed.body['next_cursor']).not.toBe(first.body['next_cursor']);
  expect(numbers(await server.get(`${path}&after=${String(changed.body['next_cursor'])}`))).toEqual([3, 5]);
  expect(numbers(await server.get(`${path}&after=${String(first.body['next_cursor'])}`))).toEqual([5, 7]);
});

test.each([
  ['/api/thing?limit=5', false],
  ['/api/thing?limit=5', true],
  ['/api/thing', false],
  ['/api/thing', true],
])('a pre-hook that changes the query in place takes effect each time: %s, cache: %s', async (path, enabled) => {
  const server = await startServer({
    models,
    cache: { enabled },
    pre_hooks: {
      get: (req: any, _res, next) => {
        req.dossier.query.filter = { title: req.headers['x-tenant'] };
        next();
      },
    },
  });
  for (const title of ['a', 'b']) await server.post('/api/thing', { title });
  const titles = async (tenant: string) => {
    const { rows } = await server.send('GET', path, { headers: { 'x-tenant': tenant } });
    return rows.map(({ title }) => title);
  };
  for (const tenant of ['a', 'b', 'a', 'b']) expect(await titles(tenant)).toEqual([tenant]);
});
