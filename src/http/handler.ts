/**
 * The HTTP adapter: converts an Express request to a plain request and its caller, invokes the operation, stops it when the caller
 * disconnects, and writes the response.
 */
import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request as HttpRequest, Response } from 'express';
import type { Departure } from '../async/semaphore.ts';
import { withoutLimit } from '../async/signals.ts';
import { identify } from '../auth/credentials/identify.ts';
import { credentialsOf } from '../auth/credentials/methods.ts';
import type { Caller } from '../context.ts';
import { Failure, preconditionFailed } from '../errors/errors.ts';
import { challengeOf } from '../errors/failure.ts';
import { type Answer, type StreamAnswer, variesBy } from '../operations/answer.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import { isWrite, type Operation } from '../operations/operation.ts';
import type { Principal } from '../policy/principal.ts';
import { userLimit } from '../ports/core.ts';
import type { ParameterTree } from '../query/parameter-tree.ts';
import { isAmong, isWanted } from '../read/revision.ts';
import { makeProgress } from '../write/progress.ts';
import { outerExchange } from './inner-request.ts';
import { leavePlace, leavesAtOnce } from './overload.ts';
import { preparePartOperations } from './parts.ts';
import { preparedOperation } from './prepared.ts';
import { parametersFor } from './query-string.ts';
import { requestId } from './request-id.ts';
import { send } from './send.ts';
import { clientOf } from './throttle.ts';
import { ownUrl } from './well-formed.ts';

/** Answers a request. */
export type Handler = (req: HttpRequest, res: Response) => Promise<void>;

export function handler(operation: Operation, services: InvokeServices): Handler {
  const { max_response_size: maxSize } = services.settings.query_limits;
  const { invoke, hooks } = preparedOperation(operation, services);
  const parts = operation.parts === undefined ? undefined : preparePartOperations(operation.parts, services);
  // the answer to a write is sent however large it is
  const isUnlimited = isWrite(operation) && (operation.access.kind === 'letter' || parts !== undefined);
  const maxBytes = isUnlimited ? Infinity : maxSize;
  const parameters = parametersFor(operation, hooks);
  const leaves = leavesAtOnce(operation);
  // the hooks of a read may write, too
  const mayWrite = isWrite(operation) || hooks !== undefined;
  const limitUser = services.of(userLimit);
  const { unsent } = services.shares;
  const invoked = { operation, services, limitUser, mayWrite, accepted: acceptedBy(operation, services) };
  const handle: Handler = async (req, res) => {
    res.locals['probe'] = operation.probe;
    if (leaves) leavePlace(res);
    const query = parameters(req.url);
    const caller = await callerOf(res, query, invoked);
    const request = {
      params: req.params as Readonly<Record<string, string>>,
      query,
      body: req.body as unknown,
      bodyText: res.locals['bodyText'] as string | undefined,
      headers: req.headers,
      url: ownUrl(req.originalUrl),
    };
    const callerWithParts =
      parts === undefined
        ? caller
        : { ...caller, parts: parts({ headers: req.headers, express: () => [req, res] }, caller) };
    const made = await invoke(request, callerWithParts, hooks?.(outerExchange(req, res)));
    if (made === undefined) return;
    const answer = underConditions(made, req);
    // it lasts as long as its reader wants
    if (answer.kind === 'stream') leavePlace(res);
    if (answer.kind === 'stream') return sendStream(res, answer);
    if (answer.kind === 'bytes') unsent.add(res, answer.body.length);
    await send(res, answer, maxBytes);
  };
  const { challenge } = operation;
  return challenge === undefined ? handle : challenging(handle, () => challenge(services));
}

/** Adds a parameter to the challenge of 401s. */
const challenging =
  (handle: Handler, parameter: () => string): Handler =>
  (req, res) =>
    handle(req, res).catch((error: unknown) => {
      throw error instanceof Failure && error.status === 401 ? error.withHeaders(challengeOf(parameter())) : error;
    });

const acceptedBy = ({ opensStream, keysAsBearer }: Operation, { settings }: InvokeServices) => ({
  takesUrlCredentials: settings.url_credentials,
  opensStream: opensStream === true,
  takesKeysAsBearer: keysAsBearer === true,
});

