/** The answer that a handler makes with `reply`. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Answer } from '../../core.ts';
import type { ReplyParts } from '../../define/contract.ts';
import { internal } from '../../errors/errors.ts';
import { challengeOf } from '../../errors/failure.ts';

type TextAnswer = Extract<Answer, { kind: 'text' }>;

/** Headers that the server sets itself: those of the connection, of CORS, of throttles and of what browsers may do with answers. */
const ours =
  /^(?:connection|content-length|date|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|vary|referrer-policy|x-content-type-options|x-request-id|access-control-.*|ratelimit.*|www-authenticate)$/i;

/** @throws 500 for parts that no answer may have, whose cause names them in the log */
export async function answerOf({ status = 200, headers = {}, body }: ReplyParts): Promise<TextAnswer> {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw refused(`status must be a whole number from 200 to 599, got ${String(status)}`);
  const { type, others } = checkedHeaders(headers);
  const whole = wholeBody(body);
  const isText = body === undefined || typeof body === 'string';
  return {
    kind: 'text',
    status,
    type: type ?? (isText ? 'text/plain; charset=utf-8' : 'application/octet-stream'),
    headers: { ...(status === 401 ? challengeOf() : {}), ...others },
    body: whole ?? (await begun(chunksOf(body))),
  };
}

const refused = (why: string): Error => internal(new Error(`reply: ${why}`));

function checkedHeaders(headers: NonNullable<ReplyParts['headers']>): {
  readonly type: string | undefined;
  readonly others: Readonly<Record<string, string | readonly string[]>>;
} {
  let type: string | undefined;
  const others: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (ours.test(name)) throw refused(`the header ${name} is set by the server`);
    const values = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(values) || !values.every((one) => typeof one === 'string'))
      throw refused(`the header ${name} must be text or a list of texts`);
    checkHeader(name, values);
    if (name.toLowerCase() === 'content-type') type = values.join(', ');
    else others[name] = value;
  }
  return { type, others };
}

function checkHeader(name: string, values: readonly string[]): void {
  try {
    validateHeaderName(name);
    for (const value of values) validateHeaderValue(name, value);
  } catch (error) {
    throw refused(`the header ${JSON.stringify(name)} is not valid: ${(error as Error).message}`);
  }
}

/** A body in one piece; undefined for a stream. */
function wholeBody(body: unknown): string | Buffer | undefined {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined;
}

function chunksOf(body: unknown): AsyncIterable<unknown> {
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body) return body as AsyncIterable<unknown>;
  throw refused('body must be text, bytes or a stream of them: return a value without reply to answer with JSON');
}

/**
 * A stream whose first chunk has arrived, so that one that fails at once is an answer with a status. It is begun, so that ending it ends the
 * source too.
 */
async function begun(source: AsyncIterable<unknown>): Promise<AsyncGenerator<string | Uint8Array>> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  const body = piecesFrom(chunks, first);
  await body.next();
  return body;
}

async function* piecesFrom(
  chunks: AsyncIterator<unknown>,
  first: IteratorResult<unknown>,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield '';
    for (let next = first; next.done !== true; next = await chunks.next()) yield pieceOf(next.value);
  } finally {
    await chunks.return?.();
  }
}

function pieceOf(chunk: unknown): string | Uint8Array {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
  throw new TypeError('a stream of an answer must have chunks of text or bytes');
}
