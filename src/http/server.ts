/** The HTTP server: its time limits, answers to what is no HTTP, and an orderly end. */
import { createServer, IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import {
  badRequest,
  expectationFailed,
  type Failure,
  headersTooLarge,
  requestTimeout,
  wrongMethod,
} from '../errors.ts';
import type { Settings } from '../settings/types.ts';
import { envelope } from './failures.ts';

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
const maxHeaders = 16_384;
/** Milliseconds in which somebody who was refused may read why. */
const lingering = 1000;
/** Milliseconds that requests under way get when the server stops. */
const patience = 10_000;
/** Milliseconds that a connection gets to send the headers of its first request then. */
const patienceWithSilence = 1000;
/** Milliseconds without a new connection after which none waits any more; a client tries a full queue again after one and three seconds. */
const maxQuiet = 4000;
/** Milliseconds between two looks for idle connections then. */
const closeIdleEvery = 100;

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
      maxHeaderSize: maxHeaders,
      // `well-formed` checks it, so that the failure has the usual envelope
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
  else refuseSocket(socket, badRequest('the request is not well-formed HTTP'));
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

/**
 * Stops in an orderly way: accepts every connection that was made before, stops listening, and closes each connection after its
 * answer. What is left after the patience is cut off.
 */
async function close(http: Server, traffic: Traffic): Promise<void> {
  const deadline = AbortSignal.timeout(patience);
  // a connection that always has a next request would never be idle
  http.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  await acceptWaiting(http, deadline);
  const ended = new Promise((done) => http.once('close', done));
  // not the method of an HTTP server: that one closes connections whose request has arrived but has not been read
  NetServer.prototype.close.call(http);
  // what has arrived is read between a timer and an immediate, so what is idle then has nothing unread
  const silent = setTimeout(() => setImmediate(() => traffic.closeSilent()), patienceWithSilence);
  const closeIdle = (): void => (deadline.aborted ? http.closeAllConnections() : http.closeIdleConnections());
  const idle = setInterval(() => setImmediate(closeIdle), closeIdleEvery);
  await ended;
  clearTimeout(silent);
  clearInterval(idle);
  // ends Node's own checks of connections
  http.close();
}

/**
 * Accepts the connections that wait in the kernel's queue, whose clients may have sent their requests already: closing the listening
 * socket resets them. The queue is in order, so when a connection of our own is accepted, so are all before it.
 */
async function acceptWaiting(http: Server, deadline: AbortSignal): Promise<void> {
  const { address, port } = http.address() as AddressInfo;
  const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const probe = connect(port, loopback[address] ?? address);
  const accepted = new Set<number | undefined>();
  await new Promise<void>((done) => {
    const quiet = setTimeout(end, maxQuiet);
    const check = (): void => {
      if (probe.localPort !== undefined && accepted.has(probe.localPort)) end();
    };
    const count = ({ remotePort }: Socket): void => {
      accepted.add(remotePort);
      quiet.refresh();
      check();
    };
    function end(): void {
      http.off('connection', count);
      clearTimeout(quiet);
      done();
    }
    http.on('connection', count);
    probe.once('connect', check);
    // where it cannot connect, the server goes by the silence
    probe.on('error', () => undefined);
    deadline.addEventListener('abort', end);
  });
  probe.destroy();
}

interface Traffic {
  /** Closes connections on which no request has begun, such as those that browsers open ahead. */
  closeSilent(): void;
}

function watchTraffic(http: Server): Traffic {
  const silent = new Set<Socket>();
  http.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  const heard = ({ socket }: IncomingMessage): void => void silent.delete(socket);
  http.on('request', heard);
  http.on('upgrade', heard);
  return {
    closeSilent() {
      for (const socket of silent) socket.destroy();
    },
  };
}
