/** Converts anything thrown to a failure and writes its envelope. Only this file writes `{status:"fail"}`. */
import type { ErrorRequestHandler, Response } from 'express';
import type { Log } from '../adapters/log.ts';
import { badRequest, Failure, internal } from '../errors/errors.ts';
import type { PathFault } from '../errors/failure.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { isFromModelCode } from '../models/mongoose/model-code-errors.ts';
import { RefusedRow } from '../policy/refused-row.ts';
import { requestId } from './request-id.ts';
import { writeBody } from './send.ts';

/** The failure for anything thrown. An unexpected error becomes a 500 that keeps its cause for the log. */
export function failureFrom(thrown: unknown): Failure {
  const known = fromDatabase(thrown);
  if (known instanceof Failure) return known;
  if (known instanceof URIError) return badRequest('the path is not percent-encoded correctly');
  const { status } = (typeof known === 'object' && known !== null ? known : {}) as { status?: unknown };
  return status === 400 && known instanceof Error && 'expose' in known
    ? badRequest('the request is malformed')
    : internal(known);
}

/** What the database or this project does not have. */
const notImplemented = 501;

/** Logs a failure that is no fault of the caller. */
export function logFailure(log: Log, request: Omit<Parameters<Log['failed']>[0], 'error'>, failure: Failure): void {
  const { status } = failure;
  if ((status >= 500 && status !== notImplemented) || status === 429) log.failed({ ...request, error: failure });
}

export function failureWriter(log: Log): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters
  return (thrown: unknown, req, res, _next) => {
    // the caller has disconnected: there is no one to answer, and a stopped operation is not a fault
    if (res.destroyed && (res.locals as { streamFailed?: boolean }).streamFailed !== true) return;
    const failure = failureFrom(thrown);
    const id = requestId(res);
    const address = (res.locals as { address?: string }).address;
    logFailure(log, { id, method: req.method, path: req.originalUrl, address }, failure);
    res.locals['reason'] = refusalReason(failure);
    if (failure.cause instanceof RefusedRow)
      log.debug('the rights do not cover the document', { id, ...failure.cause });
    // a partial answer is cut off; a complete one may still be in transit
    if (res.headersSent) return void (res.writableEnded || res.destroy());
    writeFailure(res, failure, id);
  };
}

/** What the line of a request says of its 401 or 403. What code of models says may contain values. */
export function refusalReason(failure: Failure): string | undefined {
  if (failure.status !== 401 && failure.status !== 403) return undefined;
  return isFromModelCode(failure) ? 'the code of a model or a hook refuses it' : failure.reason;
}

function writeFailure(res: Response, failure: Failure, id: string): void {
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  res.removeHeader('ETag');
  // caches may store a 404 or 410 by default (RFC 9111, 3)
  res.setHeader('Cache-Control', 'no-store');
  const body = envelope(failure, id);
  if (failure.headers['Connection'] === 'close' && !res.req.complete) writeEarly(res, failure.status, body);
  else writeBody(res, failure.status, body);
}

/** The rest of a refused body is read and discarded for this many milliseconds and bytes. */
const lingerMs = 1000;
const maxDiscarded = 8 * 1024 ** 2;

/** Answers while the body is still arriving. Closing at once would make the sender lose the answer. */
function writeEarly(res: Response, status: number, body: string): void {
  let discarded = 0;
  const end = (): void => {
    clearTimeout(late);
    res.end();
  };
  const late = setTimeout(end, lingerMs);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  res.write(body);
  res.req.once('end', end).once('close', end);
  res.req.on('data', (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > maxDiscarded) res.req.pause();
  });
  res.req.resume();
}

/** The members of the envelope. */
interface FailureBody {
  readonly status: 'fail';
  readonly message: string;
  readonly err: string;
  readonly errors?: readonly PathFault[];
}

/** The text of the envelope (docs/errors.md). */
export const envelope = (failure: Failure, id: string): string => JSON.stringify(envelopeOf(failure, id));

/** @param id of the request; none for an operation that no request has */
export const envelopeOf = (failure: Failure, id?: string): FailureBody => ({
  status: 'fail',
  message: failure.message,
  err: failure.reason,
  ...(failure.errors === undefined ? {} : { errors: failure.errors }),
  ...failure.details,
  ...(failure.status === 500 && id !== undefined ? { request_id: id } : {}),
});
