/** The HTTP server: its time limits, answers to malformed requests, and an orderly shutdown. */
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
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
} from '../errors/errors.ts';
import type { Settings } from '../settings/types.ts';
import { envelope } from './failures.ts';
import { newRequestId, requestIdHeader } from './request-id.ts';

/** Time limits in milliseconds. */
export interface HttpLimits {
  /** From the first byte of a request, or of a new connection, until its headers are complete. */
  readonly headers: number;
  /** Until a request is complete. */
  readonly request: number;
  /** Without traffic on a connection in use; an answer that is not read is cut off. */
  readonly inactivity: number;
  /** Until the next request of a connection begins. */
  readonly idle: number;
  readonly checkEvery: number;
}

/** The limits that no setting changes. */
export const httpLimits: Omit<HttpLimits, 'idle'> = {
  headers: 10_000,
  request: 30_000,
  inactivity: 35_000,
  checkEvery: 2000,
};
const maxHeaders = 16_384;
/**
 * Connections that wait in the kernel's queue while the event loop is busy. A connection beyond them is tried again after a second, so
 * that with Node's 511 a health check would wait that long behind a burst. The kernel applies its own limit where that is lower
 * (`net.core.somaxconn`, listen(2)).
 */
const maxUnaccepted = 4096;
/** Milliseconds for which a refused connection stays open, so that the client can read the answer. */
const lingerMs = 1000;
/** Milliseconds that running requests get when the server stops. */
const drainMs = 10_000;
/** Milliseconds that a new connection then gets to send the headers of its first request. */
const unusedDrainMs = 1000;
/**
 * Milliseconds without a new connection after which none is waiting; a client retries a full queue after one and three
 * seconds.
 */
const maxQuietMs = 4000;
/** Milliseconds between two checks for idle connections during the shutdown. */
const closeIdleMs = 100;

const offered = Symbol('offered');

/**
 * The classes of an app's requests and responses. Express gives each of them the app's prototype, which costs as much as the rest of
 * its work unless they have it already.
 */
function classesOf(app: Express): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } {
  /** Ignores an `Upgrade` to any protocol but WebSocket, such as h2c (RFC 9110, 7.8). */
  class Incoming extends IncomingMessage {
    [offered]?: boolean;
    get upgrade(): boolean {
      return this[offered] === true && (this.method === 'CONNECT' || isWebSocket(this.headers.upgrade));
    }
    set upgrade(value: boolean) {
      this[offered] = value;
    }
  }
  class Outgoing<T extends IncomingMessage> extends ServerResponse<T> {}
  app.request = Object.setPrototypeOf(Incoming.prototype, app.request) as typeof app.request;
  app.response = Object.setPrototypeOf(Outgoing.prototype, app.response) as typeof app.response;
  return { IncomingMessage: Incoming, ServerResponse: Outgoing };
}

const isWebSocket = (upgrade: string | undefined): boolean => upgrade?.trim().toLowerCase() === 'websocket';

/** Serves the connections that leave HTTP for another protocol. */
type ServeUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface HttpServer {
  readonly http: Server;
  /** Until it is called, a request for a WebSocket is answered as any other request. */
  readonly onUpgrade: (serve: ServeUpgrade) => void;
  readonly close: () => Promise<void>;
}

