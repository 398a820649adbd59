/** Hostile clients of the WebSocket (docs/threats.md, "WebSocket and event streams"). */
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import WebSocket from 'ws';
import { maxFullMs } from '../../src/features/events/subscriptions/backpressure.ts';
import { bare, sendBytes } from '../support/bare.ts';
import { connect, type Connection } from '../support/connection.ts';
import type { Person } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { startServer } from '../support/server.ts';
import { shorten, until } from '../support/waiting.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const open: Connection[] = [];
afterEach(() => open.splice(0).forEach(({ socket }) => socket.terminate()));
const connected = async (person?: Person): Promise<Connection> => {
  const connection = await connect(world.url, person === undefined ? {} : world.callers[person].headers);
  open.push(connection);
  return connection;
};
const id = (name: string): string => world.ids[name] ?? '';
/** A write whose event arrives after all earlier ones, so that the absence of earlier ones is proof. */
const markedBy = async (connection: Connection, person: Person, model: string): Promise<void> => {
  await connection.ask('subscribe', { model });
  const { document } = await world.as(person, 'POST', `/api/${model}`, { body: { title: 'mark' } });
  await connection.when(() => connection.events().some(([, title]) => title === 'mark' || title === document['_id']));
};

test('a subscription needs a login', async () => {
  const socket = await connected();
  const tries = async (): Promise<void> => {
    for (const model of ['note', 'book', 'ledger'])
      expect(await socket.ask('subscribe', { model })).toMatchObject({ status: 'error' });
  };
  await tries();
  const failing = socket.ask('auth', { email: 'ann@x.test', password: 'wrong' });
  await tries();
  expect(await failing).toMatchObject({ status: 'error' });
  await tries();
  await world.as('ann', 'POST', '/api/note', { body: { title: 'quiet' } });
  await world.as('root', 'POST', '/api/ledger', { body: { amount: 1 } });
  await socket.ask('ping');
  expect(socket.events()).toEqual([]);
});

test('no event contains a password-named path, whatever the write', async () => {
  const root = await connected('root');
  for (const model of ['note', 'user', 'book', 'author']) await root.ask('subscribe', { model });
  const secret = { password: 'CANARY-PW-9' };
  const as = (person: Person, request: string, body?: unknown) =>
    world.as(person, request.split(' ')[0] ?? '', request.split(' ')[1] ?? '', body === undefined ? {} : { body });
  await as('ann', 'PUT /api/note/{annNote}', { login: secret, meta: { deep: [secret] } });
  await as('ann', 'PUT /update/note/{annNote}', { logins: [{ site: 's', ...secret }] });
  await as('ann', 'POST /bulkwrite/note', [{ insertOne: { document: { title: 'b', login: secret } } }]);
  await as('ann', 'POST /bulkwrite/note', [
    { updateOne: { filter: { title: 'b' }, update: { $set: { 'login.password': 'CANARY-PW-9' } } } },
  ]);
  await as('root', 'PUT /api/user/{bob}', { password: 'CANARY-PW-9' });
  await as('root', 'DELETE /api/author/{author}');
  await as('root', 'PUT /api/author/{author}', { _deleted: false, ...secret });
  await as('root', 'POST /setup/data', { notes: [{ title: 'c', login: secret }] });
  await root.until(7);
  const text = JSON.stringify(root.received);
  expect(text).not.toMatch(/CANARY-PW|\$2[aby]\$|password/i);
  for (const { data } of root.received.filter((message) => message['data'] !== undefined))
    expect(Object.keys(data).sort()).toEqual(expect.arrayContaining(['event', 'item', 'modelname', 'user_id']));
});

describe('a subscription to what the caller may not read', () => {
  test.each([{ amount: 'abc' }, { nosuch: 1 }, { _id: 'x' }])(
    'a filter of %j reveals nothing about its fields',
    async (filter) => {
      const eve = await connected('eve');
      const { status, message } = await eve.ask('subscribe', { model: 'ledger', filter });
      expect({ status, message }).toEqual({
        status: 'error',
        message: expect.stringContaining('you may not read ledger'),
      });
    },
  );

  test.each<[object, 'error' | 'silence']>([
    [{ model: 'ledger' }, 'error'],
    [{ model: 'tokens' }, 'error'],
    [{ model: 'apikey' }, 'error'],
    [{ model: '_session' }, 'error'],
    [{ model: 'constructor' }, 'error'],
    [{ model: 'user', id: '{root}' }, 'silence'],
    [{ model: 'note', id: '{annNote}' }, 'silence'],
    [{ model: 'note', id: '64b64b64b64b64b64b64b64b' }, 'silence'],
    [{ model: 'note', id: { $ne: null } }, 'error'],
    [{ model: 'note', id: ['{annNote}'] }, 'error'],
    [{ model: 'note', id: 'x' }, 'error'],
  ])('%j ends in %s', async (data, outcome) => {
    const eve = await connected('eve');
    const filled = JSON.parse(JSON.stringify(data).replace(/\{(\w+)\}/g, (_, name: string) => id(name))) as object;
    const { status } = await eve.ask('subscribe', filled);
    if (outcome === 'error') expect(status).toBe('error');
    await world.as('ann', 'PUT', '/api/note/{annNote}', { body: { title: 'for nobody else' } });
    await world.as('root', 'PUT', '/api/user/{root}', { body: { name: 'Root' } });
    await markedBy(eve, 'eve', 'wiki');
    expect(eve.events().map(([, title]) => title)).toEqual(['mark']);
  });
});

