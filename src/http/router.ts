/** A route group → an Express router: each row through the chain, `Allow` for wrong methods; a row twice stops the start. */
import { Router, type RequestHandler } from 'express';
import { wrongMethod } from '../errors.ts';
import type { Services } from '../services.ts';
import { handler } from './handler.ts';
import type { RouteGroup } from '../operations/operation.ts';

export function routerOf(groups: readonly RouteGroup[], services: Services): Router {
  const router = Router({ caseSensitive: false });
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
  for (const group of groups)
    for (const endpoint of group.endpoints) {
      const allowed = methods.get(endpoint.path) ?? [];
      if (allowed.includes(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is there twice`);
      methods.set(endpoint.path, [...allowed, endpoint.method]);
      const verb = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      if (group.secret === true)
        router[verb](endpoint.path, (_req, res, next) => {
          res.setHeader('Cache-Control', 'no-store');
          next();
        });
      if (endpoint.changes === true) {
        withoutHead.add(endpoint.path);
        // Express would answer it as a GET
        router.head(endpoint.path, refuse(endpoint.path));
      }
      router[verb](endpoint.path, handler(endpoint, services));
    }
  for (const path of methods.keys()) router.all(path, refuse(path));
  return router;
}
