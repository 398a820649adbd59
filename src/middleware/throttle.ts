/** The requests that one address may make in a window. The door to express-rate-limit. */
import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { throttled } from '../errors.ts';
import type { Settings } from '../settings/types.ts';

export function throttle({ enabled, window_ms, max }: Settings['throttle']): RequestHandler {
  if (!enabled) return (_req, _res, next) => next();
  return rateLimit({
    windowMs: window_ms,
    limit: max,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_req, _res, next) => next(throttled(Math.ceil(window_ms / 1000))),
  });
}
