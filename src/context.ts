/** A request and its caller as plain values, and what an operation is given of them (types only). They know no transport. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelEntry } from './models/entry.ts';
import type { Grant, Granted } from './policy/decide.ts';
import type { Principal } from './policy/principal.ts';
import type { Filter } from './query/filter.ts';
import type { ParameterTree } from './query/params.ts';
import type { Services } from './services.ts';
import type { UnitOfWork } from './write/contract.ts';

/** What is requested. */
export interface Request {
  /** The parts of the path that the operation names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParameterTree;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** The path and query string. */
  readonly url: string;
}

/** Who requests it. */
export interface Caller {
  readonly principal: Principal;
  /** The principal as they are now. @throws 401 when a credential no longer holds */
  readonly verify: () => Promise<Principal>;
  /** Where the request comes from, as far as `TRUST_PROXY` lets headers say so. */
  readonly address: string;
  /** Aborted when the caller hangs up, or a write has reached the time limit. */
  readonly stop: AbortController;
}

/** What narrows the documents that a request may reach. Each part has one owner; they are joined with each other and with the rights by AND. */
interface Restrictions {
  /** What the pre-hooks add. */
  readonly hook: Filter | undefined;
  /** The revisions that If-Match names, where a write has it. */
  readonly precondition: Filter | undefined;
}

/** What an operation is given. */
export interface Context extends Request, Omit<Caller, 'stop'> {
  readonly services: Services;
  readonly grant: Granted;
  readonly restrictions: Restrictions;
  readonly signal: AbortSignal;
  /** The unit of work that the request is a part of, where several requests are committed together. */
  readonly unit?: UnitOfWork;
}

/** The context of an operation that has a model in its path. */
export interface ModelContext extends Context {
  readonly model: ModelEntry;
  readonly grant: Grant;
}
