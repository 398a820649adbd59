/** The addresses of the next and the previous page: those of the list with another `page` or cursor. */
import type { Cursors } from './cursors/cursors.ts';
import type { PageLinks, PageRows } from './plan-types.ts';

/**
 * The links of a page whose rows have been read. A page that a number names has links with numbers, one that a cursor names has
 * links with cursors.
 * @param pagesAt the address of the list up to the name of a parameter @param page the number of the page
 */
export function pageLinksOf(
  pagesAt: string,
  page: number | undefined,
  { of }: Cursors,
): (fetched: PageRows) => PageLinks {
  const address = (cursor: 'after' | 'before', text: string | undefined, number: number): string | undefined =>
    page === undefined ? text && `${pagesAt}${cursor}=${encodeURIComponent(text)}` : `${pagesAt}page=${number}`;
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
