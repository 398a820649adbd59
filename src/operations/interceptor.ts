/** Interceptors: steps around operations, which features contribute, for requests that carry a header. */
import type { Caller, Context, PastDocuments, Request } from '../context.ts';
import type { Services } from '../services.ts';
import type { Answer } from './answer.ts';
import type { Operation } from './operation.ts';

/** A request on its way to an operation. Nothing of it has been checked but its credentials. */
interface Intercepted {
  /** The value of the interceptor's header. */
  readonly value: string;
  readonly request: Request;
  readonly caller: Caller;
  /** Checks the rights of the caller, as the operation does first. @throws 401, 403, 404 */
  readonly authorise: () => void;
}

/** Receives the answer as the post-hooks leave it. Where the request is a unit of work, what it records is written with that. */
export type OnAnswer = (answer: Answer, context: Context) => Promise<void>;

/**
 * Runs the operation.
 * @param onAnswer makes the request one unit of work, where the database has transactions and no code of models runs
 * @returns undefined when a pre-hook has answered the request itself @throws as the operation does
 */
type Next = (onAnswer: OnAnswer) => Promise<Answer | undefined>;

/** Answers a request, by the operation or in its place. */
export type Around = (intercepted: Intercepted, next: Next) => Promise<Answer | undefined>;

/** A step around operations: before anything is checked, and after the post-hooks. */
export interface Interceptor {
  /** The header of the requests that it is for; others do not reach it. */
  readonly header: string;
  /** The header's description in OpenAPI. */
  readonly meaning: string;
  /** The headers that it adds to answers, which pages of other origins may read. */
  readonly answerHeaders: readonly string[];
  /** The statuses with which it makes requests fail. */
  readonly failures: readonly number[];
  /** Whether requests of an operation may carry the header. */
  readonly accepts: (operation: Operation) => boolean;
  /** Prepares it for an operation, once. @returns undefined where the operation ignores the header */
  readonly prepare: (operation: Operation, services: Services) => Around | undefined;
}

/** What operations are invoked with: the services, which they receive, and the interceptors, the outermost first. */
export interface InvokeServices extends Services {
  readonly interceptors: readonly Interceptor[];
  readonly past: PastDocuments | undefined;
}
