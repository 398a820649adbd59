/**
 * Answers clients that have ended their side of a connection after their request, as TCP lets them. A client that is gone looks the same
 * until something is sent to it, so that only an answer that makes progress keeps such a connection open.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds without a byte of the answer after which the client is taken to be gone. */
const graceMs = 3000;

/** Keeps half-open connections until they are answered. */
export function answerHalfOpen(http: Server): void {
  // a property of Node's servers without a type: otherwise Node ends its side at once
  Object.assign(http, { httpAllowHalfOpen: true });
  http.on('connection', (socket: Socket) => socket.once('end', () => closeWithoutProgress(socket)));
}

function closeWithoutProgress(socket: Socket): void {
  let written = socket.bytesWritten;
  const look = setInterval(() => {
    // an answer that is read slowly has the limits of other connections
    if (socket.bytesWritten === written && socket.writableLength === 0) socket.destroy();
    written = socket.bytesWritten;
  }, graceMs).unref();
  socket.once('close', () => clearInterval(look));
}
