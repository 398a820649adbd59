/** Server-Sent Events: rights, filters, positions, resuming after a lost connection, limits, and how streams end. */
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { makeMarkedSealer } from '../../src/adapters/sealing.ts';
import { maxFullMs } from '../../src/features/events/subscriptions/backpressure.ts';
import { bannerOf } from '../../src/start/banner.ts';
import { incompleteAfterCrash } from '../../src/start/features.ts';
import { operationGroups } from '../../src/start/operations.ts';
import { connect } from '../support/connection.ts';
import { type EventStream, listen } from '../support/event-stream.ts';
import { openWriting, type Person, type World } from '../support/fixtures/writing/index.ts';
import { shorten, until } from '../support/waiting.ts';

let world: World;
const open: EventStream[] = [];
const bearer = (as: Person): Readonly<Record<string, string>> => world.callers[as].headers;
const streamed = async (
  as: Person | undefined,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> => {
  const stream = await listen(world.url + path, { ...(as === undefined ? {} : bearer(as)), ...headers });
  open.push(stream);
  return stream;
};
const idOf = async (as: Person, body: object, model = 'note'): Promise<string> =>
  String((await world.as(as, 'POST', `/api/${model}`, { body })).body['data']._id);

beforeAll(async () => {
  world = await openWriting();
});
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

test('writes are sent as in lists: own rows, the filter, no password-named field', async () => {
  const [ann, eve] = [
    await streamed('ann', '/events/note?filter[title]=$regex:^x&filter[n]=$gte:2'),
    await streamed('eve', '/events/note'),
  ];
  expect(ann.status).toBe(200);
  expect(Object.fromEntries(ann.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  await idOf('ann', { title: 'x1', n: 1 });
  const id = await idOf('ann', { title: 'x2', n: 2, login: { site: 's', password: 'CANARY' } });
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { n: 1 } });
  await world.as('ann', 'PUT', `/update/note/${id}`, { body: { n: 5, title: 'x3' } });
  await world.as('ann', 'PUT', `/api/note/${id}?_silence=1`, { body: { title: 'x4' } });
  await world.as('ann', 'DELETE', `/api/note/${id}`);
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { _deleted: false } });
  await world.as('ann', 'DELETE', `/api/note/${id}?_permaDelete=1`);
  await idOf('eve', { title: 'hers' });
  await Promise.all([ann.until(6), eve.until(1)]);
  expect(ann.events()).toEqual([
    ['post', 'x2'],
    ['del', id],
    ['put', 'x3'],
    ['del', id],
    ['post', 'x4'],
    ['del', id],
  ]);
  expect(eve.events()).toEqual([['post', 'hers']]);
  expect(JSON.stringify(ann.received)).not.toMatch(/password|CANARY/);
  expect(ann.received[0]).toMatchObject({
    modelname: 'note',
    user_id: world.callers.ann.user_id,
    position: expect.stringMatching(/^[\w-]+$/),
  });
  expect(ann.lastId()).toBe(ann.received.at(-1)?.['position']);
});

test('an anonymous stream of one document that every caller may read', async () => {
  const [id, other] = [await idOf('ann', { title: 'a' }, 'book'), await idOf('ann', { title: 'b' }, 'book')];
  const anonymous = await streamed(undefined, `/events/book/${id.toUpperCase()}`);
  await world.as('root', 'PUT', `/api/book/${other}`, { body: { title: 'no' } });
  await world.as('root', 'PUT', `/api/book/${id}`, { body: { title: 'yes' } });
  await anonymous.until(1);
  expect(anonymous.events()).toEqual([['put', 'yes']]);
});

