/** Clients that end their side of a connection right after their request, as TCP and HTTP let them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let release: () => void = () => undefined;
beforeAll(async () => {
  server = await startServer({
    models: {
      film: ({ Schema }) => new Schema({ title: String }, { perms: { all: 'cr' } }),
      slow: ({ Schema }) => new Schema({ title: String }, { perms: { all: 'r' } }),
    },
    pre_hooks: {
      get: (req, _res, next) => {
        if (req.path.startsWith('/api/slow')) release = next;
        else next();
      },
    },
  });
});

/** Sends bytes, and with them the end of the client's side. */
function sent(bytes: string): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(bytes);
  return socket;
}

const requestOf = (line: string, body?: string): string =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body ?? '',
  ].join('\r\n');

const statusesIn = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));

test.each([
  ['a list', requestOf('GET /api/film'), [200]],
  ['a health check', requestOf('GET /health'), [200]],
  ['a HEAD', requestOf('HEAD /api/film'), [200]],
  ['a write', requestOf('POST /api/film', '{"title":"A"}'), [201]],
  ['a refusal', requestOf('GET /api/none'), [404]],
  ['an export', requestOf('GET /csv/film'), [200]],
  ['two requests at once', requestOf('GET /api/film') + requestOf('GET /count/film'), [200, 200]],
  ['half a request', requestOf('GET /api/film').slice(0, -2), [400]],
])('%s is answered, and the connection closed', async (_, bytes, statuses) => {
  expect(statusesIn(await text(sent(bytes)))).toEqual(statuses);
});

test('an answer that is made after the end of the client is sent', async () => {
  const socket = sent(requestOf('GET /api/slow'));
  await once(socket, 'finish');
  await server.get('/health');
  release();
  expect(statusesIn(await text(socket))).toEqual([200]);
});

test('a stream of events ends with its reader', async () => {
  await text(sent(requestOf('GET /events/film')));
});
