/** The addresses of the next and the previous page: the same request with another `page` or cursor, without credentials. */
import type { ModelContext } from '../context.ts';
import { baseUrl } from '../settings/public-url.ts';
import type { PageRows } from './page.ts';
import type { ListPlan } from './plan-types.ts';

const credentials = /^(apikey|jwt)$/i;

/** Where a page begins. */
export type PageStart = { readonly page: number } | { readonly after: string } | { readonly before: string };

/** @param url path and query string of the request @param base the public base URL, if any */
export function pageUrl(url: string, start: PageStart, base: string | undefined): string {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  for (const name of [...parameters.keys()]) if (credentials.test(name.replace(/\[.*$/, ''))) parameters.delete(name);
  for (const name of ['page', 'after', 'before'].filter((one) => !(one in start))) parameters.delete(name);
  for (const [name, value] of Object.entries(start)) parameters.set(name, String(value));
  const relative = `${path.replace(/^\/+/, '/')}?${parameters.toString()}`;
  return base === undefined ? relative : base + relative;
}

/** The members of a list answer that lead to the pages beside it. */
export interface Neighbours {
  readonly next?: string;
  readonly prev?: string;
  readonly next_cursor?: string;
  readonly prev_cursor?: string;
}

/** A page that a number names has neighbours with numbers, one that a cursor names has neighbours with cursors. */
export function neighbours({ url, services }: ModelContext, plan: ListPlan, fetched: PageRows): Neighbours {
  const { page } = plan.page;
  const { rows, hasNext, hasPrevious } = fetched;
  const { of } = plan.cursors;
  const base = baseUrl(services.settings);
  const nextCursor = hasNext ? of?.(rows.at(-1)) : undefined;
  const prevCursor = hasPrevious ? of?.(rows[0]) : undefined;
  const next = page === undefined ? nextCursor && { after: nextCursor } : hasNext && { page: page + 1 };
  const prev = page === undefined ? prevCursor && { before: prevCursor } : hasPrevious && { page: page - 1 };
  return {
    ...(next ? { next: pageUrl(url, next, base) } : {}),
    ...(prev ? { prev: pageUrl(url, prev, base) } : {}),
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    ...(prevCursor === undefined ? {} : { prev_cursor: prevCursor }),
  };
}