export async function serveHttp(
  app: Express,
  settings: Pick<Settings, 'port' | 'host'> & Partial<Pick<Settings, 'workers'>>,
  limits: HttpLimits,
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
      ...classesOf(app),
    },
    app,
  );
  const traffic = watchTraffic(http);
  http.timeout = limits.inactivity;
  http.on('clientError', refuse);
  http.on('connect', (_req, socket) =>
    refuseSocket(socket, wrongMethod('CONNECT', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  );
  http.on('checkExpectation', refuseExpectation);
  // who reads the body says that it may be sent, so that one that is refused is not sent
  http.on('checkContinue', (req, res) => http.emit('request', req, res));
  await listen(http, settings);
  return {
    http,
    onUpgrade: (serve) => {
      http.on('upgrade', traffic.hasRequest);
      http.on('upgrade', serve);
    },
    close: () => close(http, traffic, settings.workers ?? 1),
  };
}

/** @throws what the system refuses, such as a port in use */
const listen = (http: Server, { port, host }: Pick<Settings, 'port' | 'host'>): Promise<void> =>
  new Promise((done, failed) => {
    http.once('error', failed);
    http.listen({ port, host, backlog: maxUnaccepted }, () => {
      http.off('error', failed);
      done();
    });
  });

/** Answers a request with an `Expect` other than `100-continue`. */
function refuseExpectation({ headers }: IncomingMessage, res: ServerResponse): void {
  const id = newRequestId(headers);
  res
    .writeHead(417, {
      'Content-Type': 'application/json; charset=utf-8',
      Connection: 'close',
      [requestIdHeader]: id,
    })
    .end(envelope(expectationFailed(), id));
}

/** Answers input that the parser refused. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'HPE_HEADER_OVERFLOW') refuseSocket(socket, headersTooLarge());
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseSocket(socket, requestTimeout());
  else refuseSocket(socket, badRequest('the request is not valid HTTP'));
}

/** Answers on a bare socket and closes it. @param id of the request; without one a new one, since a parser refused its headers */
export function refuseSocket(socket: Duplex, failure: Failure, id = newRequestId({})): void {
  if (!socket.writable || socket.destroyed) return void socket.destroy();
  const body = envelope(failure, id);
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...failure.headers, [requestIdHeader]: id, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Node removes its time limits from upgraded connections, and the client may never close its side
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/**
 * Shuts down in order: accepts every connection that was made before, stops listening, and closes each connection after
 * its answer. Connections that remain after the time limit are cut off.
 */
async function close(http: Server, traffic: Traffic, workers: number): Promise<void> {
  const deadline = AbortSignal.timeout(drainMs);
  // a connection that always has another request would never be idle
  http.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  // the primary of several workers has handed out all connections before it stops them
  if (workers === 1) await acceptWaiting(http, deadline);
  const ended = new Promise((done) => http.once('close', done));
  // not the method of the HTTP server, which closes connections whose request has arrived but has not been read
  NetServer.prototype.close.call(http);
  // received data is read between a timer and an immediate, so a connection that is idle then has no unread request
  const unusedTimer = setTimeout(() => setImmediate(() => traffic.closeUnused()), unusedDrainMs);
  const closeIdle = (): void => (deadline.aborted ? http.closeAllConnections() : http.closeIdleConnections());
  const idleTimer = setInterval(() => setImmediate(closeIdle), closeIdleMs);
  await ended;
  clearTimeout(unusedTimer);
  clearInterval(idleTimer);
  // ends Node's own checks of connections
  http.close();
}

/**
 * Accepts the connections that wait in the kernel's queue. Their clients may have sent requests already, and closing
 * the listening socket would reset them. The queue is in order: once a connection of our own is accepted, so are all
 * before it.
 */
async function acceptWaiting(http: Server, deadline: AbortSignal): Promise<void> {
  const { address, port } = http.address() as AddressInfo;
  const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const probe = connect(port, loopback[address] ?? address);
  const accepted = new Set<number | undefined>();
  await new Promise<void>((done) => {
    const quiet = setTimeout(end, maxQuietMs);
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
      deadline.removeEventListener('abort', end);
      clearTimeout(quiet);
      done();
    }
    http.on('connection', count);
    probe.once('connect', check);
    // if it cannot connect, the server waits until no more connections arrive
    probe.on('error', () => undefined);
    deadline.addEventListener('abort', end);
  });
  probe.destroy();
}

interface Traffic {
  /** Reports that a connection has a request. */
  readonly hasRequest: (req: IncomingMessage) => void;
  /** Closes connections on which no request has begun, such as those that browsers open in advance. */
  closeUnused(): void;
}

function watchTraffic(http: Server): Traffic {
  const unused = new Set<Socket>();
  http.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const hasRequest = ({ socket }: IncomingMessage): void => void unused.delete(socket);
  http.on('request', hasRequest);
  return {
    hasRequest,
    closeUnused() {
      for (const socket of unused) socket.destroy();
    },
  };
}
