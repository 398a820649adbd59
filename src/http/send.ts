/** The one place that writes a success to the response. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { answerTooLarge } from '../errors/errors.ts';
import type { Answer } from '../operations/answer.ts';

/** Writes an answer. @throws 413 when it is larger than the limit */
export function send(
  res: Response,
  answer: Exclude<Answer, { kind: 'stream' }>,
  maxBytes: number,
): void | Promise<void> {
  if (answer.kind === 'text') return sendText(res, answer);
  if (answer.kind === 'redirect') {
    res.writeHead(302, { ...answer.headers, Location: answer.url, 'Content-Length': '0' }).end();
    return;
  }
  const body = answer.kind === 'bytes' ? answer.body : (JSON.stringify(answer.value) ?? 'null');
  const bytes = Buffer.byteLength(body);
  if (bytes > maxBytes) throw answerTooLarge(maxBytes, bytes);
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  writeBody(res, answer.status, body);
}

/** Maximum bytes of a body that goes to the socket in one write with its headers; Node does this for strings only. */
const maxJoinedBytes = 16_384;

/** Writes a JSON body in one piece. */
export function writeBody(res: Response, status: number, body: Buffer | string): void {
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  if (res.req.method === 'HEAD') res.end();
  else if (Buffer.isBuffer(body) && body.length <= maxJoinedBytes) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

const hasNoBody = (status: number): boolean => status === 204 || status === 304;

/** A streamed answer waits for a slow reader. When a chunk fails, the connection is cut, so that the answer cannot pass for complete. */
async function sendText(
  res: Response,
  { type, body, status = 200, headers }: Extract<Answer, { kind: 'text' }>,
): Promise<void> {
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  res.writeHead(status, {
    ...headers,
    // neither belongs to a status without a body (RFC 9110, 8.6)
    ...(hasNoBody(status)
      ? {}
      : { 'Content-Type': type, ...(isWhole ? { 'Content-Length': Buffer.byteLength(body) } : {}) }),
  });
  const isSent = res.req.method !== 'HEAD' && !hasNoBody(status);
  if (isWhole) res.end(isSent ? body : undefined);
  else if (isSent) await pipeline(Readable.from(recordingErrors(body, res)), res);
  else {
    res.end();
    await body.return(undefined);
  }
}

/** Passes the chunks on and records their error, because a caller that disconnects ends the answer too. */
async function* recordingErrors(
  body: AsyncGenerator<string | Uint8Array>,
  res: Response,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    res.locals['streamFailed'] = !res.destroyed;
    throw error;
  }
}
