/** Answers as values. Each transport writes them in its own way. */
import { turnForJson } from '../async/yield.ts';
import { answerTooLarge } from '../errors/errors.ts';
import type { EncodedJson, ServerValue, ShapedJson } from '../policy/shaped.ts';
import type { EncodedAnswer } from '../read/contract.ts';
import type { AnswerSubject } from './contract.ts';

/** The request headers that every answer may depend on: the value of `Vary`. */
export const variesBy = 'Authorization, x-api-key, Origin';

/** Text that is sent as it is made, for as long as the caller stays. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Begins the text. The first chunk is empty and follows all checks that can refuse the request. What stops reading must return the
   * generator.
   * @param cut aborted to cut off a caller who does not read @throws Failure from the first chunk
   */
  readonly begin: (cut: AbortController) => AsyncGenerator<string>;
}

interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly value: ShapedJson;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it is about, where that is not the document of the request. */
  readonly subjects?: readonly AnswerSubject[];
  /** It describes how the documents are found that post-hooks would receive. */
  readonly isPlan?: true;
}

export type Answer =
  | JsonAnswer
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly body: EncodedJson;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** Any content other than JSON: in one piece or, if it is large, in chunks. */
      readonly kind: 'text';
      readonly type: string;
      readonly body: string | Buffer | AsyncGenerator<string | Uint8Array>;
      /** 200 by default. */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    }
  | StreamAnswer
  | { readonly kind: 'redirect'; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** Marks the server's own values as shaped. */
export const serverValue = <T>(value: T & ServerValue<T>): ShapedJson => value as unknown as ShapedJson;

/** A shaped value, or the server's own text. An encoded value goes through `bytes`. */
export const json = <T>(value: T & ServerValue<T>, status = 200): JsonAnswer => ({
  kind: 'json',
  status,
  value: serverValue<T>(value),
});
/** JSON that is already encoded. */
export const bytes = ({ body, headers }: EncodedAnswer): Answer => ({ kind: 'bytes', status: 200, body, headers });
export const data = <T>(value: T & ServerValue<T>): Answer => json({ data: serverValue<T>(value) });
/** Success without data, or with further fields. */
export const success = <T extends object>(message: string, more?: T & ServerValue<T>): Answer =>
  json({ status: 'ok', message, ...(more === undefined ? {} : (serverValue<T>(more) as object)) });
/** 201 with the address of the new document. */
export const creationAnswer = (location: string, message: string, value: ShapedJson | undefined): Answer => ({
  kind: 'json',
  status: 201,
  value: serverValue({ status: 'ok', message, ...(value === undefined ? {} : { data: value }) }),
  headers: { Location: location },
});
export const redirect = (url: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  kind: 'redirect',
  url,
  headers,
});

/** Text of a type other than JSON. */
export const text = (
  type: string,
  body: string | Buffer | AsyncGenerator<string>,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ kind: 'text', type, body, headers });

/** The id of the document that an answer shows; undefined when it shows none. */
export function answerId(answer: Answer, id: string | undefined): string | undefined {
  const { data: shown } = (answer.kind === 'json' ? answer.value : {}) as {
    readonly data?: { readonly _id?: unknown };
  };
  return shown === undefined ? undefined : String(shown._id ?? id ?? '');
}

/** An answer that a post-hook may see. */
export type HookableAnswer = Exclude<Answer, { kind: 'redirect' | 'stream' }>;

/**
 * The value that a post-hook receives: plain data, or the whole text.
 * @param maxBytes of a text @throws 413 when a streamed text is larger
 */
export async function valueOf(answer: HookableAnswer, maxBytes: number): Promise<unknown> {
  if (answer.kind === 'json') return answer.value;
  if (answer.kind === 'bytes') {
    await turnForJson(answer.body.length);
    return JSON.parse(answer.body.toString());
  }
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) return answer.body.toString();
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.body) {
    pieces.push(Buffer.from(piece));
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) throw answerTooLarge(maxBytes);
  }
  return Buffer.concat(pieces).toString();
}
