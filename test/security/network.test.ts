/** Malformed HTTP, slow and idle connections, and floods of requests (docs/threats.md, "Resource exhaustion"). */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import { httpLimits, serveHttp } from '../../src/http/server.ts';
import { sendBytes } from '../support/bare.ts';
import { send } from '../support/client.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

/** Other callers are answered in the meantime. */
async function answered(url = world.url): Promise<void> {
  expect((await send('GET', `${url}/health`)).status).toBe(200);
}

const opened = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};
const connectionsOf = (http: Server): Promise<number> =>
  new Promise((done, failed) => http.getConnections((error, count) => (error ? failed(error) : done(count))));
const closed = (socket: Socket): Promise<unknown> => (socket.closed ? Promise.resolve() : once(socket, 'close'));

describe('Ambiguous requests', () => {
  const hidden = 'GET /api/book?limit=1&sort=hidden-request HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = (headers: string, body: string): string =>
    `POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
  test.each([
    ['Content-Length and chunked', post('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
    ['chunked and Content-Length', post('Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${hidden}`)],
    ['two different lengths', post('Content-Length: 0\r\nContent-Length: 70', hidden)],
    ['two equal lengths', post('Content-Length: 2\r\nContent-Length: 2', '{}')],
    ['a plus', post('Content-Length: +2', '{}')],
    ['a list', post('Content-Length: 2, 2', '{}')],
    ['minus one', post('Content-Length: -1', hidden)],
    ['hexadecimal', post('Content-Length: 0x2', '{}')],
    ['an unknown transfer encoding', post('Transfer-Encoding: xchunked', hidden)],
    ['chunked before another encoding', post('Transfer-Encoding: chunked, gzip', `0\r\n\r\n${hidden}`)],
    ['another encoding before chunked', post('Transfer-Encoding: gzip, chunked', '2\r\n{}\r\n0\r\n\r\n')],
    ['chunks in HTTP/1.0', post('Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n').replace('/1.1', '/1.0')],
    ['a bad chunk size', post('Transfer-Encoding: chunked', `zz\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ['bare line feeds', 'POST /login HTTP/1.1\nHost: x\nContent-Length: 0\n\n' + hidden],
    ['a space before the colon', post('Content-Length : 70', hidden)],
    ['a folded header', post('X-A: b\r\n Content-Length: 70', hidden)],
  ])('%s', async (_name, bytes) => {
    const before = world.log.length;
    const answer = await sendBytes(world.url, bytes);
    expect(answer.status).toBe(400);
    expect(answer.head).toMatch(/^connection: close/im);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'fail' });
    expect(world.log.slice(before).join('')).not.toContain('/api/book');
  });
});

describe('Bytes that are not HTTP', () => {
  test.each([
    ['HTTP/0.9', 'GET / HTTP/0.9\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex')],
    ['MongoDB', Buffer.from('3a000000010000000000000004d40000', 'hex')],
  ])('%s', async (_name, bytes) => {
    const { status } = await sendBytes(world.url, bytes);
    expect([0, 400, 505]).toContain(status);
  });

  test.each([
    ['no Host', ''],
    ['two Hosts', 'Host: a\r\nHost: b\r\n'],
  ])('%s is a 400 with the envelope of a failure', async (_name, hosts) => {
    const answer = await sendBytes(world.url, `GET /health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { status: 'fail' }]);
  });

  test('HTTP/1.0 needs no Host', async () => {
    expect((await sendBytes(world.url, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test('half a request, then nothing', async () => {
    const socket = await opened(world.url);
    socket.end(
      'POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email"',
    );
    socket.resume();
    await closed(socket);
    await answered();
  });

  test('500 strings of random bytes', async () => {
    const before = world.log.length;
    let seed = 20_261_121;
    const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    const bytes = (): Buffer =>
      Buffer.from(Array.from({ length: 1 + Math.floor(random() * 60) }, () => random() * 256));
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const socket = await opened(world.url);
          socket.resume().end(bytes());
          await closed(socket);
        }),
      );
    await answered();
    const levels = world.log.slice(before).map((line) => (JSON.parse(line) as { level: unknown }).level);
    expect(levels.filter((level) => level === 'error' || level === 'fatal' || Number(level) > 40)).toEqual([]);
  });
});

