/** Answers and logs failures. */
import type { ErrorRequestHandler, Response } from 'express';
import type { Failure } from '../errors/errors.ts';
import { isFromModelCode } from '../models/mongoose/model-code-errors.ts';
import { envelopeOf, failureFrom } from '../operations/failures.ts';
import { RefusedRow } from '../policy/refused-row.ts';
import type { Log } from '../ports/log.ts';
import { requestId } from './request-id.ts';
import { writeBody } from './send.ts';

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

/** The text of the envelope (docs/errors.md). */
export const envelope = (failure: Failure, id: string): string => JSON.stringify(envelopeOf(failure, id));
