/** Own models over two workers of a server: what one has written, the other lists, counts, publishes and keeps the history of. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { listen } from '../support/event-stream.ts';
import { as, type Callers, makeCallers } from '../support/fixtures/people.ts';
import type { TestServer } from '../support/server.ts';
import { type Pair, startPair } from '../support/workers.ts';

const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { all: 'crud' } });`;

const names = ['root', 'ann'] as const;
type Worker = 'first' | 'second';
let pair: Pair;
let callers: Callers<(typeof names)[number]>;

beforeAll(async () => {
  pair = await startPair({ models: { note }, cache: { enabled: true }, max_sessions: 5 });
  callers = await makeCallers(pair.first, names);
});
afterAll(() => pair.close());

const ask = (at: TestServer, method: string, path: string, body?: object): Promise<Answer> =>
  at.send(method, path, as(callers.root, { body }));
const create = async (at: TestServer, url: string): Promise<string> => {
  const made = await ask(at, 'POST', '/webhooks', { url, models: ['note'], active: false });
  return (made.body as { data: { id: string } }).data.id;
};
const remove = (at: TestServer, ids: readonly string[]): Promise<unknown> =>
  Promise.all(ids.map((id) => ask(at, 'DELETE', `/webhooks/${id}`)));

const ways: readonly (readonly [writer: Worker, reader: Worker])[] = [
  ['first', 'first'],
  ['first', 'second'],
  ['second', 'first'],
  ['second', 'second'],
];

describe.each(ways)('written at the %s, read at the %s', (writing, reading) => {
  const url = `https://x.test/${writing}-${reading}`;
  const path = `/api/_webhook?filter[url]=${url}`;

  test('each write is in the reads that follow it', async () => {
    const { [writing]: writer, [reading]: reader } = pair;
    const read = async (): Promise<unknown> => [
      (await ask(reader, 'GET', path)).rows.map(({ active }) => active),
      (await ask(reader, 'GET', `/count/_webhook?filter[url]=${url}`)).body['count'],
      (await ask(reader, 'GET', `/csv/_webhook?fields=url&filter[url]=${url}`)).text.split(url).length - 1,
    ];
    // what a cache may keep
    expect(await read()).toEqual([[], 0, 0]);
    const id = await create(writer, url);
    expect(await read()).toEqual([[false], 1, 1]);
    await ask(writer, 'PUT', `/webhooks/${id}`, { active: true });
    expect(await read()).toEqual([[true], 1, 1]);
    const { rows } = await ask(reader, 'GET', `/history/_webhook/${id}`);
    expect(rows.map(({ op, who }) => [op, who])).toEqual([
      ['change', callers.root.user_id],
      ['create', callers.root.user_id],
    ]);
    await remove(writer, [id]);
    expect(await read()).toEqual([[], 0, 0]);
  });

  test('its events and changes are those of the worker that wrote', async () => {
    const { [writing]: writer, [reading]: reader } = pair;
    const since = String((await ask(reader, 'GET', '/changes/_webhook')).body['position']);
    const stream = await listen(`${reader.url}/events/_webhook`, callers.root.headers);
    const id = await create(writer, url);
    await ask(writer, 'PUT', `/webhooks/${id}`, { description: 'x' });
    await ask(writer, 'POST', `/webhooks/${id}/rotate`, { overlap: 60 });
    await remove(writer, [id]);
    await stream.when(() => stream.received.some(({ event }) => event === 'del'));
    expect(stream.received.map(({ event, item }) => [event, (item as { _id: string })._id])).toEqual(
      ['post', 'put', 'put', 'del'].map((event) => [event, id]),
    );
    for (const secret of ['"secret"', '"earlier"', '"incarnation"'])
      expect(JSON.stringify(stream.received)).not.toContain(secret);
    const { body } = await ask(reader, 'GET', `/changes/_webhook?since=${encodeURIComponent(since)}`);
    expect(JSON.stringify(body)).toContain(id);
    stream.close();
  });

  test('a cursor of one continues at the other', async () => {
    const { [writing]: writer, [reading]: reader } = pair;
    const ids = [await create(writer, `${url}-a`), await create(reader, `${url}-b`), await create(writer, `${url}-c`)];
    const seen: unknown[] = [];
    let after = '';
    for (const at of [writer, reader, writer]) {
      const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page = await ask(at, 'GET', `/api/_webhook?sort=-url&limit=1${from}`);
      seen.push(page.rows[0]?.['_id']);
      after = String(page.body['next_cursor'] ?? '');
    }
    expect([seen, after]).toEqual([ids.toReversed(), '']);
    await remove(reader, ids);
  });

  test('a key that was made works and is listed, and one that was ended is neither', async () => {
    const { [writing]: writer, [reading]: reader } = pair;
    const made = await writer.send('POST', '/login/keys', as(callers.ann, { body: { name: `${writing} ${reading}` } }));
    const { id, key } = (made.body as { data: { id: string; key: string } }).data;
    const listed = async (): Promise<unknown> =>
      (await reader.send('GET', '/api/_key', { headers: { 'x-api-key': key } })).rows.map(({ _id }) => _id);
    expect(await listed()).toEqual([id]);
    await writer.send('DELETE', `/login/keys/${id}`, as(callers.ann));
    expect(await listed()).toEqual([]);
    expect((await reader.send('GET', '/api/_key', { headers: { 'x-api-key': key } })).status).toBe(401);
    expect((await reader.send('GET', '/api/_key', as(callers.ann))).rows).toEqual([]);
  });
});

test('writes of both at once are one after the other, and both list the same', async () => {
  const { first, second } = pair;
  const id = await create(first, 'https://x.test/both');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      ask(at % 2 === 0 ? first : second, 'PUT', `/webhooks/${id}`, { description: `of ${at}` }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const [one, other] = await Promise.all([first, second].map((at) => ask(at, 'GET', `/api/_webhook/${id}`)));
  expect(one?.body).toEqual(other?.body);
  const { rows } = await ask(second, 'GET', `/history/_webhook/${id}`);
  expect(rows.map(({ rev }) => rev)).toEqual(Array.from({ length: 9 }, (_, at) => 9 - at));
  await remove(second, [id]);
});

test.each(['first', 'second'] as const)(
  'the %s refuses a write, and shows a user only what is theirs',
  async (name) => {
    const at = pair[name];
    expect((await ask(at, 'POST', '/api/_webhook', { url: 'https://x.test/no' })).status).toBe(403);
    expect((await at.send('GET', '/api/_webhook', as(callers.ann))).status).toBe(403);
    expect((await at.send('GET', '/events/_webhook', as(callers.ann))).status).toBe(403);
  },
);
