/** Limits on connections by address and by user, and the closing of connections that do not answer. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { jest } from '@jest/globals';
import type { ServerOptions } from '../../src/server.ts';
import { connect, type Connection } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { basic, jwtOf } from '../support/fixtures/people.ts';
import { openWriting, type Person, type World } from '../support/fixtures/writing/index.ts';
import { withoutTimersFrom } from '../support/waiting.ts';

const worlds: World[] = [];
const opened = async (options: ServerOptions): Promise<World> => {
  const world = await openWriting(options);
  worlds.push(world);
  return world;
};
afterAll(async () => {
  for (const world of worlds) await world.close();
});

const bearer = (world: World, as: Person) => world.callers[as].headers;
const socketOf = (world: World, as?: Person): Promise<Connection> =>
  connect(world.url, as === undefined ? {} : bearer(world, as));

/** Requests an upgrade without a WebSocket library. @returns the answer, or the raw connection */
function upgrade(world: World, headers: Readonly<Record<string, string>> = {}, query = '') {
  const asked = request(`${world.url}/websocket${query}`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...headers,
    },
  }).end();
  return new Promise<{ status: number; retryAfter: string | undefined; socket: Socket }>((done) => {
    const answered = (response: IncomingMessage): void =>
      done({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        socket: response.socket,
      });
    asked.on('response', answered);
    asked.on('upgrade', answered);
  });
}

test('upgrades and requests are throttled together, refused ones included', async () => {
  const world = await opened({ throttle: { enabled: true, max: 12, window_ms: 600_000 } });
  const answers = [];
  for (let at = 0; at < 13; at++) answers.push(await upgrade(world, { origin: 'x', authorization: 'Bearer wrong' }));
  const [last] = answers.slice(-1);
  expect(last?.status).toBe(429);
  expect(Number(last?.retryAfter)).toBeGreaterThan(0);
  expect((await world.send('GET', '/api/book')).status).toBe(429);
});

test('the sockets and streams of an address are limited, and one that ends makes room for another', async () => {
  const world = await opened({ websocket: { max_per_address: 2 } });
  const socket = await socketOf(world);
  const stream = await listen(`${world.url}/events/book`);
  expect(await upgrade(world)).toMatchObject({ status: 429, retryAfter: expect.any(String) });
  expect((await listen(`${world.url}/events/book`)).status).toBe(429);
  socket.socket.close();
  await socket.closed();
  const again = await socketOf(world, 'ann');
  stream.close();
  again.socket.terminate();
});

test('the sockets and streams of a user are limited together, and one that signs in as another makes room', async () => {
  const world = await opened({ websocket: { max_per_user: 2 } });
  const [first, anonymous] = [await socketOf(world, 'ann'), await socketOf(world)];
  const stream = await listen(`${world.url}/events/note`, bearer(world, 'ann'));
  expect(await upgrade(world, bearer(world, 'ann'))).toMatchObject({ status: 429, retryAfter: expect.any(String) });
  expect((await listen(`${world.url}/events/note`, bearer(world, 'ann'))).status).toBe(429);
  const refused = await anonymous.ask('auth', { token: world.callers.ann.token });
  expect(refused).toMatchObject({ status: 'error', message: expect.stringContaining('at most 2') });
  expect(await anonymous.ask('auth', { token: world.callers.eve.token })).toMatchObject({ status: 'okay' });
  expect(await first.ask('auth', { token: world.callers.eve.token })).toMatchObject({ status: 'okay' });
  expect(await (await socketOf(world, 'ann')).ask('ping')).toMatchObject({ status: 'okay' });
  stream.close();
});

test('a user who is at the limit is refused by every way to sign in', async () => {
  const world = await opened({ websocket: { max_per_user: 1 } });
  const { ann } = world.callers;
  const jwt = await jwtOf(world, ann);
  const made = await world.as('ann', 'POST', '/login/ticket');
  await socketOf(world, 'ann');
  const answers: string[] = [];
  for (const [name, query, headers] of [
    ['bearer', '', ann.headers],
    ['basic', '', basic(ann.email, ann.password)],
    ['API key in a header', '', { 'x-api-key': ann.apikey }],
    ['API key in the address', `?apikey=${ann.apikey}`, {}],
    ['JWT in the address', `?jwt=${jwt}`, {}],
    ['ticket', `?ticket=${String(made.body['ticket'])}`, {}],
  ] as const)
    answers.push(`${name}: ${(await upgrade(world, headers, query)).status}`);
  expect(answers).toEqual(answers.map((answer) => answer.replace(/\d+$/, '429')));
});

test('a socket that does not answer a close frame is terminated', async () => {
  const world = await opened({});
  const { status, socket } = await upgrade(world);
  expect(status).toBe(101);
  // ws alone terminates it after half a minute: here it never does
  withoutTimersFrom(30_000);
  socket.resume();
  // a masked binary frame, which is answered with 1003
  socket.write(Buffer.from([0x82, 0x80, 0, 0, 0, 0]));
  await once(socket, 'close');
  jest.restoreAllMocks();
});