test('a connection with a refused upgrade or CONNECT is closed, even if the client keeps its side open', async () => {
  const server = await startServer();
  const { hostname, port } = new URL(server.url);
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const requests = [`GET /nope HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'];
  const sockets = requests.map((text) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(text);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'end')));
  await until(async () => (await connectionsOf(server.dossier.http)) === 0);
  for (const socket of sockets) socket.destroy();
  await server.close();
});

describe('Expectations, upgrades and pipelining', () => {
  test('with Expect: 100-continue, a body over the limit is a 413 without a 100 before it, and an unknown path a 404', async () => {
    for (const [path, length, status] of [
      ['/api/wiki', 20_000_000, 413],
      ['/nosuch', 2, 404],
    ] as const) {
      const answer = await sendBytes(
        world.url,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n${length === 2 ? '{}' : ''}`,
      );
      const begun = [answer.head, answer.text].map((text) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
      expect([path, ...begun]).toEqual([path, ...(status === 413 ? ['413', undefined] : ['100', '404'])]);
    }
  });

  test('an unknown expectation is 417', async () => {
    const answer = await sendBytes(
      world.url,
      'POST /login HTTP/1.1\r\nHost: x\r\nExpect: x\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(answer.status).toBe(417);
  });

  test('a request that offers h2c is answered as an ordinary one, with its body', async () => {
    const offer =
      'Host: x\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    expect((await sendBytes(world.url, `GET /health HTTP/1.1\r\n${offer}\r\n`)).status).toBe(200);
    const body = '{"email":"x@x.test","password":"x"}';
    const head = `POST /login HTTP/1.1\r\n${offer}Content-Type: application/json\r\nContent-Length: ${body.length}`;
    const answer = await sendBytes(world.url, `${head}\r\n\r\n${body}`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([401, { status: 'fail' }]);
  });

  test('1,000 pipelined requests on one connection are all answered', async () => {
    const request = (n: number): string =>
      `GET /nosuch-${n} HTTP/1.1\r\nHost: x\r\n${n === 999 ? 'Connection: close\r\n' : ''}\r\n`;
    const all = Array.from({ length: 1000 }, (_, n) => request(n)).join('');
    const [answer] = await Promise.all([sendBytes(world.url, all), answered()]);
    const statuses = (answer.head + answer.text).match(/HTTP\/1\.1 \d+/g) ?? [];
    expect(statuses).toHaveLength(1000);
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 404']));
  });
});

describe('Slow headers, slow bodies, slow readers', () => {
  /** Reduced limits for the same server; `/large` answers with many megabytes. */
  const within = { headers: 300, request: 600, inactivity: 600, idle: 300, checkEvery: 100 };
  const large = Buffer.alloc(32 * 1024 ** 2, 'a');

  async function slowServer(limits = within): Promise<{ url: string; http: Server; close: () => Promise<void> }> {
    const app = express();
    app.get('/large', (_req, res) => void res.send(large));
    app.post('/body', (req, res) => void req.resume().on('end', () => res.send('read')));
    const { http, close } = await serveHttp(app, { port: 0, host: '127.0.0.1' }, limits);
    return { url: `http://127.0.0.1:${(http.address() as { port: number }).port}`, http, close };
  }

  test.each([
    ['headers, a byte at a time', 'GET /large HTTP/1.1\r\nHost: x\r\nX-Slow: ', /^HTTP\/1\.1 408/],
    [
      'a body, a byte at a time',
      'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n',
      /^HTTP\/1\.1 408/,
    ],
    ['nothing at all', '', /^(HTTP\/1\.1 408|$)/],
  ])('%s', async (_name, start, said) => {
    const { url, close } = await slowServer();
    const socket = await opened(url);
    let received = '';
    socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
    socket.write(start);
    const drip = setInterval(() => start !== '' && socket.write('a'), 50);
    await closed(socket);
    clearInterval(drip);
    expect(received.slice(0, 40)).toMatch(said);
    await close();
  });

  test('an answer that the client does not read is cut off', async () => {
    const { url, http, close } = await slowServer();
    const socket = await opened(url);
    socket.pause();
    const began = once(http, 'request');
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await began;
    // the server closes the connection; reading the rest shows that the answer was cut off
    await until(async () => (await connectionsOf(http)) === 0);
    let length = 0;
    socket.on('data', (piece: Buffer) => (length += piece.length)).resume();
    await closed(socket);
    expect(length).toBeLessThan(large.length);
    await close();
  });

  test('an idle connection takes another request after the time limits of headers and requests', async () => {
    const limits = { ...within, headers: 100, request: 200, idle: 60_000, checkEvery: 20 };
    const { url, http, close } = await slowServer(limits);
    const socket = await opened(url);
    const ask = async (): Promise<string> => {
      socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
      return String((await once(socket, 'data'))[0]);
    };
    expect(await ask()).toMatch(/^HTTP\/1\.1 200[^]*keep-alive: timeout=60\r\n/i);
    // the server checks its connections in this interval: one that sends no request is closed in the meantime
    const other = await opened(url);
    await closed(other.resume());
    expect(await ask()).toMatch(/^HTTP\/1\.1 200/);
    expect(await connectionsOf(http)).toBe(1);
    socket.destroy();
    await close();
  });

  test.each([
    [undefined, 72_000],
    ['7', 7000],
  ])('KEEP_ALIVE_TIMEOUT %s', async (seconds, milliseconds) => {
    const environment = seconds === undefined ? {} : { KEEP_ALIVE_TIMEOUT: seconds };
    const server = await startServer({ environment });
    expect(server.dossier.http.keepAliveTimeout).toBe(milliseconds);
    await server.close();
  });

  test('the limits are those of the documentation', () => {
    expect(httpLimits).toEqual({ headers: 10_000, request: 30_000, inactivity: 35_000, checkEvery: 2000 });
  });
});

