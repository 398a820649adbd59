/** What requests mean under JXP: odd numbers of pages, the caller as code of models sees them, errors whose message is for the caller. */
import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<object | null>();

/** The user whose request is being answered; null for nobody. */
export const callerOf = (): object | null => callers.getStore() ?? null;

export const asCaller = <T>(user: object | undefined, work: () => T): T => callers.run(user ?? null, work);

type Texts = Record<string, unknown>;

/** What is no number, and 0, is no `limit`, and the first `page`. Without a `limit`, such a `page` means nothing. */
export function parameters<T extends object>(query: T): T {
  const { limit, page } = query as Texts;
  const noLimit = limit === undefined || isNothing(limit);
  const noPage = isNothing(page);
  if (!isNothing(limit) && !noPage) return query;
  const { limit: _limit, page: _page, ...rest } = query as Texts;
  const pages = noPage ? (noLimit ? {} : { page: '1' }) : page === undefined ? {} : { page };
  return Object.assign(Object.create(null) as T, rest, noLimit ? {} : { limit }, pages);
}

/** Text that JXP reads as no number or as 0. */
const isNothing = (value: unknown): boolean => typeof value === 'string' && !Number.parseInt(value, 10);

/** The body with the caller as `__user`, whatever the body says of it. */
export function callBody(body: unknown, user: object | undefined): unknown {
  if (typeof body === 'object' && body !== null && Array.isArray(body)) return body;
  if (typeof body === 'object' || body === undefined) return { ...body, __user: user ?? null };
  return body;
}

/** Errors of the package restify-errors: their message is what restify answers with. */
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
