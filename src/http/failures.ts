/** Anything thrown → a failure → the envelope. The one writer of `{status:"fail"}`. */
import type { ErrorRequestHandler, Response } from 'express';
import { badRequest, Failure, internal } from '../errors.ts';
import type { Log } from '../log.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { writeBody } from './send.ts';

/** The failure that any thrown thing stands for. What is not ours is a 500, its cause kept for the log. */
function failureFrom(thrown: unknown): Failure {
  const known = fromDatabase(thrown);
  if (known instanceof Failure) return known;
  if (known instanceof URIError) return badRequest('the path is not well encoded');
  const { status } = (typeof known === 'object' && known !== null ? known : {}) as { status?: unknown };
  return status === 400 && known instanceof Error && 'expose' in known
    ? badRequest('the request is not well formed')
    : internal(known);
}

export function failureWriter(log: Log): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters
  return (thrown: unknown, req, res, _next) => {
    // the caller has hung up: there is nobody to tell, and what was stopped is no fault
    if (res.destroyed && (res.locals as { fault?: boolean }).fault !== true) return;
    const failure = failureFrom(thrown);
    const id = requestId(res);
    if (failure.status >= 500)
      log.failed({ id, method: req.method, path: req.originalUrl, error: failure.cause ?? failure });
    // half an answer is cut off; one that is whole may still be on its way
    if (res.headersSent) return void (res.writableEnded || res.destroy());
    writeFailure(res, failure, id);
  };
}

function writeFailure(res: Response, failure: Failure, id: string): void {
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  res.removeHeader('ETag');
  // a 404 or 410 would be kept by default (RFC 9111, 3)
  res.setHeader('Cache-Control', 'no-store');
  const body = Buffer.from(envelope(failure, id));
  if (failure.headers['Connection'] === 'close' && !res.req.complete) writeEarly(res, failure.status, body);
  else writeBody(res, failure.status, body);
}

/** Milliseconds and bytes for which what still comes of a refused body is thrown away. */
const lingering = 1000;
const maxDiscarded = 8 * 1024 ** 2;

/** Answers while the body still comes: to close at once would make the sender lose the answer. */
function writeEarly(res: Response, status: number, body: Buffer): void {
  let discarded = 0;
  const end = (): void => {
    clearTimeout(late);
    res.end();
  };
  const late = setTimeout(end, lingering);
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length });
  res.write(body);
  res.req.once('end', end).once('close', end);
  res.req.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > maxDiscarded) res.req.pause();
  });
  res.req.resume();
}

/** The text of the envelope (docs/errors.md). */
export const envelope = (failure: Failure, id: string): string =>
  JSON.stringify({
    status: 'fail',
    message: failure.message,
    err: failure.reason,
    ...(failure.errors === undefined ? {} : { errors: failure.errors }),
    ...failure.details,
    ...(failure.status === 500 ? { request_id: id } : {}),
  });

export const requestId = (res: Response): string => String((res.locals as { id?: unknown }).id ?? '');
