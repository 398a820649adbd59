/**
 * Builds an Express router from operations. Wrong methods get `Allow`, a GET that writes has no HEAD, and a duplicate
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

export function routerOf(groups: readonly OperationGroup[], services: Services): Router {
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
  for (const { operations, secret } of groups)
    for (const operation of operations) {
      const { method, path } = operation.http;
      const allowed = methods.get(path) ?? [];
      if (allowed.includes(method)) throw new Error(`${method} ${path} is defined twice`);
      methods.set(path, [...allowed, method]);
      if (method === 'GET' && operation.effect === 'write') {
        withoutHead.add(path);
        // Express would answer it as a GET
        router.head(path, refuse(path));
      }
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      router[verb](path, ...(secret === true ? [noStore] : []), handler(operation, services));
    }
  for (const path of methods.keys()) router.all(path, refuse(path));
  return router;
}