describe('a filter on a field that is missing', () => {
  test.each<[object, readonly string[]]>([
    [{ 'meta.nosuch': 'x' }, []],
    [{ 'meta.a.b.c': 1 }, ['deep']],
    [{ count: null }, ['deep', 'plain']],
    [{ count: { $exists: true } }, ['counted']],
    [{ meta: null }, ['counted', 'plain']],
  ])('%j selects what a query selects', async (filter, titles) => {
    const eve = await connected('eve');
    expect(await eve.ask('subscribe', { model: 'wiki', filter })).toMatchObject({ status: 'okay' });
    const bodies = [
      { title: 'deep', meta: { a: { b: { c: 1 } } } },
      { title: 'counted', count: 1 },
      { title: 'plain' },
    ];
    const made = [];
    for (const body of bodies)
      made.push(String((await world.as('eve', 'POST', '/api/wiki', { body })).document['_id']));
    const query = { $and: [filter, { _id: { $in: made } }] };
    const { rows } = await world.as('eve', 'POST', '/query/wiki', { body: { query } });
    await eve.ask('unsubscribe', { model: 'wiki' });
    await markedBy(eve, 'eve', 'wiki');
    const received = eve.events().flatMap(([, title]) => (title === 'mark' ? [] : [title]));
    expect(received.sort()).toEqual([...titles]);
    expect(rows.map(({ title }) => title).sort()).toEqual([...titles]);
  });
});

test('a filter on a name that the schema lacks is an error, as in a query', async () => {
  const eve = await connected('eve');
  expect(await eve.ask('subscribe', { model: 'wiki', filter: { nosuch: 'x' } })).toMatchObject({ status: 'error' });
  expect((await world.as('eve', 'POST', '/query/wiki', { body: { query: { nosuch: 'x' } } })).status).toBe(400);
});

test('bytes that are not text close their socket, and nothing else', async () => {
  const bad = await connected();
  const mask = Buffer.from([0, 0, 0, 0]);
  const raw = (bad.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket;
  raw.write(Buffer.concat([Buffer.from([0x81, 0x82]), mask, Buffer.from([0xff, 0xfe])]));
  expect(await bad.closed()).toBe(1007);
  const binary = await connected();
  binary.socket.send(Buffer.from('{}'));
  expect(await binary.closed()).toBe(1003);
  const deep = await connected();
  deep.socket.send('{"action":"ping","msg_id":1,"data":'.padEnd(20_000, '[').padEnd(40_000, ']') + '}');
  expect(await deep.ask('ping')).toMatchObject({ status: 'okay' });
  expect((await world.get('/health')).status).toBe(200);
});

test('nothing remains of disconnected clients', async () => {
  const listeners = (): number => process.getActiveResourcesInfo().length;
  const before = listeners();
  // more connections than the fifty resources that others may open meanwhile
  for (let round = 0; round < 4; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(world.url, world.callers.ann.headers)));
    for (const socket of sockets)
      for (const model of ['note', 'wiki', 'book']) await socket.ask('subscribe', { model });
    for (const { socket } of sockets) socket.terminate();
  }
  const { bus, registry } = world.dossier.services;
  const wiki = registry.get('wiki');
  // no subscriber that needs before-images remains on the bus
  await until(() => wiki !== undefined && !bus.wantsBefore(wiki) && listeners() <= before + 50);
});