/** What a request is for. */
interface Invoked {
  readonly operation: Operation;
  readonly services: InvokeServices;
  /** Counts the request of a user; undefined where they have no limit. */
  readonly limitUser: ((user: string) => void | Promise<void>) | undefined;
  /** Whether the operation or its hooks may write. */
  readonly mayWrite: boolean;
  /** The credentials that it takes. */
  readonly accepted: ReturnType<typeof acceptedBy>;
}

/** @throws 401, 429 */
async function callerOf(
  res: Response,
  query: ParameterTree,
  { operation, services, limitUser, mayWrite, accepted }: Invoked,
): Promise<Caller> {
  const { req } = res;
  const from = clientOf(req);
  const { auth } = services;
  const source = credentialsOf(req, query, from, accepted);
  const verify = (): Promise<Principal> => identify(source, auth, operation.ownCredential);
  const principal = await verify();
  res.locals['user'] = principal.user?.id;
  res.locals['by'] = principal.by;
  const counted = principal.user && limitUser?.(principal.user.id);
  if (counted !== undefined) await counted;
  keepPrivate(res, principal);
  const { address, ip } = from;
  const progress = mayWrite ? makeProgress() : undefined;
  return { principal, verify, address, ip, requestId: requestId(res), stop: new Stop(res), progress };
}

/** Keeps the answers of authenticated callers out of shared caches. */
function keepPrivate(res: Response, principal: Principal): void {
  res.setHeader('Vary', variesBy);
  if (principal.user !== undefined && !res.hasHeader('Cache-Control'))
    res.setHeader('Cache-Control', 'private, no-store');
}

/**
 * The answer to send: a 304 in place of one that the caller already has (RFC 9110, 13.1.2).
 * @throws 412 for one of another revision than the caller asks for (13.1.1)
 */
function underConditions(answer: Answer, { method, headers }: HttpRequest): Answer {
  const { 'if-match': wanted, 'if-none-match': known } = headers;
  if ((known === undefined && wanted === undefined) || (method !== 'GET' && method !== 'HEAD')) return answer;
  if (answer.kind !== 'bytes' && (answer.kind !== 'text' || (answer.status ?? 200) !== 200)) return answer;
  const [, tag] = Object.entries(answer.headers ?? {}).find(([name]) => name.toLowerCase() === 'etag') ?? [];
  if (typeof tag !== 'string') return answer;
  if (wanted !== undefined && !isWanted(tag, wanted)) throw preconditionFailed();
  if (known === undefined || !isAmong(tag, known)) return answer;
  return answer.kind === 'text'
    ? { ...answer, status: 304 }
    : { kind: 'text', type: '', status: 304, headers: { ETag: tag }, body: '' };
}

/** What the answer is written to. */
interface Sink extends Pick<EventEmitter, 'once'> {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
}

/**
 * Aborted when the caller disconnects before the answer is written. The signal is created when it is first read: most requests end before
 * anything needs it.
 */
export class Stop implements Departure {
  #controller: AbortController | undefined;
  #listeners: Set<() => void> | undefined;
  #isAborted = false;

  constructor(private readonly res: Sink) {}

  get signal(): AbortSignal {
    this.#controller ??= this.#made();
    return this.#controller.signal;
  }

  /** For what waits. */
  get departure(): Departure {
    return this;
  }

  get aborted(): boolean {
    return this.#isAborted || this.res.destroyed;
  }

  addEventListener(_name: 'abort', listener: () => void): void {
    if (this.#listeners === undefined) {
      this.#listeners = new Set();
      this.#abortOnClose();
    }
    this.#listeners.add(listener);
  }

  removeEventListener(_name: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#controller?.abort();
    for (const listener of this.#listeners ?? []) listener();
  }

  #made(): AbortController {
    const controller = new AbortController();
    if (this.aborted) controller.abort();
    // every read of a request adds a listener, and links are read concurrently
    withoutLimit(controller.signal);
    this.#abortOnClose();
    return controller;
  }

  #abortOnClose(): void {
    this.res.once('close', () => {
      if (!this.res.writableFinished) this.abort();
    });
  }
}

/** Writes a stream until the caller disconnects or it ends. @throws what refuses the request, before the response begins */
async function sendStream(res: Response, { headers, begin }: StreamAnswer): Promise<void> {
  const cut = new AbortController();
  const body = begin(cut);
  // the stream begins before the response, so that a refusal still gets its status
  await body.next();
  res.writeHead(200, headers);
  if (res.req.method !== 'HEAD') return pipeline(Readable.from(body), res, { signal: cut.signal });
  res.end();
  await body.return(undefined);
}
