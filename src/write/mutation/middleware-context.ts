/** What middleware of Mongoose finds of the request that it runs for, in `$locals` of documents and in the options of queries. */
import type { Api, ApiRequest } from '../../api/contract.ts';
import type { Actor } from '../../context.ts';
import { type WriteCaller, writeCallerOf } from '../../policy/principal.ts';
import type { Services } from '../../services.ts';
import type { Author, UnitOfWork, WriteProgress } from '../contract.ts';

/**
 * What middleware of Mongoose finds of the request that it runs for: `this.$locals.dossier` in that of documents, `this.options.dossier` in
 * that of queries. There is none where code runs Mongoose by itself.
 */
export interface MiddlewareContext {
  readonly caller: WriteCaller;
  /** Through what the caller acts where that is not the API itself, as in histories: `mcp`. */
  readonly via: string | undefined;
  /** Acts as the caller, in the unit of the write. */
  readonly api: Api;
}

/** A cause as it is: an actor (`writerOf`). */
interface Cause extends Omit<ApiRequest, 'unit' | 'progress'> {
  readonly services: Pick<Services, 'apis'>;
}

/** A request within the unit of work of its write. */
export interface WriteOfRequest {
  /** Undefined for the server itself, whose writes have no context. */
  readonly cause?: Author['cause'] | undefined;
  readonly unit?: UnitOfWork | undefined;
  readonly progress?: WriteProgress | undefined;
}

/** What an actor is about to write, before it is committed. */
export const writeOf = (actor: Actor): WriteOfRequest => ({ cause: actor, unit: actor.unit, progress: actor.progress });

/** Gives a document the context of a write, until it is given that of another one. @returns the document */
export function withContext<T extends object>(document: T, write: WriteOfRequest): T {
  if (write.cause !== undefined)
    define((document as unknown as { readonly $locals: object }).$locals, write.cause as Cause, write);
  return document;
}

/** The same for a query of Mongoose. */
export function queryWithContext<T extends object>(query: T, write: WriteOfRequest): T {
  if (write.cause !== undefined)
    define((query as unknown as { readonly options: object }).options, write.cause as Cause, write);
  return query;
}

/** Made when it is read, since most middleware does not. It is not enumerable: neither the log of the options nor the driver has it. */
function define(place: object, cause: Cause, write: WriteOfRequest): void {
  let made: MiddlewareContext | undefined;
  const get = (): MiddlewareContext => (made ??= contextOf(cause, write));
  Object.defineProperty(place, 'dossier', { get, configurable: true, enumerable: false });
}

function contextOf(cause: Cause, { unit, progress }: WriteOfRequest): MiddlewareContext {
  const { principal, services } = cause;
  // a unit that runs again drops what it has asked for
  const own = { unit, progress, ...(unit === undefined ? {} : { pending: undefined }) };
  let api: MiddlewareContext['api'] | undefined;
  return Object.freeze({
    caller: writeCallerOf(principal),
    via: principal.via,
    get api() {
      // reading the signal of a request costs, so it is not copied
      return (api ??= services.apis.of(Object.assign(Object.create(cause) as Cause, own)));
    },
  });
}
