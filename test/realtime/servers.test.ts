/** Several servers on one database: each receives the writes of the others, also after a lost connection; and a graceful stop. */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import type { Answer } from '../support/client.ts';
import { connect, type Connection } from '../support/connection.ts';
import { type Line, openLine } from '../support/connection-line.ts';
import { type EventStream, listen } from '../support/event-stream.ts';
import { as, type Callers, makeCallers } from '../support/fixtures/people.ts';
import { models } from '../support/fixtures/writing/index.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { makeCrew, secret } from '../support/workers.ts';

test('origins that are not listed may not connect; a stopping server closes sockets with 1001, and ends streams', async () => {
  const server = await startServer({ models, cors: { origins: ['https://app.example'] } });
  await expect(connect(server.url, { origin: 'https://app.example.evil.com' })).rejects.toThrow('403');
  const socket = await connect(server.url, { origin: 'https://app.example' });
  const stream = await listen(`${server.url}/events/book`);
  await server.close();
  expect([await socket.closed(), await stream.ended()]).toEqual([1001, 'closed']);
});

describe.each(['servers', 'workers'])('two %s on one database', (kind) => {
  let store: OpenStore;
  let line: Line;
  let first: TestServer;
  let second: TestServer;
  let callers: Callers<'root' | 'ann'>;
  const sockets: Connection[] = [];

  const send = (at: TestServer, who: keyof typeof callers, request: string, body?: object): Promise<Answer> => {
    const [method = '', path = ''] = request.split(' ');
    return at.send(method, path, as(callers[who], { body }));
  };
  const subscribed = async (at: TestServer, who: keyof typeof callers, data: object): Promise<Connection> => {
    const socket = await connect(at.url, callers[who].headers);
    sockets.push(socket);
    expect(await socket.ask('subscribe', data)).toMatchObject({ status: 'okay' });
    return socket;
  };
  const make = async (at: TestServer, who: keyof typeof callers, model: string, body: object): Promise<string> =>
    String((await send(at, who, `POST /api/${model}`, body)).document['_id']);

  beforeAll(async () => {
    store = await open({});
    const { address } = store;
    line = await openLine(address.kind === 'socket' ? { path: address.path } : { port: address.port });
    const settings = { shared_secret: secret, models };
    const next = makeCrew();
    const membership = (): StartOptions => (kind === 'workers' ? { membership: next() } : {});
    first = await startServer({ ...settings, mongodb_url: store.url, ...membership() });
    second = await startServer({ ...settings, mongodb_url: line.url, ...membership() });
    callers = await makeCallers(first, ['root', 'ann']);
  });
  afterAll(async () => {
    for (const { socket } of sockets) socket.terminate();
    await Promise.all([first.close(), second.close()]);
    await line.close();
    await store.close();
  });

  test('each sends the writes of both once, in one order, at the same positions', async () => {
    const [here, there] = [
      await subscribed(first, 'root', { model: 'book' }),
      await subscribed(second, 'root', { model: 'book' }),
    ];
    const id = await make(first, 'root', 'book', { title: 'a' });
    await send(second, 'root', `PUT /api/book/${id}`, { title: 'b' });
    await send(first, 'root', `DELETE /api/book/${id}`);
    await make(second, 'root', 'book', { title: 'last' });
    await Promise.all([here.until(4), there.until(4)]);
    for (const socket of [here, there])
      expect(socket.events()).toEqual([
        ['post', 'a'],
        ['put', 'b'],
        ['del', id],
        ['post', 'last'],
      ]);
    const positions = (socket: Connection): unknown[] =>
      socket.received.filter(({ data }) => data !== undefined).map(({ data }) => data.position);
    expect(positions(here)).toEqual(positions(there));
    expect(new Set(positions(here)).size).toBe(4);
  });

  test.each<[string, () => TestServer, 'socket' | 'stream']>([
    ['a socket at the server that answered', () => first, 'socket'],
    ['a socket at another', () => second, 'socket'],
    ['a stream at the server that answered', () => first, 'stream'],
    ['a stream at another', () => second, 'stream'],
  ])(
    '%s receives no change that was answered before it subscribed',
    async (_name, at, kind) => {
      const begun = async (id: string): Promise<Connection | EventStream> =>
        kind === 'socket'
          ? subscribed(at(), 'root', { model: 'book', id })
          : listen(`${at().url}/events/book/${id}`, callers.root.headers);
      for (let round = 0; round < 6; round++) {
        const id = await make(first, 'root', 'book', { title: 'before' });
        const listener = await begun(id);
        await send(first, 'root', `PUT /api/book/${id}`, { title: 'after' });
        await listener.when(() => listener.events().some(([, title]) => title === 'after'));
        expect(listener.events()).toEqual([['put', 'after']]);
        if ('close' in listener) listener.close();
        else listener.socket.terminate();
      }
    },
    180_000,
  );

  test('a document that stops matching or being readable by a write at another server is sent as del with its id only', async () => {
    const there = await subscribed(second, 'ann', { model: 'note', filter: { status: 'open' } });
    const [matching, given, removed] = [
      await make(first, 'ann', 'note', { title: 'm', status: 'open' }),
      await make(first, 'ann', 'note', { title: 'g', status: 'open' }),
      await make(first, 'ann', 'note', { title: 'r', status: 'open' }),
    ];
    const others = await make(first, 'root', 'note', { title: 'not hers', status: 'open' });
    await send(first, 'ann', `PUT /api/note/${matching}`, { status: 'done' });
    await send(first, 'root', `PUT /api/note/${given}`, { title: 'CANARY', _owner_id: '64b64b64b64b64b64b64b64b' });
    await send(first, 'ann', `DELETE /api/note/${removed}?_permaDelete=1`);
    await send(first, 'root', `DELETE /api/note/${others}?_permaDelete=1`);
    await make(first, 'ann', 'note', { title: 'last', status: 'open' });
    await there.when(() => there.events().some(([, title]) => title === 'last'));
    expect(there.events()).toEqual([
      ['post', 'm'],
      ['post', 'g'],
      ['post', 'r'],
      ['del', matching],
      ['del', given],
      ['del', removed],
      ['post', 'last'],
    ]);
    expect(JSON.stringify(there.received)).not.toContain('CANARY');
  });

  test('a position of one server is valid at the other', async () => {
    const stream = await listen(`${first.url}/events/book`, callers.root.headers);
    await make(second, 'root', 'book', { title: 'one' });
    await stream.until(1);
    stream.close();
    await make(first, 'root', 'book', { title: 'two' });
    const socket = await subscribed(second, 'root', { model: 'book', since: stream.lastId() });
    await make(first, 'root', 'book', { title: 'three' });
    await socket.until(2);
    expect(socket.events()).toEqual([
      ['post', 'two'],
      ['post', 'three'],
    ]);
  });

  test.each([
    ['for a moment', 0],
    ['for longer than the driver tries', 2500],
  ])(
    'changes during a loss of the connection of one %s are sent after it, each once',
    async (_name, milliseconds) => {
      const there = await subscribed(second, 'root', { model: 'book' });
      await make(first, 'root', 'book', { title: 'before' });
      await there.until(1);
      line.cut();
      const cutAt = Date.now();
      for (let at = 0; at < 20; at++) await make(first, 'root', 'book', { title: `t${at}` });
      // in the driver's time, not as fast as the server can
      while (Date.now() - cutAt < milliseconds) {
        await make(first, 'root', 'tag', { label: 'meanwhile' });
        await later(100);
      }
      await line.restore();
      await make(first, 'root', 'book', { title: 'after' });
      await there.until(22);
      expect(there.events().map(([, title]) => title)).toEqual([
        'before',
        ...Array.from({ length: 20 }, (_, at) => `t${at}`),
        'after',
      ]);
    },
    180_000,
  );
});
