/** The members of a list answer that count its rows. */
import { countRows, type Source } from './fetch.ts';
import { maxCounted } from './limits.ts';
import type { ListPlan } from './plan-types.ts';

export interface CountResult {
  /** -1 in a collection that is too large to count. */
  readonly count?: number;
  /** What the count is; missing where nothing was counted. */
  readonly count_is?: 'exact' | 'at_least' | 'estimate';
  readonly page_count?: number;
}

/** `count=capped` counts up to this number. */
const maxCapped = 10_000;

/**
 * Counts the rows of a list, whatever its page, as the caller wants them counted.
 * @param size the estimated number of documents in the collection
 */
export async function countOf(plan: ListPlan, size: number, source: Source): Promise<CountResult> {
  const { page, isWhole } = plan;
  switch (page.count) {
    case undefined:
      return {};
    case 'exact':
      if (size > maxCounted) return { count: -1, page_count: -1 };
      return withPages(plan, { count: await countRows(plan, source), count_is: 'exact' });
    case 'estimated':
      if (isWhole) return withPages(plan, { count: size, count_is: 'estimate' });
      return capped(plan, source);
    case 'capped':
      return capped(plan, source);
  }
}

async function capped(plan: ListPlan, source: Source): Promise<CountResult> {
  const count = await countRows(plan, source, maxCapped + 1);
  return count > maxCapped
    ? withPages(plan, { count: maxCapped, count_is: 'at_least' })
    : withPages(plan, { count, count_is: 'exact' });
}

const withPages = ({ page: { limit } }: ListPlan, counted: CountResult & { readonly count: number }): CountResult => ({
  ...counted,
  page_count: Math.ceil(counted.count / (limit ?? Math.max(counted.count, 1))),
});
