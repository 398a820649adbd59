/** The story of a request, top to bottom: what every row goes through, in this order and no other. */
import { setMaxListeners } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { shapeValue } from '../access/shape.ts';
import type { Principal } from '../access/principal.ts';
import { identify } from '../auth/identify.ts';
import { credentialsOf } from '../auth/methods.ts';
import type { Context, ModelContext } from '../context.ts';
import type { ParameterTree } from '../language/tree.ts';
import { neverEnded, switchedOff } from '../errors.ts';
import { preload } from '../preload.ts';
import { castFilter } from '../registry/cast-filter.ts';
import type { Services } from '../services.ts';
import { within } from '../within.ts';
import { isSilent } from '../write/changed.ts';
import { authoriseModel, authorisePlain } from '../operations/authorise.ts';
import { send, valueOf, type Answer } from '../operations/answer.ts';
import { isOfModel, type Operation } from '../operations/operation.ts';
import { compileCheck } from '../operations/body-check.ts';
import { isKnown, revisionIn } from './conditional.ts';
import { runPostHooks, runPreHooks } from './hooks.ts';
import { checkParameters } from '../operations/parameters.ts';
import { parseQueryString } from './query-string.ts';
import { addressOf } from './throttle.ts';

/** The request as hooks see it. */
export type DossierRequest = Request & { dossier: Context };

export function handler(operation: Operation, services: Services): RequestHandler {
  const { settings, config } = services;
  const { max_time_ms: limit, max_response_size: largest } = settings.query_limits;
  const checkBody = bodyChecker(operation);
  return async (request, res) => {
    const req = request as DossierRequest;
    const query = queryOf(req);
    res.locals['probe'] = operation.probe;
    const verify = (): Promise<Principal> => identifyRequest(req, query, services, operation);
    const principal = await verify();
    res.locals['user'] = principal.user?.id;
    keepPrivate(res, principal);
    const stop = hangUp(res);
    const context = contextFor(operation, services, { req, query, principal, verify, signal: stop.signal });
    await admit(operation, context);
    if (operation.input?.freeQuery !== true) checkParameters(query, config.extra_parameters);
    req.dossier = context;
    const sent: unknown = req.body;
    if (!(await runPreHooks(config, operation.hook, req, res, limit))) return;
    if (context.filter !== undefined && 'model' in context)
      context.filter = castFilter((context as ModelContext).model, context.filter);
    // a hook may put another body in the place of the one sent
    if (req.body !== undefined && context.body === sent) context.body = req.body as unknown;
    checkBody(context.body);
    const answer = await run(operation, context, limit, stop);
    const shown = await afterHooks(operation, services, req, context, answer);
    if (!isKnown(res, shown, context)) await send(res, shown, writes(operation) ? Infinity : largest);
  };
}

/** Answers to writes are sent however large they are. */
const writes = ({ access, effect }: Operation): boolean => effect === 'write' && access.kind === 'letter';

/** What is required beyond rights. @throws 401, 403 */
async function admit(operation: Operation, context: Context): Promise<void> {
  const { access, needs } = operation;
  if (access.kind === 'open') await access.guard?.(context);
  const { model } = context as Partial<ModelContext>;
  if (needs !== undefined && model?.options.advanced_queries[needs] === false) throw switchedOff(needs, model.name);
}

/** @returns a check of bodies against the row @throws 400 */
function bodyChecker({ input }: Operation): (body: unknown) => void {
  const { schema, optional, refuse } = input?.body ?? {};
  if (refuse === undefined || typeof schema !== 'object') return () => undefined;
  const check = compileCheck(schema);
  return (body) => {
    const fault = body === undefined && optional === true ? undefined : check(body);
    if (fault !== undefined) throw refuse(fault);
  };
}

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
  { ownCredential }: Operation,
): Promise<Principal> {
  return identify(credentialsOf(req, query, addressOf(req)), auth, ownCredential);
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

function contextFor(
  operation: Operation,
  services: Services,
  { req, query, principal, verify, signal }: Asked,
): Context {
  const params = req.params as Readonly<Record<string, string>>;
  const shared = {
    services,
    principal,
    verify,
    params,
    query,
    body: req.body as unknown,
    filter: undefined,
    revision: revisionIn(operation, req.headers['if-match']),
    url: ownUrl(req.originalUrl),
    address: addressOf(req),
    headers: req.headers,
    signal,
  };
  if (!isOfModel(operation)) return { ...shared, grant: authorisePlain(operation.access, principal, params) };
  const model = services.registry.get(params['model'] ?? '');
  return { ...shared, model, grant: authoriseModel(operation.access, principal, model) } as ModelContext;
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
function run(operation: Operation, context: Context, limit: number, stop: AbortController): Promise<Answer> | Answer {
  const work = (): Promise<Answer> | Answer => operation.run(context as ModelContext);
  const preloaded = preload();
  const running = preloaded === undefined ? work() : preloaded.asCaller(context.principal.user, work);
  // a query has a time limit of its own
  if (!(running instanceof Promise) || (operation.access.kind === 'letter' && operation.access.letter === 'r'))
    return running;
  const of = 'model' in context ? ` of ${(context as ModelContext).model.name}` : '';
  const maxTime = operation.many === true ? limit * manyTimes : limit;
  return within(maxTime + grace, running, () => {
    stop.abort();
    return neverEnded(`${operation.http.method} ${operation.http.path}${of}`, maxTime);
  });
}

/** Time limits that a write of many documents gets: each of its steps has the time limit. Less than the silence that a connection may keep. */
const manyTimes = 4;
/** Milliseconds more than the code of a model gets, which is named in the log when it does not end. */
const grace = 500;

/** Only writes may be silent, since a post-hook may take something out of what is read. */
const mayBeSilent = ({ input }: Operation): boolean => input?.query?.some(({ name }) => name === '_silence') === true;

async function afterHooks(
  operation: Operation,
  services: Services,
  req: DossierRequest,
  context: Context,
  answer: Answer,
): Promise<Answer> {
  const { config, settings } = services;
  const { hook } = operation;
  if (hook === undefined || config.post_hooks?.[hook] === undefined) return answer;
  if (answer.kind === 'redirect' || answer.kind === 'stream') return answer;
  if (mayBeSilent(operation) && isSilent(context)) return answer;
  const { max_time_ms: limit, max_response_size: most } = settings.query_limits;
  const value = await valueOf(answer, most);
  const result = await runPostHooks(config, hook, req, value, limit);
  if (answer.kind === 'text' && typeof result === 'string') return { ...answer, body: result };
  if (answer.kind === 'text') return { kind: 'json', status: 200, value: shapeValue(result) };
  const { ETag: _, ...headers } = answer.headers ?? {};
  return { kind: 'json', status: answer.status, value: shapeValue(result), headers };
}