describe('A flood of logins', () => {
  test('is answered or refused, and other callers are served meanwhile', async () => {
    const logins = Array.from({ length: 100 }, (_, n) =>
      world.post('/login', { email: n % 2 === 0 ? 'ann@x.test' : `no${n}@x.test`, password: 'wrong-password' }),
    );
    await answered();
    for (const { status } of await Promise.all(logins)) expect([401, 429, 503]).toContain(status);
    await answered();
  });
});

describe('A flood of requests', () => {
  const from = (url: string, localAddress: string): Promise<IncomingMessage> =>
    new Promise((done, failed) =>
      httpRequest(url, { localAddress, agent: false }, (answer) => done(answer.resume()))
        .on('error', failed)
        .end(),
    );

  test('is refused above the limit, for one address, until the window ends', async () => {
    const server = await startServer({ throttle: { enabled: true, max: 10, window_ms: 2000 } });
    const statuses: number[] = [];
    for (let n = 0; n < 15; n++) {
      const answer = await from(`${server.url}/model`, '127.0.0.1');
      statuses.push(answer.statusCode ?? 0);
      if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429, 429]);
    expect((await from(`${server.url}/model`, '127.0.0.2')).statusCode).toBe(200);
    await until(async () => (await from(`${server.url}/model`, '127.0.0.1')).statusCode === 200);
    await server.close();
  });
});

describe('Uploads', () => {
  test('a file of 50 MB is refused, and nothing of it is written to the disk', async () => {
    // a folder that no other test writes to
    const temporary = await mkdtemp(join(tmpdir(), 'dossier-uploads-'));
    process.env['TMPDIR'] ??= tmpdir();
    jest.replaceProperty(process.env, 'TMPDIR', temporary);
    const file = Buffer.alloc(50_000_000, 'x');
    const upload = (headers: string): Promise<{ readonly status: number }> => {
      const head = `POST /api/book HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: multipart/form-data; boundary=b\r\nConnection: close\r\nContent-Length: ${file.length}\r\n\r\n`;
      return sendBytes(world.url, Buffer.concat([Buffer.from(head), file]));
    };
    const uploads = [upload(''), upload(`Authorization: Bearer ${world.callers.eve.token}\r\n`)];
    await answered();
    for (const { status } of await Promise.all(uploads)) expect([413, 415]).toContain(status);
    expect(readdirSync(temporary)).toEqual([]);
    jest.restoreAllMocks();
    await rmdir(temporary);
  });
});

describe('Idle connections', () => {
  // more than wait for the server to accept them, which is 511
  test('600 connections that send nothing do not block others', async () => {
    const idle = await Promise.all(Array.from({ length: 600 }, () => opened(world.url)));
    await answered();
    for (const socket of idle) socket.destroy();
  });
});
