/**
 * Builds Express routers from operations. Wrong methods get `Allow`, a GET that writes has no HEAD, and a duplicate
 * operation stops the start.
 */
import { type RequestHandler, Router } from 'express';
import { wrongMethod } from '../errors.ts';
import type { OperationGroup } from '../operations/operation.ts';
import type { Services } from '../services.ts';
import { handler } from './handler.ts';

const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * The operations' routers, one for each first segment of their paths. A request is passed to the router of its own, because Express
 * matches routes one after the other.
 */
export function routerOf(groups: readonly OperationGroup[], services: Services): RequestHandler {
  const routers = new Map<string, Router>();
  const routerAt = (path: string): Router => {
    const first = firstSegment(path);
    if (first.startsWith(':')) throw new Error(`${path} must begin with a name`);
    const router = routers.get(first) ?? Router({ caseSensitive: false });
    routers.set(first, router);
    return router;
  };
  const methods = new Map<string, string[]>();
  const withoutHead = new Set<string>();
  const allowedOf = (path: string): readonly string[] => {
    const allowed = methods.get(path) ?? [];
    return allowed.includes('GET') && !withoutHead.has(path) ? [...allowed, 'HEAD'] : allowed;
  };
  const refuse =
    (path: string): RequestHandler =>
    ({ method }) => {
      throw wrongMethod(method, allowedOf(path));
    };
  for (const { operations, secret } of groups)
    for (const operation of operations) {
      const { method, path } = operation.http;
      const allowed = methods.get(path) ?? [];
      if (allowed.includes(method)) throw new Error(`${method} ${path} is defined twice`);
      methods.set(path, [...allowed, method]);
      if (method === 'GET' && operation.effect === 'write') {
        withoutHead.add(path);
        // Express would answer it as a GET
        routerAt(path).head(path, refuse(path));
      }
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      routerAt(path)[verb](path, ...(secret === true ? [noStore] : []), handler(operation, services));
    }
  for (const path of methods.keys()) routerAt(path).all(path, refuse(path));
  return (req, res, next) => {
    const router = routers.get(firstSegment(req.path));
    if (router === undefined) next();
    else router(req, res, next);
  };
}

/** Paths are matched in any letter case. */
const firstSegment = (path: string): string => path.split('/', 2)[1]?.toLowerCase() ?? '';
