/** Counts what a query finds: by the keys of an index alone where they decide, else by looking at the documents. */
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { compileFilter } from 'dossier-language/query';
import type { Collection } from './collection.ts';
import { filterOptions, type Surroundings } from './pipeline-context.ts';
import { isHint, type Plan } from './planner.ts';
import { prepareQuery, type Query } from './query.ts';
import { readGroups } from './read.ts';

/** The number of documents that a query finds, its skip and limit counted in. */
export async function countFound(collection: Collection, query: Query, surroundings: Surroundings): Promise<number> {
  const { filter, skip = 0, limit = 0 } = query;
  const counted = countByKeys(collection, query, surroundings);
  if (counted !== undefined) return Math.min(Math.max(0, counted - skip), limit === 0 ? counted : limit);
  const { reading } = prepareQuery(collection, query, surroundings);
  const every = reading.plan.kind === 'all' && Object.keys(filter).length === 0;
  const all = every ? collection.size : keysThatFit(reading.plan, filter);
  if (all !== undefined) return Math.min(Math.max(0, all - skip), limit === 0 ? all : limit);
  let n = 0;
  for await (const group of readGroups(collection, reading)) n += group.length;
  return n;
}

/** Operators that answer alike for all values with the same key, but for null. */
const keyOperators: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin', '$exists']);

/**
 * The number of documents by the counts that an index keeps of its keys: the filter is asked for each key once.
 * Undefined where it asks for several fields, or for more than keys can tell.
 */
function countByKeys(collection: Collection, query: Query, surroundings: Surroundings): number | undefined {
  const [path, other] = pathsOf(query.filter);
  if (path === undefined || other !== undefined || path.includes('.')) return undefined;
  if (isHint(query.hint) || surroundings.collation !== undefined) return undefined;
  const counts = collection.trees.find(({ spec, keyCounts }) => spec.fields[0]?.path === path && keyCounts)?.keyCounts;
  if (counts === undefined) return undefined;
  const matcher = compileFilter(query.filter, filterOptions(surroundings));
  let n = 0;
  for (const { value, count } of counts) {
    // the key of a field that is missing is null
    const docs: readonly Doc[] = value === null ? [{ [path]: null }, {}, { [path]: undefined }] : [{ [path]: value }];
    const [holds, ...others] = docs.map((doc) => matcher.matches(doc));
    if (others.some((answer) => answer !== holds)) return undefined;
    if (holds === true) n += count;
  }
  return n;
}

/** The different paths of a filter; none when a part of it is not a condition on one path that keys can answer. */
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

/** Whether the documents that equal a value are just those with that key in an index without arrays. */
const isPlain = (value: Value): boolean =>
  value !== null &&
  value !== undefined &&
  !Array.isArray(value) &&
  !isDoc(value) &&
  !(typeof value === 'object' && '_bsontype' in value && value._bsontype === 'BSONRegExp');

/** The number of keys, when the filter has nothing but equalities and an index without arrays answers all of them. */
function keysThatFit(plan: Plan, filter: Doc): number | undefined {
  if (plan.kind !== 'index' || plan.use.tree.multikey || plan.use.bounded !== Object.keys(filter).length)
    return undefined;
  const decided = Object.entries(filter).every(([path, value]) => !path.startsWith('$') && isPlain(value));
  if (!decided) return undefined;
  return plan.use.stretches.reduce((sum, { low, high }) => sum + plan.use.tree.count(low, high), 0);
}
