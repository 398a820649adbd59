/** A filter held against one document in memory, as the database would: by the embedded store's own matcher. */
import type { Filter } from '../language/filter.ts';
import { compileFilter } from '../store/query/index.ts';
import type { Doc } from '../store/values/types.ts';

type Row = Readonly<Record<string, unknown>>;

/** A test for rows; compiled once. The filter has been checked and cast before. */
export function matcherOf(filter: Filter): (row: Row) => boolean {
  const matcher = compileFilter(filter as Doc);
  return (row) => matcher.matches(row as Doc);
}
