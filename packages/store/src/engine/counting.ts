/** Counts the documents of a query: by index keys alone where they suffice, otherwise by reading documents. */
import { compileFilter } from 'dossier-language/query';
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { isHint, type Plan } from './planner.ts';
import { prepareQuery, type Query } from './query.ts';
import { filterOptions, type QueryContext } from './query-context.ts';
import { readGroups } from './read.ts';

/** The number of documents of a query, after its skip and limit. */
export async function countFound(collection: Collection, query: Query, queryContext: QueryContext): Promise<number> {
  const { filter, skip = 0, limit = 0 } = query;
  const { reading } = prepareQuery(collection, query, queryContext);
  const every = reading.plan.kind === 'all' && Object.keys(filter).length === 0;
  const all = every
    ? collection.size
    : (keysThatFit(reading.plan, filter) ?? countByKeys(collection, query, queryContext));
  if (all !== undefined) return Math.min(Math.max(0, all - skip), limit === 0 ? all : limit);
  let n = 0;
  for await (const group of readGroups(collection, reading)) n += group.length;
  return n;
}

/** Operators whose result is the same for all values with the same key, except null. */
const keyOperators: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin', '$exists']);

/**
 * Counts documents by the key counts of an index: the filter is evaluated once per key. Undefined if the filter uses
 * several fields, or if keys cannot answer it.
 */
function countByKeys(collection: Collection, query: Query, queryContext: QueryContext): number | undefined {
  const [path, other] = pathsOf(query.filter);
  if (path === undefined || other !== undefined || path.includes('.')) return undefined;
  if (isHint(query.hint) || queryContext.collation !== undefined) return undefined;
  const indexes = collection.trees.filter(({ spec }) => spec.fields[0]?.path === path);
  const counts = indexes.map(({ keyCounts }) => keyCounts).find((found) => found !== undefined);
  if (counts === undefined) return undefined;
  const matcher = compileFilter(query.filter, filterOptions(queryContext));
  let n = 0;
  for (const { value, count } of counts) {
    // a missing field has the key null
    const docs: readonly Doc[] = value === null ? [{ [path]: null }, {}, { [path]: undefined }] : [{ [path]: value }];
    const [holds, ...others] = docs.map((doc) => matcher.matches(doc));
    if (others.some((answer) => answer !== holds)) return undefined;
    if (holds === true) n += count;
  }
  return n;
}

/** The distinct paths of a filter; empty if a part of it is not a condition that keys can answer. */
function pathsOf(filter: Doc): readonly string[] {
  const paths = Object.entries(filter).map(([name, value]) => {
    if (name === '$and' && Array.isArray(value)) return value.map((part) => (isDoc(part) ? pathsOf(part) : []));
    return name.startsWith('$') || !asksForKeys(value) ? [] : [[name]];
  });
  const parts = paths.flatMap((found) => (found.length === 0 ? [[]] : found));
  return parts.some((part) => part.length === 0) ? [] : [...new Set(parts.flat())];
}

function asksForKeys(value: Value): boolean {
  if (!isDoc(value)) return isPlain(value);
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => keyOperators.has(name));
}

/** Whether the documents that equal a value are exactly those with its key in an index without arrays. */
const isPlain = (value: Value): boolean =>
  value !== null &&
  value !== undefined &&
  !Array.isArray(value) &&
  !isDoc(value) &&
  !(typeof value === 'object' && '_bsontype' in value && value._bsontype === 'BSONRegExp');

/** The number of keys, if the filter consists of equalities that one index without arrays answers. */
function keysThatFit(plan: Plan, filter: Doc): number | undefined {
  if (plan.kind !== 'index' || plan.use.tree.multikey || plan.use.bounded !== Object.keys(filter).length)
    return undefined;
  const decided = Object.entries(filter).every(([path, value]) => !path.startsWith('$') && isPlain(value));
  if (!decided) return undefined;
  return plan.use.ranges.reduce((sum, { low, high }) => sum + plan.use.tree.count(low, high), 0);
}
