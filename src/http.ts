/** The HTTP server: its time limits, answers to what is no HTTP, and an orderly end. */
import { createServer, IncomingMessage, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import type { Express } from 'express';
import { badRequest, expectationFailed, headersTooLarge, requestTimeout, wrongMethod, type Failure } from './errors.ts';
import { envelope } from './middleware/failure.ts';
import type { Settings } from './settings/types.ts';

/** Milliseconds. */
export interface HttpLimits {
  /** In which the headers of a request have to be there. */
  readonly headers: number;
  /** In which a whole request has to be there. */
  readonly request: number;
  /** In which something has to move on a connection that is in use: an answer that nobody reads ends. */
  readonly silence: number;
  /** In which the next request of a connection has to begin. */
  readonly idle: number;
  readonly checkEvery: number;
}

export const httpLimits: HttpLimits = {
  headers: 10_000,
  request: 30_000,
  silence: 35_000,
  idle: 5000,
  checkEvery: 2000,
};
const largestHeaders = 16_384;
/** Milliseconds in which somebody who was refused may read why. */
const lingering = 1000;
/** Milliseconds that requests under way get when the server stops. */
const patience = 10_000;
/** Milliseconds that a connection gets to send its first request then. */
const patienceWithSilence = 1000;
/** Milliseconds without a new connection, after which nobody waits to be accepted; and the most that is waited for that. */
const settling = 20;
const longestSettling = 500;

const offered = Symbol('offered');

/** A request that offers another protocol than WebSocket (h2c, say) is answered as if it did not (RFC 9110, 7.8). */
class Incoming extends IncomingMessage {
  [offered]?: boolean;
  get upgrade(): boolean {
    return this[offered] === true && (this.method === 'CONNECT' || isWebSocket(this.headers.upgrade));
  }
  set upgrade(value: boolean) {
    this[offered] = value;
  }
}

const isWebSocket = (upgrade: string | undefined): boolean => upgrade?.trim().toLowerCase() === 'websocket';

export interface HttpServer {
  readonly http: Server;
  readonly close: () => Promise<void>;
}

export async function serveHttp(
  app: Express,
  settings: Pick<Settings, 'port' | 'host'>,
  limits: HttpLimits = httpLimits,
): Promise<HttpServer> {
  const http = createServer(
    {
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      keepAliveTimeout: limits.idle,
      connectionsCheckingInterval: limits.checkEvery,
      maxHeaderSize: largestHeaders,
      // told by `middleware/well-formed`, in the words of every failure
      requireHostHeader: false,
      IncomingMessage: Incoming,
    },
    app,
  );
  const traffic = watchTraffic(http);
  http.timeout = limits.silence;
  http.on('clientError', refuse);
  http.on('connect', (_req, socket) =>
    refuseSocket(socket, wrongMethod('CONNECT', ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])),
  );
  http.on('checkExpectation', (_req, res) => {
    const failure = expectationFailed();
    res
      .writeHead(417, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
      .end(envelope(failure, ''));
  });
  await new Promise<void>((done, failed) => {
    http.once('error', failed);
    http.listen(settings.port, settings.host, () => {
      http.off('error', failed);
      done();
    });
  });
  return { http, close: () => close(http, traffic) };
}

/** What the parser could not take. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'HPE_HEADER_OVERFLOW') refuseSocket(socket, headersTooLarge());
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseSocket(socket, requestTimeout());
  else refuseSocket(socket, badRequest('this is no well-formed HTTP request'));
}

/** Answers on a bare socket and closes it. */
export function refuseSocket(socket: Duplex, failure: Failure): void {
  if (!socket.writable || socket.destroyed) return void socket.destroy();
  const body = envelope(failure, '');
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...failure.headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Node takes its time limits off connections that asked for another protocol, and the other side may never close its own
  socket.resume();
  setTimeout(() => socket.destroy(), lingering).unref();
}

/** Stops accepting; idle connections are closed at once, the others when their answer is out or the patience ends. */
async function close(http: Server, traffic: Traffic): Promise<void> {
  // a connection that always has a next request would never be idle
  http.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  await traffic.settled();
  await new Promise<void>((done) => {
    const late = setTimeout(() => http.closeAllConnections(), patience);
    const silent = setTimeout(() => traffic.closeSilent(), patienceWithSilence);
    const idle = setInterval(() => http.closeIdleConnections(), 100);
    http.close(() => {
      clearTimeout(late);
      clearTimeout(silent);
      clearInterval(idle);
      done();
    });
    http.closeIdleConnections();
  });
}

interface Traffic {
  /** Waits until nobody connects any more: who has connected already may have sent a request, and would lose it. */
  settled(): Promise<void>;
  /** Closes connections on which no request has begun, such as those that browsers open ahead. */
  closeSilent(): void;
}

function watchTraffic(http: Server): Traffic {
  const silent = new Set<Socket>();
  let connections = 0;
  http.on('connection', (socket: Socket) => {
    connections += 1;
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  const heard = ({ socket }: IncomingMessage): void => void silent.delete(socket);
  http.on('request', heard);
  http.on('upgrade', heard);
  return {
    async settled() {
      const end = performance.now() + longestSettling;
      for (let before = -1; before !== connections && performance.now() < end;) {
        before = connections;
        await later(settling);
      }
    },
    closeSilent() {
      for (const socket of silent) socket.destroy();
    },
  };
}
