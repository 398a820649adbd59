/** The routes of all operations. Wrong methods get `Allow`, a GET that writes has no HEAD, and a duplicate operation stops the start. */
import type { Request, Response } from 'express';
import { unknownPath, wrongMethod } from '../errors.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import { isWrite, type OperationGroup } from '../operations/operation.ts';
import { type Handler, handler } from './handler.ts';
import { Paths } from './paths.ts';

/** The handlers of a path by method. */
type Methods = Map<string, Handler>;

/** @returns passes a request to its operation; throws 404 for an unknown path, 405 */
export function routerOf(groups: readonly OperationGroup[], services: InvokeServices): Handler {
  const methodsAt = new Map<string, Methods>();
  /** Paths of routes, of which a name and a parameter may have different methods. */
  const ofRoutes = new Set<Methods>();
  for (const { operations, secret } of groups)
    for (const operation of operations) {
      const { method, path } = operation.http;
      const methods = methodsAt.get(path) ?? (new Map() as Methods);
      methodsAt.set(path, methods);
      if (operation.input?.own !== undefined) ofRoutes.add(methods);
      if (methods.has(method)) throw new Error(`${method} ${path} is defined twice`);
      const handle = handler(operation, services);
      methods.set(method, secret === true ? withoutStore(handle) : handle);
      if (method === 'GET' && !isWrite(operation)) methods.set('HEAD', methods.get(method) as Handler);
    }
  const paths = new Paths(methodsAt);
  const routes = new Map([...methodsAt].map(([path, methods]) => [methods, path]));
  return (req: Request, res: Response) => {
    const found = paths.find(req.path, (methods) => methods.has(req.method) || !ofRoutes.has(methods));
    if (found === undefined) throw unknownPath();
    req.params = found.params;
    res.locals['route'] = routes.get(found.value);
    const handle = found.value.get(req.method);
    if (handle === undefined && req.method === 'OPTIONS') return showMethods(res, allowed(found.value));
    if (handle === undefined) throw wrongMethod(req.method, allowed(found.value));
    return handle(req, res);
  };
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
const allowed = (methods: Methods): readonly string[] => [
  ...[...methods.keys()].filter((method) => method !== 'HEAD'),
  ...(methods.has('HEAD') ? ['HEAD'] : []),
];
