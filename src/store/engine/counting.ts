/** Counts what a query finds: by the keys of an index alone where they decide, else by looking at the documents. */
import type { Doc, Value } from '../values/types.ts';
import { isDoc } from '../values/kind.ts';
import type { Collection } from './collection.ts';
import type { Surroundings } from './pipeline-context.ts';
import type { Plan } from './planner.ts';
import { prepareQuery, type Query } from './query.ts';
import { readGroups } from './read.ts';

/** The number of documents that a query finds, its skip and limit counted in. */
export async function countFound(collection: Collection, query: Query, surroundings: Surroundings): Promise<number> {
  const { filter, skip = 0, limit = 0 } = query;
  const { reading } = prepareQuery(collection, query, surroundings);
  const every = reading.plan.kind === 'all' && Object.keys(filter).length === 0;
  const all = every ? collection.size : keysThatFit(reading.plan, filter);
  if (all !== undefined) return Math.min(Math.max(0, all - skip), limit === 0 ? all : limit);
  let n = 0;
  for await (const group of readGroups(collection, reading)) n += group.length;
  return n;
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
