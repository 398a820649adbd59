/** The story of a request, top to bottom: what every row goes through, in this order and no other. */
import { setMaxListeners } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { shapeValue } from '../access/shape.ts';
import type { Principal } from '../access/principal.ts';
import { identify } from '../auth/identify.ts';
import { authorizationOf } from '../auth/methods.ts';
import type { Context, ModelContext } from '../context.ts';
import type { ParameterTree } from '../language/tree.ts';
import { neverEnded } from '../errors.ts';
import { preload } from '../preload.ts';
import { castFilter } from '../registry/cast-filter.ts';
import type { Services } from '../services.ts';
import type { HookName } from '../settings/config-file.ts';
import { within } from '../within.ts';
import { isSilent } from '../write/changed.ts';
import { authoriseModel, authorisePlain } from '../operations/authorise.ts';
import { send, valueOf, type Answer } from '../operations/answer.ts';
import type { Endpoint } from '../operations/operation.ts';
import { isKnown, revisionIn } from './conditional.ts';
import { runPostHooks, runPreHooks } from './hooks.ts';
import { checkParameters } from '../operations/parameters.ts';
import { parseQueryString } from './query-string.ts';
import { addressOf } from './throttle.ts';

/** The request as hooks see it. */
export type DossierRequest = Request & { dossier: Context };

export function handler(endpoint: Endpoint, services: Services): RequestHandler {
  const { settings, config } = services;
  const { max_time_ms: limit, max_response_size: largest } = settings.query_limits;
  return async (request, res) => {
    const req = request as DossierRequest;
    const query = queryOf(req);
    res.locals['probe'] = endpoint.probe;
    const verify = (): Promise<Principal> => identifyRequest(req, query, services, endpoint);
    const principal = await verify();
    res.locals['user'] = principal.user?.id;
    keepPrivate(res, principal);
    const stop = hangUp(res);
    const context = contextFor(endpoint, services, { req, query, principal, verify, signal: stop.signal });
    if (endpoint.freeQuery !== true) checkParameters(query, config.extra_parameters);
    req.dossier = context;
    const sent: unknown = req.body;
    if (!(await runPreHooks(config, endpoint.hook, req, res, limit))) return;
    if (context.filter !== undefined && 'model' in context)
      context.filter = castFilter((context as ModelContext).model, context.filter);
    // a hook may put another body in the place of the one sent
    if (req.body !== undefined && context.body === sent) context.body = req.body as unknown;
    const answer = await run(endpoint, context, limit, stop);
    const shown = await afterHooks(endpoint, services, req, context, answer);
    if (!isKnown(res, shown, context)) await send(res, shown, writes(endpoint) ? Infinity : largest);
  };
}

/** What has been written is told, however large it is. */
const writes = ({ access, method }: Endpoint): boolean =>
  method !== 'GET' && access.kind === 'letter' && access.letter !== 'r';

const queryOf = (req: Request): ParameterTree => {
  const mark = req.url.indexOf('?');
  if (mark === -1) return noQuery;
  const query = parseQueryString(req.url.slice(mark + 1));
  return preload()?.parameters(query) ?? query;
};
const noQuery: ParameterTree = Object.freeze({});

function identifyRequest(
  req: Request,
  query: ParameterTree,
  { auth }: Services,
  { ownCredential }: Endpoint,
): Promise<Principal> {
  const source = {
    authorization: authorizationOf(req),
    keyHeader: req.headers['x-api-key'],
    keyParameter: query['apikey'],
    jwtParameter: query['jwt'],
    address: addressOf(req),
  };
  return identify(source, auth, ownCredential);
}

/** What an authenticated caller sees is not for shared caches. */
function keepPrivate(res: Response, principal: Principal): void {
  res.setHeader('Vary', 'Authorization, x-api-key, Origin');
  if (principal.user !== undefined && !res.hasHeader('Cache-Control'))
    res.setHeader('Cache-Control', 'private, no-store');
}

interface Asked {
  readonly req: Request;
  readonly query: ParameterTree;
  readonly principal: Principal;
  readonly verify: () => Promise<Principal>;
  readonly signal: AbortSignal;
}

function contextFor(endpoint: Endpoint, services: Services, { req, query, principal, verify, signal }: Asked): Context {
  const params = req.params as Readonly<Record<string, string>>;
  const shared = {
    services,
    principal,
    verify,
    params,
    query,
    body: req.body as unknown,
    filter: undefined,
    revision: revisionIn(endpoint, req.headers['if-match'], params),
    url: ownUrl(req.originalUrl),
    address: addressOf(req),
    headers: req.headers,
    signal,
  };
  const { access } = endpoint;
  if (access.kind !== 'letter' && access.kind !== 'perOperation')
    return { ...shared, grant: authorisePlain(access, principal, params) };
  const model = services.registry.get(params['model'] ?? '');
  return { ...shared, model, grant: authoriseModel(access, principal, model) } as ModelContext;
}

/** Path and query string, also when the request line names another host. */
const ownUrl = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');

/** Aborted when the caller hangs up before the answer is written. */
function hangUp(res: Response): AbortController {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  // every read of a request listens, and links are read side by side
  setMaxListeners(0, controller.signal);
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller;
}

/** Rows with a model are made with a context that has one: `contextFor` and the access value agree. */
function run(endpoint: Endpoint, context: Context, limit: number, stop: AbortController): Promise<Answer> | Answer {
  const work = (): Promise<Answer> | Answer => endpoint.run(context as ModelContext);
  const preloaded = preload();
  const running = preloaded === undefined ? work() : preloaded.asCaller(context.principal.user, work);
  // a query has a time limit of its own
  if (!(running instanceof Promise) || (endpoint.access.kind === 'letter' && endpoint.access.letter === 'r'))
    return running;
  const of = 'model' in context ? ` of ${(context as ModelContext).model.name}` : '';
  const maxTime = endpoint.many === true ? limit * manyTimes : limit;
  return within(maxTime + grace, running, () => {
    stop.abort();
    return neverEnded(`${endpoint.method} ${endpoint.path}${of}`, maxTime);
  });
}

/** Time limits that a write of many documents gets: each of its steps has the time limit. Less than the silence that a connection may keep. */
const manyTimes = 4;
/** Milliseconds more than the code of a model gets, which is named in the log when it does not end. */
const grace = 500;

/** Rows that write: only these may be silent, since a post-hook may take something out of what is read. A call by GET reads. */
const silenced: ReadonlySet<HookName> = new Set(['post', 'put', 'update', 'delete', 'bulkwrite', 'call']);

async function afterHooks(
  { hook, method }: Endpoint,
  services: Services,
  req: DossierRequest,
  context: Context,
  answer: Answer,
): Promise<Answer> {
  const { config, settings } = services;
  if (hook === undefined || config.post_hooks?.[hook] === undefined) return answer;
  if (answer.kind === 'redirect' || answer.kind === 'stream') return answer;
  if (method !== 'GET' && silenced.has(hook) && isSilent(context)) return answer;
  const { max_time_ms: limit, max_response_size: most } = settings.query_limits;
  const value = await valueOf(answer, most);
  const result = await runPostHooks(config, hook, req, value, limit);
  if (answer.kind === 'text' && typeof result === 'string') return { ...answer, body: result };
  if (answer.kind === 'text') return { kind: 'json', status: 200, value: shapeValue(result) };
  const { ETag: _, ...headers } = answer.headers ?? {};
  return { kind: 'json', status: answer.status, value: shapeValue(result), headers };
}
