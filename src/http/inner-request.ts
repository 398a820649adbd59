/** The Express request and response that hooks receive for an operation inside of the server. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import type { Context, Request as Plain } from '../context.ts';

const app = express();

/** What hooks receive of a request. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** The response if a hook may have answered by it; undefined where none has looked at it. */
  readonly seen: () => Response | undefined;
  /** Calls the listener when the response is closed. */
  readonly whenClosed: (listener: () => void) => void;
}

/** That of a request which Express has received. */
export const outerExchange = (req: Request, res: Response): Exchange => ({
  ...{ req, res, seen: () => res },
  whenClosed: (listener) => void res.once('close', listener),
});

/**
 * That of an operation inside of a request. What belongs to the operation is there; Express's objects are made when a hook first looks at
 * something else.
 * @param express the enclosing request and its response
 */
export function innerExchange(
  express: () => readonly [Request, Response],
  method: string,
  inner: Plain,
): Exchange & { readonly close: () => void } {
  const outer = once(express);
  const req = innerRequest(() => outer.get()[0], method, inner);
  const listeners: (() => void)[] = [];
  const response = once(() => {
    const made = innerResponse(outer.get()[1], req);
    made.once('close', () => listeners.forEach((listener) => void listener()));
    return made;
  });
  return {
    ...{ req, res: lazily(() => response.get()), seen: response.made },
    whenClosed: (listener) => void listeners.push(listener),
    close: () => void (response.made() && closeInner(response.get())),
  };
}

interface Once<T> {
  readonly get: () => T;
  readonly made: () => T | undefined;
}

function once<T extends object>(make: () => T): Once<T> {
  let value: T | undefined;
  return { get: () => (value ??= make()), made: () => value };
}

/** The enclosing request with what belongs to the operation. */
function innerRequest(outer: () => Request, method: string, inner: Plain): Request {
  const { params, query, body, headers } = inner;
  const own = { method, params, query, body, headers, dossier: undefined };
  const described = { writable: true, enumerable: true, configurable: true };
  const properties: PropertyDescriptorMap = {};
  for (const [name, value] of Object.entries({ ...own, url: inner.url, originalUrl: inner.url }))
    properties[name] = { value, ...described };
  const between = new Proxy(Object.create(null) as Request, {
    get: (_none, name, receiver) => Reflect.get(outer(), name, receiver) as unknown,
    set: (_none, name, value, receiver) => Reflect.set(outer(), name, value, receiver),
    has: (_none, name) => Reflect.has(outer(), name),
    getPrototypeOf: outer,
  });
  return Object.create(between, properties) as Request;
}

/** An object that is made when it is first looked at. */
const lazily = (get: () => Response): Response =>
  new Proxy({} as Response, {
    get: (_none, name) => Reflect.get(get(), name) as unknown,
    set: (_none, name, value) => Reflect.set(get(), name, value),
    has: (_none, name) => Reflect.has(get(), name),
    deleteProperty: (_none, name) => Reflect.deleteProperty(get(), name),
    defineProperty: (_none, name, given) => Reflect.defineProperty(get(), name, given),
    getPrototypeOf: () => Reflect.getPrototypeOf(get()),
  });

/**
 * A response without a connection: what a hook writes to it is not sent. It is closed when a hook begins to answer, or by
 * `closeInner`.
 */
function innerResponse(outer: Response, req: Request): Response {
  const bare = new ServerResponse(req);
  const res = Object.setPrototypeOf(bare, Object.getPrototypeOf(outer) as object) as Response;
  res.locals = { ...outer.locals };
  res.req = req;
  const writeHead = res.writeHead.bind(res) as (...given: unknown[]) => Response;
  res.writeHead = (...given: unknown[]) => {
    const written = writeHead(...given);
    closeInner(res);
    return written;
  };
  return res;
}

/** Notifies listeners of the response that it has ended. */
const closeInner = (res: Response): void => void process.nextTick(() => res.emit('close'));

/** A request without a connection, with the headers and the address of its caller. */
export function detachedRequest({ headers, ip }: Pick<Context, 'headers' | 'ip'>): readonly [Request, Response] {
  const bare = Object.assign(new IncomingMessage(new Socket()), { headers });
  const req = Object.setPrototypeOf(bare, app.request) as Request;
  Object.defineProperty(req, 'ip', { value: ip });
  const res = Object.setPrototypeOf(new ServerResponse(req), app.response) as Response;
  res.locals = {};
  res.req = req;
  req.res = res;
  return [req, res];
}
