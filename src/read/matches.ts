/** A filter held against one document in memory, as the database would: by the embedded store's own matcher. */
import type { Filter } from '../language/filter.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { compileFilter } from '../store/query/index.ts';
import { readCollation } from '../store/values/collation.ts';
import type { Doc } from '../store/values/types.ts';

type Row = Readonly<Record<string, unknown>>;

/** A test for rows of a model; compiled once. The filter has been checked and cast before. */
export function matcherOf(filter: Filter, { schema }: ModelEntry): (row: Row) => boolean {
  const { collation } = schema.options;
  const matcher = compileFilter(filter as Doc, { collation: collation && readCollation({ ...collation }) });
  return (row) => matcher.matches(row as Doc);
}
