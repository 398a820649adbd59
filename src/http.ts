/** The HTTP server: its time limits, answers to what is no HTTP, and an orderly end. */
import { createServer, IncomingMessage, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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
/** Milliseconds that requests under way get when the server stops. */
const patience = 10_000;

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
  return { http, close: () => close(http) };
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
}

/** Stops accepting; idle connections are closed at once, the others when their answer is out or the patience ends. */
function close(http: Server): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(() => http.closeAllConnections(), patience);
    const idle = setInterval(() => http.closeIdleConnections(), 100);
    // a connection that always has a next request would never be idle
    http.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
    http.close(() => {
      clearTimeout(late);
      clearInterval(idle);
      done();
    });
    http.closeIdleConnections();
  });
}
