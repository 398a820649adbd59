/** The Express app: the middleware of every request, the routers of the groups, and the answers to unknown paths. */
import { randomUUID } from 'node:crypto';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { unknownPath } from '../errors.ts';
import { operationGroups } from '../operations/index.ts';
import { switchedOn } from '../operations/operation.ts';
import type { Services } from '../services.ts';
import { bodyReader } from './body.ts';
import { failureWriter, requestId } from './failures.ts';
import { parseQueryString } from './query-string.ts';
import { routerOf } from './router.ts';
import type { Throttle } from './throttle.ts';
import { checkForm } from './well-formed.ts';

/** @param throttle counts the requests */
export function makeApp(services: Services, throttle: Throttle): Express {
  const { settings, log } = services;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', settings.trust_proxy);
  app.set('query parser', parseQueryString);
  app.use(opening(services, crossOrigin(settings.cors.origins)));
  app.use(throttle);
  app.use(bodyReader(settings.max_body_size));
  app.use(routerOf(switchedOn(operationGroups, settings), services));
  app.use(() => {
    throw unknownPath();
  });
  app.use(failureWriter(log));
  return app;
}

/**
 * Assigns the request id, sets the security headers, logs the request when it is answered, and refuses what HTTP forbids. It is one
 * middleware with `andThen`, because Express spends more on each than they do.
 */
function opening({ log }: Services, andThen: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const begun = performance.now();
    res.locals['id'] = randomUUID();
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.once('finish', () =>
      log.request({
        id: requestId(res),
        method: req.method,
        path: req.originalUrl,
        status: res.statusCode,
        ms: Math.round((performance.now() - begun) * 10) / 10,
        user: res.locals['user'] as string | undefined,
        probe: res.locals['probe'] === true,
      }),
    );
    checkForm(req);
    return andThen(req, res, next);
  };
}

/** The response headers that browser clients may read, besides those that the Fetch standard always exposes. */
const exposedHeaders = [
  'Accept-Patch',
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Max-Body-Size',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Cache',
];

/**
 * CORS for the allowed origins. Credentials are sent in headers, never in cookies. Only real preflights are answered
 * here.
 */
function crossOrigin(origins: readonly string[]): RequestHandler {
  const all = origins.includes('*');
  const exposed = exposedHeaders.join(',');
  const handle = cors({
    origin: all ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
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
    res.setHeader('Access-Control-Expose-Headers', exposed);
    next();
  };
}
