/** The examples of docs/rules.md, which are rules of applications: they hold by every way of writing, and for many at once. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../src/start/config-file.ts';
import type { Answer } from '../support/client.ts';
import { basic, emailOf, makeUsers, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { blocksOf, modelsOf } from './examples.ts';

let server: TestServer;
let folder: string;
const root = { headers: rootBasic };
const ann = { headers: basic(emailOf('ann'), passwordOf('ann')) };
const editor = { headers: basic(emailOf('ed'), passwordOf('ed')) };

beforeAll(async () => {
  const guide = await readFile('docs/rules.md', 'utf8');
  const config = blocksOf(guide).find(({ text }) => text.startsWith('// dossier.config.js'));
  folder = await mkdtemp(join(tmpdir(), 'dossier-rules-'));
  const configFile = join(folder, 'dossier.config.mjs');
  await writeFile(configFile, config?.text ?? '');
  server = await startServer({ models: modelsOf(guide), ...(await readConfig(configFile)).config });
  await makeUsers(server, ['root', 'ann', 'ed']);
});
afterAll(() => rm(folder, { recursive: true }));

const make = async (model: string, values: object): Promise<string> => {
  const { status, document, text } = await server.post(`/api/${model}`, values, root);
  expect({ status, text }).toMatchObject({ status: 201 });
  return String(document['_id']);
};
const documentOf = async (model: string, id: string): Promise<Readonly<Record<string, unknown>>> =>
  (await server.get(`/api/${model}/${id}`, root)).document;
const numberOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

needs('transactions')('stock: what is sold leaves it, and many at once sell no more than there is', async () => {
  const item = await make('item', { name: 'cup', stock: 10 });
  const sales = Array.from({ length: 20 }, () => server.post('/api/sale', { item_id: item, count: 1 }, ann));
  const answers = await Promise.all(sales);
  expect([numberOf(answers, 201), numberOf(answers, 400)]).toEqual([10, 10]);
  expect(await documentOf('item', item)).toMatchObject({ stock: 0 });
  const [sold] = answers.filter(({ status }) => status === 201);
  await server.remove(`/api/sale/${String(sold?.document['_id'])}?_permaDelete=1`, root);
  expect(await documentOf('item', item)).toMatchObject({ stock: 1 });
});

test('a counter follows documents that are created, moved, deleted and restored', async () => {
  const [one, other] = [await make('author', { name: 'one' }), await make('author', { name: 'other' })];
  const counts = async (): Promise<readonly unknown[]> => [
    (await documentOf('author', one))['posts'],
    (await documentOf('author', other))['posts'],
  ];
  const post = await make('post', { title: 'a', author_id: one });
  await server.post('/bulkwrite/post', [{ insertOne: { document: { title: 'b', author_id: one } } }], root);
  const seen = [await counts()];
  for (const change of [{ author_id: other }, { _deleted: true }, { _deleted: false }]) {
    await server.put(`/api/post/${post}`, change, root);
    seen.push(await counts());
  }
  expect(seen).toEqual([
    [2, 0],
    [1, 1],
    [1, 0],
    [1, 1],
  ]);
});

test('copies of a name stay equal', async () => {
  const author = await make('author', { name: 'Ann' });
  const quote = await make('quote', { text: 'a', author_id: author, author_name: 'Ann' });
  const { status, text } = await server.put(`/api/author/${author}`, { name: 'Anna' }, root);
  expect({ status, text }).toMatchObject({ status: 200 });
  expect(await documentOf('quote', quote)).toMatchObject({ author_name: 'Anna' });
});

needs('transactions')('bookings do not overlap, also of many at once', async () => {
  const room_id = await make('room', { name: 'blue' });
  const booking = (from: string, to: string) => ({ room_id, from: `2027-01-${from}`, to: `2027-01-${to}` });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.post('/api/booking', booking('02', '05'), ann)),
  );
  expect([numberOf(answers, 201), numberOf(answers, 409)]).toEqual([1, 7]);
  expect((await server.post('/api/booking', booking('05', '07'), ann)).status).toBe(201);
  const refused = await server.post('/api/booking', booking('04', '06'), ann);
  expect(refused.body).toMatchObject({ status: 'fail', err: 'the room is taken at that time' });
});

needs('transactions')('a state is approved by a role, and stays', async () => {
  const id = await make('proposal', { title: 'a' });
  const path = `/api/proposal/${id}`;
  const statuses = [
    await server.put(path, { state: 'asked' }, ann),
    await server.put(path, { state: 'approved' }, ann),
    await server.put(path, { state: 'approved' }, editor),
    await server.put(path, { state: 'draft' }, root),
  ].map(({ status }) => status);
  expect([...statuses, (await documentOf('proposal', id))['state']]).toEqual([200, 403, 200, 403, 'approved']);
});

test('a message is sent when a state changes', async () => {
  const id = await make('ticket', { title: 'a' });
  await server.put(`/api/ticket/${id}`, { title: 'b' }, root);
  await server.put(`/api/ticket/${id}`, { state: 'done' }, root);
  await until(() => server.log.some((line) => line.includes('announced')));
  expect(server.log.filter((line) => line.includes('announced')).map((line) => line.includes('"done"'))).toEqual([
    true,
  ]);
});

test.each([
  ['POST', async () => (await server.post('/api/invoice', invoice, root)).document],
  [
    'a bulk write',
    async () => {
      const { body } = await server.post('/bulkwrite/invoice', [{ insertOne: { document: invoice } }], root);
      return documentOf('invoice', (body.data as unknown as { insertedIds: [string] }).insertedIds[0]);
    },
  ],
])('a slug and a total are computed by %s', async (_, write) => {
  expect(await write()).toMatchObject({ slug: 'two-cups', total: 5 });
});
const invoice = {
  title: 'Two cups',
  lines: [
    { text: 'cup', price: 2, count: 2 },
    { text: 'post', price: 1, count: 1 },
  ],
};

test('the config notes permanent deletions', async () => {
  const id = await make('ticket', { title: 'a' });
  const { status } = await server.remove(`/api/ticket/${id}?_permaDelete=1`, root);
  expect(status).toBe(200);
  expect(server.log.filter((line) => line.includes('removed permanently') && line.includes(id))).toHaveLength(1);
});
