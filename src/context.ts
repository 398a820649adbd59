/** The one request type: what a route's function is given (types only). It knows no transport. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Grant, Granted } from './policy/decide.ts';
import type { Principal } from './policy/principal.ts';
import type { Filter } from './language/filter.ts';
import type { ParameterTree } from './language/tree.ts';
import type { ModelEntry } from './registry/entry.ts';
import type { Services } from './services.ts';
import type { UnitOfWork } from './write/contract.ts';

export interface Context {
  readonly services: Services;
  readonly principal: Principal;
  /** The caller as they are now. @throws 401 when a credential no longer holds */
  readonly verify: () => Promise<Principal>;
  readonly grant: Granted;
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParameterTree;
  /** A pre-hook may change it. */
  body: unknown;
  /** What a pre-hook adds; only ever joined to the caller's own filters by AND. */
  filter: Filter | undefined;
  /** The revisions that If-Match names, where a write has it. */
  revision: Filter | undefined;
  /** The path and query string that were asked for. */
  readonly url: string;
  /** Where the request comes from, as far as `TRUST_PROXY` lets headers say so. */
  readonly address: string;
  /** The request's headers. */
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the caller hangs up, or a write has reached the time limit. */
  readonly signal: AbortSignal;
  /** The unit of work that the request is a part of, where several requests are committed together. */
  readonly unit?: UnitOfWork;
}

/** The context of a route that has a model in its path. */
export interface ModelContext extends Context {
  readonly model: ModelEntry;
  readonly grant: Grant;
}
