/** Answers as values, and the one place that writes a success to the response. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { answerTooLarge } from '../errors.ts';
import { stated, type EncodedJson, type Shaped, type Stated } from '../policy/shaped.ts';
import type { Reading } from '../services.ts';

export type Answer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly value: Shaped;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly body: EncodedJson;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** Anything that is no JSON, in one piece or, when it is large, piece by piece. */
      readonly kind: 'text';
      readonly type: string;
      readonly body: string | Buffer | AsyncGenerator<string>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** Text that goes on until the one who makes it ends it; begun already, so that nothing refuses it any more. */
      readonly kind: 'stream';
      readonly type: string;
      readonly body: AsyncGenerator<string>;
      /** Aborted to end it while nobody reads it. */
      readonly cut: AbortSignal;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'redirect'; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** What is shaped, or the server's own words; what is encoded already goes through `bytes`. */
export const json = <T>(value: T & Stated<T>, status = 200): Answer => ({
  kind: 'json',
  status,
  value: stated<T>(value),
});
/** JSON that is encoded already. */
export const bytes = ({ body, headers }: Reading): Answer => ({ kind: 'bytes', status: 200, body, headers });
export const data = <T>(value: T & Stated<T>): Answer => json({ data: stated<T>(value) });
/** Success without data, or with more beside it. */
export const ok = <T extends object>(message: string, more?: T & Stated<T>): Answer =>
  json({ status: 'ok', message, ...(more === undefined ? {} : (stated<T>(more) as object)) });
/** 201 with the address of what has been made. */
export const created = (location: string, message: string, value: Shaped): Answer => ({
  ...json({ status: 'ok', message, data: value }, 201),
  headers: { Location: location },
});
export const redirect = (url: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  kind: 'redirect',
  url,
  headers,
});

/** Text of another type than JSON. */
export const text = (
  type: string,
  body: string | Buffer | AsyncGenerator<string>,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ kind: 'text', type, body, headers });

/** An answer that a post-hook may see: one that ends. */
export type Whole = Exclude<Answer, { kind: 'redirect' | 'stream' }>;

/**
 * What a post-hook is given of an answer: plain data, or the whole of a text.
 * @param most bytes of a text @throws 413 when a streamed text is larger
 */
export async function valueOf(answer: Whole, most: number): Promise<unknown> {
  if (answer.kind === 'json') return answer.value;
  if (answer.kind === 'bytes') return JSON.parse(answer.body.toString());
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) return answer.body.toString();
  let whole = '';
  let bytes = 0;
  for await (const piece of answer.body) {
    whole += piece;
    bytes += Buffer.byteLength(piece);
    if (bytes > most) throw answerTooLarge(most);
  }
  return whole;
}

/** Writes an answer. @throws 413 when it is larger than the limit */
export function send(res: Response, answer: Answer, most: number): void | Promise<void> {
  if (answer.kind === 'text') return sendText(res, answer);
  if (answer.kind === 'stream') return sendStream(res, answer);
  if (answer.kind === 'redirect') {
    res.writeHead(302, { ...answer.headers, Location: answer.url, 'Content-Length': '0' }).end();
    return;
  }
  const body = answer.kind === 'bytes' ? answer.body : Buffer.from(JSON.stringify(answer.value) ?? 'null');
  if (body.length > most) throw answerTooLarge(most);
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  writeBody(res, answer.status, body);
}

/** Bytes up to which a body goes to the socket in one write together with its head, as Node does with texts only. */
const joinedUpTo = 16_384;

/** Writes a JSON body in one piece. */
export function writeBody(res: Response, status: number, body: Buffer): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length });
  if (res.req.method === 'HEAD') res.end();
  else if (body.length <= joinedUpTo) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

/** What comes piece by piece waits for a reader who is slow; when a piece fails, the connection is cut, so that nobody takes it for whole. */
async function sendText(res: Response, { type, body, headers }: Extract<Answer, { kind: 'text' }>): Promise<void> {
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  res.writeHead(200, {
    ...headers,
    'Content-Type': type,
    ...(isWhole ? { 'Content-Length': Buffer.byteLength(body) } : {}),
  });
  if (isWhole) res.end(res.req.method === 'HEAD' ? undefined : body);
  else if (res.req.method !== 'HEAD') await pipeline(Readable.from(noted(body, res)), res);
  else {
    res.end();
    await body.return(undefined);
  }
}

/** The pieces; a fault of theirs is noted, since whoever hangs up ends the answer as well. */
async function* noted(body: AsyncGenerator<string>, res: Response): AsyncGenerator<string> {
  try {
    yield* body;
  } catch (error) {
    res.locals['fault'] = !res.destroyed;
    throw error;
  }
}

async function sendStream(
  res: Response,
  { type, body, cut, headers }: Extract<Answer, { kind: 'stream' }>,
): Promise<void> {
  res.writeHead(200, { ...headers, 'Content-Type': type });
  if (res.req.method !== 'HEAD') return pipeline(Readable.from(body), res, { signal: cut });
  res.end();
  await body.return(undefined);
}
