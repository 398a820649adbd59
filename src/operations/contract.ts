/** The interface of requests inside of a request, such as the operations of a batch. Any folder may import it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Failure } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { ShapedJson } from '../policy/shaped.ts';
import type { UnitOfWork } from '../write/contract.ts';

/** What an answer is about: a model, and the id of the document that it shows; an empty id is unknown. */
export interface AnswerSubject {
  readonly model: ModelEntry;
  readonly id: string | undefined;
}

/** One of the operations that a request consists of. */
export interface PartRequest {
  readonly method: string;
  /** The path and query string. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** What a part answers, as over HTTP. */
export interface PartAnswer {
  readonly status: number;
  readonly body: ShapedJson;
}

/** The answer of a part that has succeeded. */
export interface PartDone extends PartAnswer {
  readonly subject: AnswerSubject;
}

export interface Parts {
  /** @throws 400 for a path of no part, 405 */
  check(method: string, path: string): void;
  /**
   * Invokes a part, with its own rights, hooks and limits.
   * @throws Failure, and what hooks and models throw
   */
  invoke(request: PartRequest, unit: UnitOfWork | undefined): Promise<PartDone>;
  /** The failure for anything thrown. */
  failureFrom(thrown: unknown): Failure;
  /** The answer to a part that has failed. An error of the server is logged. */
  refuse(thrown: unknown, request: Pick<PartRequest, 'method' | 'path'>): PartAnswer;
}
