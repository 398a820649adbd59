/** Sorting by free-form fields: plain values are ordered, and the content of objects has no influence. */
import { openReading, type World } from '../support/fixtures/reading/index.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
  for (const [title, meta] of Object.entries(values))
    await world.as('ann', 'POST', '/api/note', { body: { title, ...(meta === undefined ? {} : { meta }) } });
});

/** By title; `meta` is of any type. */
const values: Readonly<Record<string, unknown>> = {
  'S object z': { colour: 'b', rank: 2, password: 'zzzzzzzz', deep: { password: 'zzzzzzzz', at: 1 } },
  'S object a': { colour: 'a', rank: 10, password: 'aaaaaaaa', deep: { password: 'aaaaaaaa', at: 2 } },
  'S none': undefined,
  'S text': 'text',
  'S number': 3,
  'S list': [{ password: 'mmmmmmmm', colour: 'c' }],
};
const inOrderOfMaking = Object.keys(values);
const objects = ['S object z', 'S object a'];

describe.each([
  ['meta.colour', ['S object a', 'S object z']],
  ['-meta.colour', ['S object z', 'S object a']],
  ['meta.rank', ['S object z', 'S object a']],
  ['meta.deep', objects],
  ['-meta.deep', objects],
  ['meta.deep.at', objects],
  ['-meta.deep.at', [...objects].reverse()],
])('sort=%s', (sort, expected) => {
  const query = `limit=50&sort=${encodeURIComponent(sort)}&filter[title]=$regex:/^S object/`;
  test('a list', async () => {
    const { body } = await world.as('ann', 'GET', `/api/note?${query}`);
    expect(titles(body['data'])).toEqual(expected);
    expect(JSON.stringify(body)).not.toMatch(/_dossier|password/);
  });
  test('a query', async () => {
    const { body } = await world.as('ann', 'POST', `/query/note?${query}&fields=title`, { body: { query: {} } });
    expect(titles(body['data'])).toEqual(expected);
    expect(Object.keys((body['data'] as object[])[0] ?? {})).toEqual(['_id', 'id', 'title']);
  });
  test('CSV', async () => {
    const { text } = await world.as('ann', 'GET', `/csv/note?${query}&fields=-meta`);
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines.map((line) => expected.find((title) => line.includes(title)))).toEqual(expected);
  });
});

const titles = (rows: unknown): unknown[] => (rows as { title: unknown }[]).map(({ title }) => title);

test.each([
  ['meta', ['S object z', 'S object a', 'S none', 'S list', 'S number', 'S text']],
  ['-meta', ['S text', 'S number', 'S object z', 'S object a', 'S none', 'S list']],
])('sort=%s: objects and lists sort like missing values', async (sort, expected) => {
  const { body } = await world.as('ann', 'GET', `/api/note?limit=50&sort=${sort}&filter[title]=$regex:/^S /`);
  expect(inOrderOfMaking).toHaveLength(expected.length);
  expect(titles(body['data'])).toEqual(expected);
});

test.each([
  ['meta.[-1]', 200],
  ['meta[-1]', 400],
  ['meta.0.colour', 200],
  ['meta..x', 400],
  ['meta.', 400],
  ['.meta', 400],
  ['meta.$x', 400],
  ['$meta', 400],
  ['meta.password', 400],
  ['meta.deep.PassWord', 400],
  ['meta.__proto__', 400],
])('sort=%s answers %i', async (sort, status) => {
  const answer = await world.as('ann', 'GET', `/api/note?sort=${encodeURIComponent(sort)}`);
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
});

test.each([
  ['[meta.colour]', 200],
  ['[meta.password]', 400],
  ['[meta][deep][PassWord]', 400],
  ['[meta.__proto__]', 400],
  [`[meta]${'[a]'.repeat(8)}`, 200],
  [`[meta]${'[a]'.repeat(11)}`, 400],
])('filter%s answers %i', async (path, status) => {
  const answer = await world.as('ann', 'GET', `/api/note?filter${path}=zzzzzzzz`);
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
});

test('pages of such an order do not overlap', async () => {
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) =>
      world.as('ann', 'GET', `/api/note?limit=2&page=${page}&sort=meta&filter[title]=$regex:/^S /`),
    ),
  );
  expect(pages.flatMap(({ body }) => titles(body['data'])).sort()).toEqual([...inOrderOfMaking].sort());
});
