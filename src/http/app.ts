/** The Express app: what every request goes through before it reaches its operation. */
import cors from 'cors';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { type RequestTrace, requestTracer } from '../adapters/tracing.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RequestWatch } from '../metrics/request-watch.ts';
import { unknownRoute } from '../metrics/table.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { enabledGroups } from '../operations/switched-on.ts';
import { requestWatch } from '../ports/core.ts';
import { millisecondsSince } from '../ports/log.ts';
import type { Settings } from '../settings/types.ts';
import { bodyOf } from './body.ts';
import { failureWriter } from './failures.ts';
import { leavePlace, type Overload } from './overload.ts';
import { parseQueryString } from './query-string.ts';
import { newRequestId, requestIdHeader } from './request-id.ts';
import { routerOf } from './router.ts';
import { clientOf, loggedAddress, type Throttle } from './throttle.ts';
import { checkForm } from './well-formed.ts';

/** The gates that a request passes before its body is read. */
export interface Gates {
  /** Counts the requests of an address. */
  readonly throttle: Throttle;
  readonly overload: Overload;
}

export function makeApp(services: InvokeServices, groups: readonly OperationGroup[], gates: Gates): Express {
  const { settings, log } = services;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', settings.trust_proxy);
  app.set('query parser', parseQueryString);
  app.use(requestMiddleware(services, groups, gates));
  app.use(failureWriter(log));
  return app;
}

/** All steps of a request in one middleware, because Express spends more on each than most of them do. */
function requestMiddleware(
  services: InvokeServices,
  groups: readonly OperationGroup[],
  { throttle, overload }: Gates,
): RequestHandler {
  const { settings } = services;
  const handleCors = crossOrigin(services);
  const served = enabledGroups(groups, settings);
  const router = routerOf(served, services);
  const isUncounted = uncountedOf(served, settings);
  const serve = async (req: Request, res: Response): Promise<void> => {
    const route = router.find(req);
    const turn = overload.turnOf(res, route?.value.use, clientOf(req).address);
    if (turn !== undefined && overload.burst !== undefined) await overload.burst;
    if (turn !== undefined) overload.check(turn);
    if (hasBody(req)) await readBody(req, res, settings);
    const release = turn && overload.enter(turn);
    res.locals['release'] = release instanceof Promise ? await release : release;
    try {
      return await router.answer(route, req, res);
    } finally {
      leavePlace(res);
    }
  };
  const begin: RequestHandler = (req, res, next) => {
    checkForm(req);
    const afterThrottle = (failure?: unknown): void => {
      if (failure === undefined) serve(req, res).catch(next);
      else next(failure);
    };
    return handleCors(req, res, () => (isUncounted(req) ? afterThrottle() : throttle(req, res, afterThrottle)));
  };
  const traceRequest = requestTracer();
  const watches = watchesOf(services);
  return (req, res, next) => {
    const span = traceRequest?.(req, methodLabel(req.method));
    beginRequest(watches, req, res, span);
    return span === undefined ? begin(req, res, next) : span.run(() => begin(req, res, next));
  };
}

/** Whether a request has a body to read. */
const hasBody = ({ method, headers }: Request): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0');

/** @throws 400, 413, 415 */
async function readBody(req: Request, res: Response, { max_body_size: maxSize }: Settings): Promise<void> {
  const { value, text } = await bodyOf(req, maxSize);
  req.body = value;
  res.locals['bodyText'] = text;
}

/** The methods that are labels as they are (RFC 9110, RFC 5789); others are one value, as the semantic conventions of OpenTelemetry have it. */
const knownMethods: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  ...['OPTIONS', 'CONNECT', 'TRACE'],
]);
const methodLabel = (method: string): string => (knownMethods.has(method) ? method : '_OTHER');

