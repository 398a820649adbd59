/** The routes of all operations. Wrong methods get `Allow`, a GET that writes has no HEAD, and a duplicate operation stops the start. */
import type { Request, Response } from 'express';
import { unknownPath, wrongMethod } from '../errors/errors.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import { isWrite, type Operation, type OperationGroup } from '../operations/operation.ts';
import { type Handler, handler } from './handler.ts';
import { type PathUse, useOf } from './overload.ts';
import { type PathMatch, Paths } from './paths.ts';

/** What belongs to a path. */
interface Route {
  readonly path: string;
  /** Whether it is a route of the author. */
  readonly isOwn: boolean;
  /** The handlers by method. */
  readonly methods: ReadonlyMap<string, Handler>;
  /** How its requests are admitted. */
  readonly use: PathUse;
}

export interface Router {
  /** @throws URIError for a path that is not percent-encoded correctly */
  find(req: Request): PathMatch<Route> | undefined;
  /** Passes a request to its operation. @throws 404 for an unknown path, 405 */
  answer(found: PathMatch<Route> | undefined, req: Request, res: Response): Promise<void>;
}

export function routerOf(groups: readonly OperationGroup[], services: InvokeServices): Router {
  const paths = new Paths(routesOf(groups, services).map((route) => [route.path, route]));
  return {
    // of routes of the author, a name and a parameter may have different methods
    find: (req) => paths.find(req.path, ({ methods, isOwn }) => methods.has(req.method) || !isOwn),
    answer: (found, req, res) => {
      if (found === undefined) throw unknownPath();
      const { path, methods } = found.value;
      req.params = found.params;
      res.locals['route'] = path;
      const handle = methods.get(req.method);
      if (handle === undefined && req.method === 'OPTIONS') return showMethods(res, allowed(methods));
      if (handle === undefined) throw wrongMethod(req.method, allowed(methods));
      return handle(req, res);
    },
  };
}

function routesOf(groups: readonly OperationGroup[], services: InvokeServices): readonly Route[] {
  const at = new Map<string, { readonly operations: Operation[]; readonly methods: Map<string, Handler> }>();
  for (const { operations, secret } of groups)
    for (const operation of operations) {
      const { method, path } = operation.http;
      const route = at.get(path) ?? { operations: [], methods: new Map<string, Handler>() };
      at.set(path, route);
      if (route.methods.has(method)) throw new Error(`${method} ${path} is defined twice`);
      const handle = secret === true ? withoutStore(handler(operation, services)) : handler(operation, services);
      route.operations.push(operation);
      route.methods.set(method, handle);
      if (method === 'GET' && !isWrite(operation)) route.methods.set('HEAD', handle);
    }
  return [...at].map(([path, { operations, methods }]) => {
    const isOwn = operations.some(({ input }) => input?.own !== undefined);
    return { path, isOwn, methods, use: useOf(operations) };
  });
}

/** Answers OPTIONS without a body (RFC 9110, 9.3.7). */
function showMethods(res: Response, methods: readonly string[]): Promise<void> {
  res.writeHead(204, { Allow: [...methods, 'OPTIONS'].join(', ') }).end();
  return Promise.resolve();
}

const withoutStore =
  (handle: Handler): Handler =>
  (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    return handle(req, res);
  };

/** The methods in the order of the operations; HEAD is last. */
const allowed = (methods: Route['methods']): readonly string[] => [
  ...[...methods.keys()].filter((method) => method !== 'HEAD'),
  ...(methods.has('HEAD') ? ['HEAD'] : []),
];
