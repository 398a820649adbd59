/** Anything thrown → a failure → the envelope. The one writer of `{status:"fail"}`. */
import type { ErrorRequestHandler, Response } from 'express';
import { badRequest, bodyTooLarge, internal, wrongContentType, Failure } from '../errors.ts';
import type { Log } from '../log.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import { writeBody } from './answer.ts';

/** What the body readers and the router throw, by its type. */
const foreign: Readonly<Record<string, (most: number) => Failure>> = {
  'entity.too.large': bodyTooLarge,
  'encoding.unsupported': () => wrongContentType('this content encoding is not supported'),
  'request.aborted': () => badRequest('the request ended too early'),
  'request.size.invalid': () => badRequest('the body is not as long as Content-Length says'),
};

/** The failure that any thrown thing stands for. What is not ours is a 500, its cause kept for the log. */
export function failureFrom(thrown: unknown, mostBody: number): Failure {
  const known = fromDatabase(thrown);
  if (known instanceof Failure) return known;
  if (known instanceof URIError) return badRequest('the path is not well encoded');
  const { type, status, code } = (typeof known === 'object' && known !== null ? known : {}) as {
    type?: unknown;
    status?: unknown;
    code?: unknown;
  };
  const named = typeof type === 'string' && Object.hasOwn(foreign, type) ? foreign[type] : undefined;
  if (named !== undefined) return named(mostBody);
  if (typeof code === 'string' && code.startsWith('Z_')) return badRequest('the body is not well compressed');
  return status === 400 && known instanceof Error && 'expose' in known
    ? badRequest('the request is not well formed')
    : internal(known);
}

export function failureWriter(log: Log, mostBody: number): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    // the caller has hung up: there is nobody to tell, and what was stopped is no fault
    if (res.destroyed) return;
    const failure = failureFrom(thrown, mostBody);
    const id = requestId(res);
    if (failure.status >= 500)
      log.failed({ id, method: req.method, path: req.originalUrl, error: failure.cause ?? failure });
    if (res.headersSent) return next(thrown);
    writeFailure(res, failure, id);
  };
}

export function writeFailure(res: Response, failure: Failure, id: string): void {
  for (const [name, value] of Object.entries(failure.headers)) res.setHeader(name, value);
  res.removeHeader('ETag');
  writeBody(res, failure.status, Buffer.from(envelope(failure, id)));
}

/** The text of the envelope (spec, "Status envelopes"). */
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
