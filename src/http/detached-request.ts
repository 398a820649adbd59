/** The Express request and response of an operation that no request encloses in this place, for its hooks. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import type { Context } from '../context.ts';

const app = express();

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