describe('a request that is refused before the stream begins', () => {
  const sealedElsewhere = makeMarkedSealer(['a secret that is gone'], 'event positions', 'event-', 2000).seal(
    Buffer.from('82'),
  );

  test.each<[Person | undefined, string, Record<string, string>, number]>([
    [undefined, '/events/note', {}, 401],
    ['eve', '/events/nosuch', {}, 404],
    ['eve', '/events/_session', {}, 404],
    ['eve', '/events/__proto__', {}, 404],
    ['eve', '/events/note/x', {}, 400],
    ['eve', '/events/note?filter[login.password]=$regex:^.', {}, 400],
    ['eve', '/events/note?filter[title]=$regex:(a%2B)%2B$', {}, 400],
    ['eve', '/events/note?filter[$where]=1', {}, 400],
    ['eve', '/events/note?nosuch=1', {}, 400],
    ['eve', '/events/note?since=a&since=b', {}, 400],
    ['eve', '/events/note?since=nonsense', {}, 400],
    ['eve', `/events/note?since=${'A'.repeat(100)}`, {}, 400],
    ['eve', `/events/note?since=event-${'A'.repeat(100)}`, {}, 400],
    ['eve', `/events/note?since=${sealedElsewhere}`, {}, 410],
    ['eve', '/events/note', { 'last-event-id': '82' }, 400],
  ])('%s %s %j is %i', async (as, path, headers, status) => {
    const { status: actual, refusal } = await streamed(as, path, headers);
    expect([actual, refusal?.['status']]).toEqual([status, 'fail']);
  });

  test('an invalid credential', async () => {
    expect((await streamed(undefined, '/events/book?apikey=bad')).status).toBe(401);
  });
});

test('a server that sees only its own writes logs it at the start', async () => {
  const { banner, services } = world.dossier;
  const { db } = services.connection;
  const hello = await db?.admin().command({ hello: 1 });
  const hasStreams = hello?.['setName'] !== undefined || hello?.['msg'] === 'isdbgrid';
  expect(banner.filter((line) => line.includes('only its own writes'))).toHaveLength(hasStreams ? 0 : 1);
  expect(banner.filter((line) => line.startsWith('Transactions: '))).toHaveLength(hasStreams ? 0 : 1);
});

test('a server on a database without transactions names them, and what is a 501, at the start', () => {
  const { services } = world.dossier;
  const lines = bannerOf(
    {
      url: 'URL',
      groups: operationGroups,
      incomplete: incompleteAfterCrash({}),
      setupNeeded: false,
      database: 'DATABASE',
      moved: [],
    },
    { ...services, isReplicaSet: false },
  );
  expect(lines.find((line) => line.startsWith('Transactions: '))).toBe(
    'Transactions: this database has none, so POST /batch answers 501 unless its body has "atomic": false, and a crash can leave cascades, /setup/data, the history of documents, what `changed` does and the audit log incomplete',
  );
});

test('HEAD is answered and leaves nothing behind', async () => {
  const { status } = await world.as('ann', 'HEAD', '/events/tag');
  expect(status).toBe(200);
  const { bus, registry } = world.dossier.services;
  expect(bus.wantsBefore(registry.get('tag'))).toBe(false);
});