test('a client that does not read is disconnected, and the others receive everything', async () => {
  const [slow, ann] = [await connected('eve'), await connected('ann')];
  for (const socket of [slow, ann]) await socket.ask('subscribe', { model: 'wiki', filter: { status: 'old' } });
  const raw = (slow.socket as unknown as { _socket: { pause(): void; resume(): void } })._socket;
  raw.pause();
  // not the time within which the client must answer the close frame, which it receives after all else
  shorten(maxFullMs, 4, maxFullMs);
  const perRound = 8;
  let sent = 0;
  const flood = async (): Promise<void> => {
    const documents = Array.from({ length: perRound }, () => ({
      insertOne: { document: { title: 'flood', status: 'old', meta: 'x'.repeat(100_000) } },
    }));
    const { status } = await world.as('eve', 'POST', '/bulkwrite/wiki', { body: documents });
    expect(status).toBe(200);
    sent += perRound;
  };
  for (let round = 0; round < 15; round++) await flood();
  await ann.until(sent);
  await ann.ask('unsubscribe', { model: 'wiki' });
  const { bus, registry } = world.dossier.services;
  await until(async () => {
    if (!bus.wantsBefore(registry.get('wiki'))) return true;
    // how much a connection holds before it is full is decided by the system
    await flood();
    await later(100);
    return false;
  });
  jest.restoreAllMocks();
  raw.resume();
  expect(await slow.closed()).toBe(1013);
  expect(slow.events().length).toBeLessThan(sent);
});

describe('From a foreign page', () => {
  test('only listed origins and programs connect', async () => {
    const server = await startServer({ cors: { origins: ['https://app.example'] } });
    const upgraded = (origin?: string): Promise<number> =>
      new Promise((done) => {
        const socket = new WebSocket(
          `${server.url.replace('http', 'ws')}/websocket`,
          origin === undefined ? {} : { origin },
        );
        socket.on('unexpected-response', (_request, { statusCode }) => done(statusCode ?? 0));
        socket.on('error', () => undefined);
        socket.on('open', () => {
          socket.terminate();
          done(101);
        });
      });
    for (const origin of ['https://evil.example', 'https://app.example.evil.com', 'null', 'http://app.example'])
      expect([origin, await upgraded(origin)]).toEqual([origin, 403]);
    for (const origin of [undefined, 'https://app.example'])
      expect([origin, await upgraded(origin)]).toEqual([origin, 101]);
    await server.close();
  });
});

describe('Malformed upgrades', () => {
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const asked = ['Connection: Upgrade', 'Upgrade: websocket'];
  test.each<[string, string, readonly string[], readonly number[]]>([
    ['another version', '/websocket', [...asked, key, 'Sec-WebSocket-Version: 99'], [400, 426]],
    ['no key', '/websocket', [...asked, 'Sec-WebSocket-Version: 13'], [400]],
    ['an invalid key', '/websocket', [...asked, 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'], [400]],
    ['dots', '/websocket/../x', [...asked, key, 'Sec-WebSocket-Version: 13'], [400, 404]],
    ['no upgrade', '/websocket', [], [400, 404, 426]],
  ])('%s', async (_name, path, headers, statuses) => {
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      ...(headers.length === 0 ? ['Connection: close'] : headers),
      '',
      '',
    ];
    const answer = await sendBytes(world.url, lines.join('\r\n'));
    expect(statuses).toContain(answer.status);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'fail', err: expect.any(String) });
  });

  test('a frame without its mask closes with 1002', async () => {
    const socket = await connected();
    const raw = (socket.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket;
    raw.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
    expect(await socket.closed()).toBe(1002);
    expect((await bare(world.url, 'GET', '/health')).status).toBe(200);
  });
});

test('a deletion is sent to subscribers that could read the document, with its id only', async () => {
  const made = async (title: string): Promise<string> =>
    String((await world.as('ann', 'POST', '/api/wiki', { body: { title } })).document['_id']);
  const [inside, outside, gone] = [await made('x'), await made('y'), await made('x')];
  const eve = await connected('eve');
  await eve.ask('subscribe', { model: 'wiki', filter: { title: 'x' } });
  for (const one of [inside, outside]) {
    await world.as('root', 'DELETE', `/api/wiki/${one}`);
    await world.as('root', 'PUT', `/api/wiki/${one}`, { body: { _deleted: false } });
    await world.as('root', 'DELETE', `/api/wiki/${one}?_permaDelete=1`);
  }
  await world.as('root', 'DELETE', `/api/wiki/${gone}?_cascade=1`);
  await eve.until(4);
  await eve.ask('ping');
  expect(eve.events()).toEqual([
    ['del', inside],
    ['post', 'x'],
    ['del', inside],
    ['del', gone],
  ]);
  for (const { data } of eve.received.filter((message) => message['data']?.event === 'del'))
    expect(Object.keys(data.item).sort()).toEqual(['_id', 'id']);
});

test('no log line contains an API key from the URL of the upgrade', async () => {
  const { apikey: key } = world.callers.ann;
  const before = world.log.length;
  for (const name of ['apikey', 'api%6bey']) {
    const socket = await connect(world.url, {}, `?${name}=${key}`);
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
    socket.socket.terminate();
  }
  await expect(connect(world.url, {}, '?apikey=dk_bad')).rejects.toThrow(/401/);
  await world.get('/health');
  expect(world.log.slice(before).join('\n')).not.toContain(key);
});
