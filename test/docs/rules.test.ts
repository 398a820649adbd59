/** The examples of docs/rules.md, which are rules of applications: they hold by every way of writing, and for many at once. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../src/start/config-file.ts';
import type { Answer } from '../support/client.ts';
import { basic, emailOf, makeUsers, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { blocksOf, modelsOf } from './examples.ts';

let server: TestServer;
let folder: string;
let mailbox: Mailbox;
const root = { headers: rootBasic };
const ann = { headers: basic(emailOf('ann'), passwordOf('ann')) };
const editor = { headers: basic(emailOf('ed'), passwordOf('ed')) };

beforeAll(async () => {
  const guide = await readFile('docs/rules.md', 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'dossier-rules-'));
  const configs = blocksOf(guide).filter(({ text }) => text.startsWith('// dossier.config.js'));
  const parts = configs.map(async ({ text }, at) => {
    const file = join(folder, `${at}.config.mjs`);
    await writeFile(file, text);
    return readConfig(file);
  });
  const config = Object.assign({}, ...(await Promise.all(parts)).map((part) => part.config)) as object;
  mailbox = await openMailbox();
  server = await startServer({
    models: modelsOf(guide),
    smtp: { url: mailbox.url, from: 'Shop <shop@x.test>' },
    jobs: { retries: '1s' },
    ...config,
  });
  await makeUsers(server, ['root', 'ann', 'ed']);
});
afterAll(async () => {
  await mailbox.close();
  await rm(folder, { recursive: true });
});

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

test('a mail is sent when a state changes', async () => {
  const id = await make('ticket', { title: 'Cups', email: 'sam@x.test' });
  await server.put(`/api/ticket/${id}`, { title: 'Mugs' }, root);
  await server.put(`/api/ticket/${id}`, { state: 'done' }, root);
  await until(() => mailbox.sentTo('sam@x.test').length > 0);
  expect(mailbox.sentTo('sam@x.test').map(({ raw }) => raw.includes('Subject: Mugs: done'))).toEqual([true]);
});

test('a job sends prices to another server until it answers', async () => {
  const heard: unknown[] = [];
  const other = createServer((req, res) => {
    void json(req).then((body) => {
      heard.push(body);
      res.writeHead(heard.length === 1 ? 503 : 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  process.env['PRICES_URL'] = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  try {
    const id = await make('product', { name: 'cup', price: 2 });
    await server.put(`/api/product/${id}`, { name: 'mug' }, root);
    await server.put(`/api/product/${id}`, { price: 3 }, root);
    await until(() => heard.length === 2);
    expect(heard).toEqual([
      { id, from: 2, to: 3 },
      { id, from: 2, to: 3 },
    ]);
  } finally {
    delete process.env['PRICES_URL'];
    other.close();
  }
});

test('a known customer is linked to their account when their address is verified', async () => {
  const customer = await make('customer', { name: 'Ann', email: emailOf('ann') });
  const { body } = await server.get(`/api/user?filter[email]=${emailOf('ann')}`, root);
  const [user] = body.data as readonly { readonly _id: string }[];
  expect((await server.get(`/api/customer/${customer}`, ann)).status).toBe(404);
  await server.put(`/api/user/${String(user?._id)}`, { email_verified: true }, root);
  expect((await server.get(`/api/customer/${customer}`, ann)).document).toMatchObject({ user_id: user?._id });
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