describe('resuming after a lost connection', () => {
  test('Last-Event-ID, ?since= and the since of a socket send the missed events, then the new ones', async () => {
    const first = await streamed('ann', '/events/note');
    await idOf('ann', { title: 'received' });
    await first.until(1);
    first.close();
    const id = await idOf('ann', { title: 'missed' });
    await world.as('ann', 'PUT', `/api/note/${id}`, { body: { title: 'changed' } });
    await idOf('eve', { title: 'hers' });
    await world.as('ann', 'DELETE', `/api/note/${id}?_permaDelete=1`);
    const last = { 'last-event-id': first.lastId() };
    const [byHeader, byQuery, socket] = [
      await streamed('ann', '/events/note?since=older', last),
      await streamed('ann', `/events/note?since=${first.lastId()}`),
      await connect(world.url, bearer('ann')),
    ];
    expect(await socket.ask('subscribe', { model: 'note', since: first.lastId() })).toMatchObject({ status: 'okay' });
    await idOf('ann', { title: 'live' });
    for (const received of [byHeader, byQuery, socket]) {
      await received.until(3);
      await received.when(() => received.events().some(([, title]) => title === 'live'));
      const events = received.events();
      // the history shows a document in its current state; of a deleted one it contains the deletion only
      expect(events.filter(([event]) => event === 'del').length).toBeGreaterThanOrEqual(1);
      expect(events.at(-1)).toEqual(['post', 'live']);
      expect(events.flat()).not.toContain('received');
      expect(events.flat()).not.toContain('hers');
    }
    socket.socket.terminate();
  });

  test.each([['nonsense'], ['']])('a socket cannot resume from %j', async (since) => {
    const socket = await connect(world.url, bearer('ann'));
    expect(await socket.ask('subscribe', { model: 'note', since })).toMatchObject({
      status: 'error',
      message: expect.stringMatching('must be the position of an event'),
    });
    expect(await socket.ask('subscribe', { model: 'note', since: 5 })).toMatchObject({ status: 'error' });
    socket.socket.terminate();
  });

  test('during writes of others, no event is lost or sent twice', async () => {
    const many = 60;
    const titles: string[] = [];
    let [last, writing] = ['', true];
    const writer = (async () => {
      for (let at = 0; at < many; at++) await idOf('ann', { title: `t${at}`, status: 'done' });
      writing = false;
    })();
    // the first stream may begin after some of the writes
    const isLast = (title: unknown): boolean => title === `t${many - 1}`;
    for (let round = 0; writing || !isLast(titles.at(-1)); round++) {
      const stream = await streamed(
        'ann',
        '/events/note?filter[status]=done',
        last === '' ? {} : { 'last-event-id': last },
      );
      expect(stream.status).toBe(200);
      if (round === 0) await stream.when(() => stream.lastId() !== '');
      else await stream.when(() => stream.received.length >= 5 || isLast(stream.events().at(-1)?.[1]));
      stream.close();
      await later(round % 3);
      titles.push(...stream.events().map(([, title]) => String(title)));
      last = stream.lastId();
    }
    await writer;
    const from = Number(titles[0]?.slice(1));
    expect(titles).toEqual(Array.from({ length: many - from }, (_, at) => `t${from + at}`));
  });
});

describe('how a stream ends', () => {
  test('with the session of the user who opened it', async () => {
    const { body } = await world.send('POST', '/login', { body: { email: 'eve@x.test', password: 'pw-eve-1' } });
    const own = { authorization: `Bearer ${String(body['token'])}` };
    const stream = await streamed(undefined, '/events/note', own);
    expect(stream.status).toBe(200);
    await world.get('/logout', { headers: own });
    expect(await stream.ended()).toBe('closed');
  });

  test('with a client that does not read', async () => {
    const slow = new AbortController();
    const response = await fetch(`${world.url}/events/note?filter[status]=open`, {
      headers: bearer('ann'),
      signal: slow.signal,
    });
    const { bus, registry } = world.dossier.services;
    expect(bus.wantsBefore(registry.get('note'))).toBe(true);
    const documents = Array.from({ length: 8 }, () => ({
      insertOne: { document: { title: 'flood', status: 'open', meta: 'x'.repeat(100_000) } },
    }));
    shorten(maxFullMs, 10);
    // up to 48 MB: the buffers of the operating system take 10 MB and more
    for (let round = 0; round < 60 && bus.wantsBefore(registry.get('note')); round++)
      await world.as('ann', 'POST', '/bulkwrite/note', { body: documents });
    await until(() => !bus.wantsBefore(registry.get('note')));
    jest.restoreAllMocks();
    await expect(response.text()).rejects.toThrow();
  });
});

test('a user has at most 100 streams at once', async () => {
  const all = await Promise.all(Array.from({ length: 101 }, () => streamed('ann', '/events/book')));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(all.find(({ status }) => status !== 200)?.refusal).toMatchObject({ message: 'Too many' });
  expect((await streamed('root', '/events/book')).status).toBe(200);
});
