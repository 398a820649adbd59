/** The HTTP server: its time limits, answers to what is no HTTP, and an orderly end. */
import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { Settings } from './settings/types.ts';

const headersWithin = 10_000;
const requestWithin = 30_000;
const idleAtMost = 5000;
const largestHeaders = 16_384;
/** Milliseconds that requests under way get when the server stops. */
const patience = 10_000;

export interface HttpServer {
  readonly http: Server;
  readonly close: () => Promise<void>;
}

export async function serveHttp(app: Express, settings: Settings): Promise<HttpServer> {
  const http = createServer(
    {
      headersTimeout: headersWithin,
      requestTimeout: requestWithin,
      keepAliveTimeout: idleAtMost,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: largestHeaders,
      requireHostHeader: true,
    },
    app,
  );
  http.on('clientError', refuse);
  http.on('connect', (_req, socket) => end(socket as Socket, 405, 'Method not allowed', 'CONNECT is not supported'));
  http.on('checkExpectation', (_req, res) => {
    const body = text('Expectation failed', 'only 100-continue is known');
    res.writeHead(417, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }).end(body);
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

const text = (message: string, err: string): string => JSON.stringify({ status: 'fail', message, err });

/** What the parser could not take. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    end(socket, 431, 'Headers too large', 'URL and headers may have 16 KB at most');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    end(socket, 408, 'Request timeout', 'the request took too long to arrive');
  else end(socket, 400, 'Bad request', 'this is no well-formed HTTP request');
}

function end(socket: Socket, status: number, message: string, err: string): void {
  if (!socket.writable || socket.destroyed) return void socket.destroy();
  const body = text(message, err);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 405 ? ['Allow: GET, HEAD, POST, PUT, DELETE'] : []),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Stops accepting; idle connections are closed at once, the others when their answer is out or the patience ends. */
function close(http: Server): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(() => http.closeAllConnections(), patience);
    http.close(() => {
      clearTimeout(late);
      done();
    });
    http.closeIdleConnections();
  });
}
