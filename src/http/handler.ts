/**
 * The HTTP adapter: converts an Express request to a plain request and its caller, invokes the operation and writes the
 * response.
 */
import type { Request as HttpRequest, Response } from 'express';
import { identify } from '../auth/credentials/identify.ts';
import { credentialsOf } from '../auth/credentials/methods.ts';
import type { Caller } from '../context.ts';
import { prepare } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import type { Principal } from '../policy/principal.ts';
import type { ParameterTree } from '../query/parameter-tree.ts';
import type { Services } from '../services.ts';
import { isKnown } from './conditional.ts';
import { sendEvents } from './event-stream.ts';
import { hooksOf } from './hooks.ts';
import { partsOf } from './parts.ts';
import { parametersOf } from './query-string.ts';
import { send } from './send.ts';
import { Stop } from './stop.ts';
import { clientOf } from './throttle.ts';

/** Answers a request. */
export type Handler = (req: HttpRequest, res: Response) => Promise<void>;

export function handler(operation: Operation, services: Services): Handler {
  const { max_time_ms: maxTime, max_response_size: maxSize } = services.settings.query_limits;
  const invoke = prepare(operation, services);
  const hooks = hooksOf(operation.hook, services.config, maxTime);
  const parts = operation.parts === undefined ? undefined : partsOf(operation.parts, services);
  // the answer to a write is sent however large it is
  const isWrite = operation.effect === 'write' && (operation.access.kind === 'letter' || parts !== undefined);
  const maxBytes = isWrite ? Infinity : maxSize;
  return async (req, res) => {
    res.locals['probe'] = operation.probe;
    const query = parametersOf(req.url);
    const caller = await callerOf(req, res, query, { services, operation });
    const request = {
      params: req.params as Readonly<Record<string, string>>,
      query,
      body: req.body as unknown,
      headers: req.headers,
      url: ownUrl(req.originalUrl),
    };
    const asked = parts === undefined ? caller : { ...caller, parts: parts(req, res, caller) };
    const answer = await invoke(request, asked, hooks?.(req, res));
    if (answer === undefined || isKnown(res, answer, req.headers['if-none-match'])) return;
    if (answer.kind === 'subscription') await sendEvents(res, answer.request, caller, services);
    else await send(res, answer, maxBytes);
  };
}

interface Identification {
  readonly services: Services;
  readonly operation: Operation;
}

/** @throws 401, 429 */
async function callerOf(
  req: HttpRequest,
  res: Response,
  query: ParameterTree,
  { services, operation }: Identification,
): Promise<Caller> {
  const from = clientOf(req);
  const { auth, settings } = services;
  const accepted = { takesUrlCredentials: settings.url_credentials, takesTickets: operation.tickets === true };
  const source = credentialsOf(req, query, from, accepted);
  const verify = (): Promise<Principal> => identify(source, auth, operation.ownCredential);
  const principal = await verify();
  res.locals['user'] = principal.user?.id;
  const counted = services.limitUser(principal.user?.id);
  if (counted !== undefined) await counted;
  keepPrivate(res, principal);
  return { principal, verify, ...from, stop: new Stop(res) };
}

/** Keeps the answers of authenticated callers out of shared caches. */
function keepPrivate(res: Response, principal: Principal): void {
  res.setHeader('Vary', 'Authorization, x-api-key, Origin');
  if (principal.user !== undefined && !res.hasHeader('Cache-Control'))
    res.setHeader('Cache-Control', 'private, no-store');
}

/** Path and query string, also when the request line names another host. */
const ownUrl = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
