/** Answers as values; each transport writes them in its own way. */
import { answerTooLarge } from '../errors.ts';
import { stated, type EncodedJson, type Shaped, type Stated } from '../policy/shaped.ts';
import type { SubscriptionRequest } from '../realtime/subscriptions/contract.ts';
import type { Reading } from '../read/contract.ts';

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
      /** Events, which the transport delivers as they happen. */
      readonly kind: 'subscription';
      readonly request: SubscriptionRequest;
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
export const created = (location: string, message: string, value: Shaped | undefined): Answer => ({
  kind: 'json',
  status: 201,
  value: stated({ status: 'ok', message, ...(value === undefined ? {} : { data: value }) }),
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

/** An answer that a post-hook may see. */
export type Whole = Exclude<Answer, { kind: 'redirect' | 'subscription' }>;

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