/** Whether the throttle leaves a request out. */
function uncountedOf(groups: readonly OperationGroup[], settings: Settings): (req: Request) => boolean {
  const rules = new Map(
    groups.flatMap(({ operations }) =>
      operations.flatMap(({ http, isUncounted }) => (isUncounted === undefined ? [] : [[http.path, isUncounted]])),
    ),
  );
  return ({ path, headers }) => rules.get(path)?.(settings, headers) === true;
}

type Watches = Pick<InvokeServices, 'log' | 'metrics'> & { readonly requestWatch: RequestWatch };

const watchesOf = ({ log, metrics, of }: InvokeServices): Watches => ({ log, metrics, requestWatch: of(requestWatch) });

/** Assigns the request id, sets the security headers, and logs and counts the request when it is answered. */
function beginRequest(
  { log, metrics, requestWatch }: Watches,
  req: Request,
  res: Response,
  span: RequestTrace | undefined,
): void {
  const begun = performance.now();
  const id = newRequestId(req.headers, span?.traceId);
  res.locals['id'] = id;
  res.setHeader(requestIdHeader, id);
  res.locals['address'] = loggedAddress(clientOf(req));
  if (span !== undefined)
    res.once('close', () => {
      const { route } = res.locals as { readonly route?: string };
      span.end({ route, status: res.headersSent ? res.statusCode : undefined });
    });
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  if (metrics.isOn) measured(metrics, req, res);
  res.once('finish', () => {
    const status = res.statusCode;
    const ms = millisecondsSince(begun);
    const { route = unknownRoute } = res.locals as { readonly route?: string };
    requestWatch.answered({ method: methodLabel(req.method), route, status, ms });
    log.request({
      id,
      method: req.method,
      path: req.originalUrl,
      status,
      ms,
      user: res.locals['user'] as string | undefined,
      by: res.locals['by'] as string | undefined,
      address: res.locals['address'] as string | undefined,
      reason: res.locals['reason'] as string | undefined,
      probe: res.locals['probe'] === true,
    });
  });
}

/** The response headers that browser clients may read, besides those that the Fetch standard always exposes, and those of features. */
const exposedHeaders = [
  'Accept-Patch',
  'Content-Disposition',
  'ETag',
  'Link',
  'Location',
  'Max-Body-Size',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Cache',
  requestIdHeader,
];

/**
 * CORS for the allowed origins. Credentials are sent in headers, never in cookies. Only real preflights are answered
 * here.
 */
function crossOrigin({ settings, interceptors }: Pick<InvokeServices, 'settings' | 'interceptors'>): RequestHandler {
  const { origins } = settings.cors;
  const all = origins.includes('*');
  const exposed = [...exposedHeaders, ...interceptors.flatMap(({ answerHeaders }) => answerHeaders)].sort();
  const exposedText = exposed.join(',');
  const handle = cors({
    origin: all ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: exposed,
    maxAge: 600,
  });
  return (req, res, next) => {
    const preflight =
      req.method === 'OPTIONS' &&
      req.headers.origin !== undefined &&
      req.headers['access-control-request-method'] !== undefined;
    if (req.method === 'OPTIONS' && !preflight) return next();
    if (preflight || !all) return handle(req, res, next);
    // what `handle` would set, without computing it for each request
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', exposedText);
    next();
  };
}

/** The status of a request whose caller has gone before it was answered: none was sent. */
const unanswered = '';

/** Measures a request until its answer has been sent, or its connection has ended: one that streams counts for as long as it lasts. */
function measured(metrics: Metrics, { method }: Pick<Request, 'method'>, res: Response): void {
  const begun = performance.now();
  metrics.add('http_server_active_requests', 1);
  res.once('close', () => {
    metrics.add('http_server_active_requests', -1);
    const { route = unknownRoute } = res.locals as { readonly route?: string };
    const status = res.headersSent ? String(res.statusCode) : unanswered;
    if (res.statusCode === 429) metrics.count('dossier_requests_throttled_total');
    const labels = [methodLabel(method), route, status];
    metrics.observe('http_server_request_duration_seconds', labels, (performance.now() - begun) / 1000);
  });
}
