/** A subscription over HTTP: Server-Sent Events as the body of a response that does not end. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Caller } from '../context.ts';
import type { SubscriptionRequest } from '../realtime/subscriptions/contract.ts';
import { eventStream } from '../realtime/subscriptions/event-stream.ts';
import type { Services } from '../services.ts';

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/**
 * Writes events until the caller disconnects or the subscription ends. @throws 400, 401, 403, 410, 429, 503 before the
 * response begins
 */
export async function sendEvents(
  res: Response,
  requested: SubscriptionRequest,
  { principal, verify, address, stop }: Caller,
  { subscribers, feed }: Services,
): Promise<void> {
  const cut = new AbortController();
  const counted = principal.user?.id ?? address;
  const body = eventStream(requested, {
    subscribers,
    feed,
    principal,
    verify,
    caller: counted,
    address,
    signal: stop.signal,
    cut,
  });
  // the subscription begins before the response, so that a refusal still gets its status
  await body.next();
  res.writeHead(200, headers);
  if (res.req.method !== 'HEAD') return pipeline(Readable.from(body), res, { signal: cut.signal });
  res.end();
  await body.return(undefined);
}
