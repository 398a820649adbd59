/**
 * The conventions of JXP for requests: invalid page numbers, the caller as seen by code of models, errors whose message is for
 * the caller.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isSecretPath } from '../models/secrets.ts';

const callers = new AsyncLocalStorage<object | null>();

/** The user of the current request; null for anonymous callers. */
export const callerOf = (): object | null => callers.getStore() ?? null;

export const asCaller = <T>(user: object | undefined, work: () => T): T => callers.run(user ?? null, work);

type Texts = Record<string, unknown>;

/**
 * Applies JXP's rules for numbers: 0 and values that are not numbers mean no `limit` and the first `page`. Without a `limit`,
 * such a `page` is ignored.
 */
export function parameters<T extends object>(query: T): T {
  const { limit, page } = query as Texts;
  const noLimit = limit === undefined || isNothing(limit);
  const noPage = isNothing(page);
  if (!isNothing(limit) && !noPage) return query;
  const { limit: _limit, page: _page, ...rest } = query as Texts;
  const pages = noPage ? (noLimit ? {} : { page: '1' }) : page === undefined ? {} : { page };
  return Object.assign(Object.create(null) as T, rest, noLimit ? {} : { limit }, pages);
}

/** Whether JXP reads a string as 0 or as no number. */
const isNothing = (value: unknown): boolean => typeof value === 'string' && !Number.parseInt(value, 10);

/** The body with the caller as `__user`, which replaces any value in the body. */
export function callBody(body: unknown, user: object | undefined): unknown {
  if (typeof body === 'object' && body !== null && Array.isArray(body)) return body;
  if (typeof body === 'object' || body === undefined) return { ...body, __user: user ?? null };
  return body;
}

/** Whether an error is of the package restify-errors, whose messages restify sends to the caller. */
export function isForCaller(error: object): boolean {
  const { body } = error as { readonly body?: { readonly message?: unknown } };
  const isRestify = constructorsOf(error).some(({ displayName }) => displayName === 'HttpError');
  return isRestify && typeof body?.message === 'string';
}

interface Named {
  readonly displayName?: unknown;
}

/** The classes of an object, the nearest first. */
function constructorsOf(error: object): readonly Named[] {
  const found: Named[] = [];
  for (let at: unknown = Object.getPrototypeOf(error); at !== null; at = Object.getPrototypeOf(at)) {
    const made = (at as { readonly constructor?: unknown }).constructor;
    if (typeof made === 'function') found.push(made as Named);
  }
  return found;
}

/** The values of a body, in which an empty text means no value, as forms send it. An empty password is refused as without the preload. */
export const values = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === '' && !isSecretPath(name) ? null : value]),
  );

/** Characters of a message that JXP sends to the caller, at most. */
const maxMessage = 200;

/** Whether an error is one that save middleware makes for the caller, rather than one of the database, the system or a mistake. */
export const refusesSave = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'Error' &&
  !('code' in error) &&
  error.message.length < maxMessage &&
  !error.message.includes(' at ');
