/** The addresses of the next and the previous page: the same request with another `page` or cursor, without credentials. */
import { isCredential } from '../query/parameter-table.ts';
import type { Cursors } from './cursors/cursors.ts';
import type { PageLinks, PageRows } from './plan-types.ts';

/** Where a page begins. */
export type PageStart = { readonly page: number } | { readonly after: string } | { readonly before: string };

/** @param url path and query string of the request @param base the public base URL, if any */
export function pageUrl(url: string, start: PageStart, base: string | undefined): string {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  for (const name of [...parameters.keys()]) if (isCredential(name)) parameters.delete(name);
  for (const name of ['page', 'after', 'before'].filter((one) => !(one in start))) parameters.delete(name);
  for (const [name, value] of Object.entries(start)) parameters.set(name, String(value));
  const relative = `${path.replace(/^\/+/, '/')}?${parameters.toString()}`;
  return base === undefined ? relative : base + relative;
}

/**
 * The links of a page whose rows have been read. A page that a number names has links with numbers, one that a cursor names has
 * links with cursors. Addresses with numbers are created once.
 * @param url path and query string of the request @param base the public base URL, if any @param page the number of the page
 */
export function pageLinksOf(
  url: string,
  base: string | undefined,
  page: number | undefined,
  { of }: Cursors,
): (fetched: PageRows) => PageLinks {
  const numbered = new Map<number, string>();
  const address = (cursor: 'after' | 'before', text: string | undefined, number: number): string | undefined => {
    if (page === undefined) return text && pageUrl(url, { [cursor]: text } as PageStart, base);
    const made = numbered.get(number) ?? pageUrl(url, { page: number }, base);
    numbered.set(number, made);
    return made;
  };
  return ({ rows, hasNext, hasPrevious }) => {
    const nextCursor = hasNext ? of?.(rows.at(-1)) : undefined;
    const prevCursor = hasPrevious ? of?.(rows[0]) : undefined;
    const next = hasNext ? address('after', nextCursor, (page ?? 0) + 1) : undefined;
    const prev = hasPrevious ? address('before', prevCursor, (page ?? 0) - 1) : undefined;
    return {
      ...(next === undefined ? {} : { next }),
      ...(prev === undefined ? {} : { prev }),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      ...(prevCursor === undefined ? {} : { prev_cursor: prevCursor }),
    };
  };
}
