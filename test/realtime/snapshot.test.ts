/** Subscriptions that begin with all documents: without a gap, and nothing twice. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { byId } from '../support/collection-copy.ts';
import { connect } from '../support/connection.ts';
import { type EventStream, listen } from '../support/event-stream.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { numbersFrom } from '../support/numbers.ts';
import { until } from '../support/waiting.ts';

type Row = Readonly<Record<string, unknown>>;
interface Event {
  readonly event: string;
  readonly item: Row;
}

const models = {
  'task.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String, size: Number, team: String, password: String }, {
      perms: { admin: 'crud', user: { c: true, r: { where: { team: 'open' } } }, owner: 'rud' } });`,
  'open.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String, size: Number }, { perms: { admin: 'crud', all: 'r' } });`,
};

let world: PeopledServer<'root' | 'ann' | 'eve'>;
beforeAll(async () => {
  world = await openPeople(['root', 'ann', 'eve'], { models });
});

const root = async (method: string, path: string, body?: unknown) =>
  (await world.as('root', method, path, body === undefined ? {} : { body })).document;
const make = async (model: string, body: object): Promise<string> =>
  String((await root('POST', `/api/${model}`, body))['_id']);
const isReady = ({ received }: EventStream): boolean => received.some((one) => one['event'] === undefined);
const eventsOf = ({ received }: EventStream): readonly Event[] =>
  received.filter((one) => one['event'] !== undefined) as unknown as readonly Event[];

/** What a subscriber has after all events. */
function rowsAfter(events: readonly Event[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { event, item } of events)
    if (event === 'del') rows.delete(String(item['_id']));
    else rows.set(String(item['_id']), item);
  return byId(rows.values());
}

/** Documents that were sent twice in the same state. */
function repeatedIn(events: readonly Event[]): readonly string[] {
  const last = new Map<string, Row | 'gone'>();
  return events.flatMap(({ event, item }) => {
    const id = String(item['_id']);
    const state = event === 'del' ? 'gone' : item;
    const isRepeated = isDeepStrictEqual(last.get(id), state) || (state === 'gone' && !last.has(id));
    last.set(id, state);
    return isRepeated ? [`${event} ${JSON.stringify(item)}`] : [];
  });
}

test('a stream sends the documents that match, then that they are complete, then the changes', async () => {
  const ids = [await make('open', { title: 'x', size: 1 }), await make('open', { title: 'x', size: 2 })];
  await make('open', { title: 'other' });
  const stream = await listen(`${world.url}/events/open?snapshot=true&filter[title]=x`);
  await stream.when(() => isReady(stream));
  expect(stream.received.map(({ event, item }) => [event, (item as Row | undefined)?.['_id']])).toEqual([
    ['post', ids[0]],
    ['post', ids[1]],
    [undefined, undefined],
  ]);
  expect(stream.received[0]?.['position']).toBeUndefined();
  expect(stream.received[2]).toEqual({ position: stream.lastId() });
  await root('PUT', `/api/open/${String(ids[0])}`, { size: 10 });
  await root('DELETE', `/api/open/${String(ids[1])}`);
  await stream.until(5);
  expect(eventsOf(stream).slice(2)).toMatchObject([
    { event: 'put', item: { _id: ids[0], size: 10 } },
    { event: 'del', item: { _id: ids[1] } },
  ]);
  stream.close();
});

test('a browser that reconnects after that gets the changes, and one that has not got that far begins again', async () => {
  const id = await make('open', { title: 'again', size: 1 });
  const path = `${world.url}/events/open?snapshot=true&filter[title]=again`;
  const first = await listen(path);
  await first.when(() => isReady(first));
  first.close();
  await root('PUT', `/api/open/${id}`, { size: 2 });
  const second = await listen(path, { 'last-event-id': first.lastId() });
  await second.until(1);
  expect(second.received).toMatchObject([{ event: 'put', item: { size: 2 } }]);
  second.close();
  const third = await listen(path, { 'last-event-id': '' });
  await third.when(() => isReady(third));
  expect(eventsOf(third)).toMatchObject([{ event: 'post', item: { size: 2 } }]);
  third.close();
});

test('a socket says for which subscription the documents are complete; rows and fields are those of the caller', async () => {
  const seen = await make('task', { title: 'seen', team: 'open', password: 'CANARY' });
  await make('task', { title: 'CANARY', team: 'closed' });
  const socket = await connect(world.url, world.callers.eve.headers);
  const { result } = await socket.ask('subscribe', { model: 'task', snapshot: true });
  const ready = () => socket.received.find((one) => one['ready'] !== undefined);
  await socket.when(() => ready() !== undefined);
  expect(ready()).toMatchObject({ ready: result.subscription, position: expect.any(String) });
  await root('PUT', `/api/task/${seen}`, { team: 'closed' });
  await socket.when(() => socket.events().length === 2);
  expect(socket.events()).toEqual([
    ['post', 'seen'],
    ['del', seen],
  ]);
  expect(JSON.stringify(socket.received)).not.toContain('CANARY');
  socket.socket.terminate();
});

test('one document', async () => {
  const id = await make('open', { title: 'single', size: 1 });
  const stream = await listen(`${world.url}/events/open/${id}?snapshot=true`);
  await stream.when(() => isReady(stream));
  expect(eventsOf(stream)).toMatchObject([{ event: 'post', item: { title: 'single' } }]);
  stream.close();
});

test('other values of snapshot are refused', async () => {
  expect((await world.get('/events/open?snapshot=maybe')).status).toBe(400);
  const socket = await connect(world.url, world.callers.eve.headers);
  expect(await socket.ask('subscribe', { model: 'task', snapshot: 'yes' })).toMatchObject({ status: 'error' });
  socket.socket.terminate();
});

test('under writes nothing is missing and nothing comes twice', async () => {
  const random = numbersFrom(7);
  const ids: string[] = [];
  const team = (): string => (random() < 0.7 ? 'open' : 'closed');
  for (let at = 0; at < 450; at += 50)
    ids.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, () =>
          make('task', { title: 'many', size: Math.floor(random() * 100), team: team() }),
        ),
      )),
    );
  const pick = (): string => ids[Math.floor(random() * ids.length)] ?? '';
  async function write(): Promise<void> {
    const kind = random();
    if (kind < 0.2) ids.push(await make('task', { title: 'many', size: 0, team: team() }));
    else if (kind < 0.8) await root('PUT', `/api/task/${pick()}`, { size: Math.floor(random() * 100), team: team() });
    else if (kind < 0.9) await root('DELETE', `/api/task/${pick()}`);
    else await root('PUT', `/api/task/${pick()}`, { _deleted: false });
  }
  const path = `${world.url}/events/task?snapshot=true&filter[title]=many&filter[size]=$lt:80`;
  const streams: EventStream[] = [];
  for (let round = 0; round < 30; round++) {
    const writing = Promise.all([write(), write(), write(), write()]);
    if (round % 6 === 0) streams.push(await listen(path, world.callers.eve.headers));
    await writing;
  }
  const { rows } = await world.as('eve', 'GET', '/api/task?limit=1000&filter[title]=many&filter[size]=$lt:80');
  expect(rows.length).toBeGreaterThan(100);
  const expected = byId(rows);
  for (const stream of streams) {
    await until(() => isDeepStrictEqual(rowsAfter(eventsOf(stream)), expected)).catch(() => undefined);
    expect(rowsAfter(eventsOf(stream))).toEqual(expected);
    expect(repeatedIn(eventsOf(stream))).toEqual([]);
    stream.close();
  }
});
