/** The interface of repeatable requests. Any folder may import it. */
import type { ClientSession } from 'mongoose';
import type { ModelEntry } from '../models/entry.ts';
import type { Principal } from '../policy/principal.ts';
import type { Shaped } from '../policy/shaped.ts';

/** A request with a key. */
export interface KeyedRequest {
  readonly principal: Principal;
  /** The header Idempotency-Key. */
  readonly key: string;
  /** What must be the same when the key is sent again: method, path, media type and body. */
  readonly content: unknown;
}

/** What the answer to a request is about: a model, and the id of the document that it shows; an empty id is unknown. */
export interface AnswerSubject {
  readonly model: ModelEntry;
  readonly id: string | undefined;
}

/** An answer to keep: its JSON, or the parts of a failure. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an answer that cannot be repeated. */
  readonly body: unknown;
}

/** The right to run a request of a key, which one request at a time has. */
export interface Claim {
  /**
   * Keeps the answer. @param session of the transaction of the request's writes
   * @throws 409 when the claim has expired and another request has taken it over
   */
  keep(answer: StoredAnswer, subjects: readonly AnswerSubject[], session: ClientSession | undefined): Promise<void>;
  /** Frees the key, unless an answer is kept. */
  release(): Promise<void>;
}

/** An answer from before. */
export interface Repeated {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Shaped;
}

export interface Idempotency {
  /**
   * Claims a key, or finds the answer from before.
   * @throws 409 while another request has the claim, or for an answer that was not kept; 410 when the caller may no longer
   * read what it shows; 422 for a key of another request
   */
  claim(request: KeyedRequest): Promise<Claim | Repeated>;
}
