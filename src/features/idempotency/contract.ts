/** The interface of repeatable requests. */
import type { Principal, Recorder, ShapedJson } from '../../core.ts';
import type { AnswerSubject } from '../../operations/contract.ts';

export interface KeyedRequest {
  readonly principal: Principal;
  /** The header Idempotency-Key. */
  readonly key: string;
  /** What must be the same when the key is sent again: method, path, media type and body. */
  readonly content: unknown;
  /** Milliseconds that the request may take, where it is longer than others. */
  readonly timeoutMs?: number | undefined;
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** An answer to keep: its JSON, the parts of a failure, or content of another type. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The type of content that is no JSON, whose `body` is in Base64 then. */
  readonly type?: string;
  /** Undefined for an answer that cannot be repeated. */
  readonly body: unknown;
}

/** An answer that is to be kept for a claim, sealed. */
export interface SealedAnswer {
  /** The id of the record. */
  readonly _id: string;
  readonly claim: string;
  readonly sealed: string;
}

/** The right to run a request of a key, which one request at a time has. */
export interface Claim {
  /** The answer as it is kept by `Idempotency.write`. */
  kept(answer: StoredAnswer, subjects: readonly AnswerSubject[]): SealedAnswer;
  /** Frees the key, unless an answer is kept. */
  release(): Promise<void>;
}

/** An answer from before. */
export interface EarlierAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly type?: string;
  readonly body: ShapedJson;
}

/** Its entries are answers, kept with the writes of their requests: 409 when a claim has expired and another request has taken it over. */
export interface Idempotency
  extends Omit<Recorder<SealedAnswer>, 'write'>, Required<Pick<Recorder<SealedAnswer>, 'write'>> {
  /**
   * Claims a key, or finds the answer from before.
   * @throws 409 while another request has the claim, or for an answer that was not kept; 410 when the caller may no longer
   * read what it shows; 422 for a key of another request
   */
  claim(request: KeyedRequest): Promise<Claim | EarlierAnswer>;
}
