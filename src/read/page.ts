/** The rows of a page, and whether there are rows on both sides of it. */
import { allOf } from '../query/and.ts';
import { countRows, fetchSlice, type Source } from './fetch.ts';
import type { ListPlan, PageRows } from './plan-types.ts';

/** Reads a page with one row more, which shows that there is a further page. */
export async function fetchPage(plan: ListPlan, source: Source): Promise<PageRows> {
  const { limit, skip, page } = plan.page;
  const { start } = plan.cursors;
  if (start?.isBefore === true) return fetchBefore(plan, source);
  const slice = { range: start?.range, isReversed: false, skip, limit: limit === undefined ? undefined : limit + 1 };
  const fetched = await fetchSlice(plan, slice, source);
  const hasNext = limit !== undefined && fetched.length > limit;
  const hasPrevious = start !== undefined || (page !== undefined && page > 1);
  return { rows: hasNext ? fetched.slice(0, limit) : fetched, hasNext, hasPrevious };
}

async function fetchBefore(plan: ListPlan, source: Source): Promise<PageRows> {
  const { limit } = plan.page;
  const maxRows = limit === undefined ? undefined : limit + 1;
  const range = plan.cursors.start?.range;
  const fetched = plan.order.some(({ lists }) => lists.length > 0)
    ? await fetchLast(plan, maxRows, source)
    : (await fetchSlice(plan, { range, isReversed: true, skip: 0, limit: maxRows }, source)).reverse();
  const hasPrevious = limit !== undefined && fetched.length > limit;
  return { rows: hasPrevious ? fetched.slice(-limit) : fetched, hasNext: true, hasPrevious };
}

/**
 * The last rows before a position in an order by lists. It cannot be read backwards, because ascending the least member of a list
 * counts and descending the greatest one. It is read to its end, so that rows inserted since the count are not left out.
 */
async function fetchLast(plan: ListPlan, maxRows: number | undefined, source: Source): Promise<Buffer[]> {
  const range = plan.cursors.start?.range;
  const filter = allOf([plan.filter, range]);
  const skip = maxRows === undefined ? 0 : Math.max(0, (await countRows({ ...plan, filter }, source)) - maxRows);
  const fetched = await fetchSlice(plan, { range, isReversed: false, skip, limit: undefined }, source);
  return maxRows === undefined ? fetched : fetched.slice(-maxRows);
}
