/** The Express request and response that hooks receive for an operation inside of the server. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import type { Context, Request as Plain } from '../context.ts';

const app = express();

/** The enclosing request with what belongs to the operation. */
export function innerRequest(outer: Request, method: string, inner: Plain): Request {
  const { url, params, query, body, headers } = inner;
  const own = { method, url, originalUrl: url, params, query, body, headers };
  const properties = Object.entries(own).map(([name, value]) => [
    name,
    { value, writable: true, enumerable: true, configurable: true },
  ]);
  return Object.create(outer, Object.fromEntries(properties) as PropertyDescriptorMap) as Request;
}

/**
 * A response without a connection: what a hook writes to it is not sent. It is closed when a hook begins to answer, or by
 * `closeInner`.
 */
export function innerResponse(outer: Response, req: Request): Response {
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
export const closeInner = (res: Response): void => void process.nextTick(() => res.emit('close'));

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
