/** The id of a request, by which a caller's report leads to the lines of the log. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';

/** The header that has it, in requests and in each answer. */
export const requestIdHeader = 'X-Request-Id';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;
/** The trace id of a `traceparent` (W3C Trace Context, 3.2.2): neither it nor the parent id is all zeros, and the version is not `ff`. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/** The id that the caller sends, if it is one of 8 to 64 of `A-Za-z0-9._-`; otherwise that of its trace; otherwise a new one. @param traceId of the span of the request */
export function newRequestId(headers: IncomingHttpHeaders, traceId?: string): string {
  const sent = headers['x-request-id'];
  if (typeof sent === 'string' && acceptable.test(sent)) return sent;
  const trace = headers['traceparent'];
  return (typeof trace === 'string' ? traceparent.exec(trace)?.[1] : undefined) ?? traceId ?? randomUUID();
}

/** The id of the request that a response answers. */
export const requestId = (res: Response): string => String((res.locals as { id?: unknown }).id ?? '');
