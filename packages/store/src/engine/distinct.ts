/** Lists the distinct values of a field: by the keys of an index where they suffice, otherwise by reading documents. */
import { fieldsOfPaths } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import { type Collation, type Doc, sameCollation, type Value, valuesAt } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { DistinctValues } from './distinct-values.ts';
import { type ExactRanges, exactRanges } from './exact-ranges.ts';
import type { IndexTree } from './index-tree.ts';
import type { Operation } from './operation.ts';
import { type PreparedQuery, prepareQuery, type Query } from './query.ts';
import type { QueryContext } from './query-context.ts';
import { readGroups } from './read.ts';
import { readerOf } from './stored-document.ts';

/** The plan of a listing: ranges of an index, or a query whose documents are read. */
export type DistinctPlan =
  ({ readonly kind: 'ranges' } & ExactRanges) | { readonly kind: 'query'; readonly prepared: PreparedQuery };

/** Maximum bytes of the values. */
const maxBytes = 16 * 1024 * 1024;

/** Plans the listing of a field's values. An index serves it if both it and the filter concern that field alone. */
export function planDistinct(
  collection: Collection,
  path: string,
  query: Query,
  queryContext: QueryContext,
): DistinctPlan {
  const prepared = prepareQuery(collection, query, queryContext);
  const { filter, hint } = query;
  const { collation } = queryContext;
  const isForced = prepared.readPlan.plan.kind === 'text' || hint !== undefined;
  const ranges = isForced
    ? undefined
    : exactRanges(collection, { filter, hint, collation }, ({ spec }, paths) => {
        const isOfPath = spec.fields[0]?.path === path && paths.every((other) => other === path);
        return isOfPath && sameCollation(spec.collation, collation);
      });
  return ranges ? { kind: 'ranges', ...ranges } : { kind: 'query', prepared };
}

/** The distinct values of a field. @throws StoreError 17217 if they exceed 16 MB */
export async function distinctValues(
  collection: Collection,
  path: string,
  query: Query,
  queryContext: QueryContext,
): Promise<readonly Value[]> {
  const plan = planDistinct(collection, path, query, queryContext);
  const values = plan.kind === 'ranges' ? valuesIn(collection, path, plan) : read(path, plan.prepared, collection);
  return gathered(values, queryContext.collation, queryContext.work.operation);
}

/** The distinct values of a field of documents. @throws StoreError 17217 if they exceed 16 MB */
export function distinctIn(
  docs: AsyncIterable<Doc>,
  path: string,
  collation: Collation | undefined,
  operation: Operation,
): Promise<readonly Value[]> {
  async function* values(): AsyncGenerator<Value> {
    for await (const doc of docs) yield* valuesAt(doc, path);
  }
  return gathered(values(), collation, operation);
}

async function gathered(
  values: Iterable<Value> | AsyncIterable<Value>,
  collation: Collation | undefined,
  operation: Operation,
): Promise<readonly Value[]> {
  const found = new DistinctValues(collation);
  for await (const value of values) {
    found.add(value);
    if (found.size > maxBytes) throw new StoreError(17217, 'distinct too big, 16mb cap');
    if (operation.due()) await operation.yieldNow();
  }
  return found.values;
}

async function* read(path: string, { readPlan }: PreparedQuery, collection: Collection): AsyncGenerator<Value> {
  const docOf = readerOf(fieldsOfPaths([path]));
  for await (const group of readGroups(collection, readPlan))
    for (const stored of group) yield* valuesAt(docOf(stored), path);
}

/** The values of ranges of an index, each once. Later writes are not visible. */
function* valuesIn(collection: Collection, path: string, { tree, ranges }: ExactRanges): Generator<Value> {
  const frozen = collection.fork();
  const keys = frozen.trees.find(({ spec }) => spec === tree.spec) ?? tree;
  for (const range of ranges) {
    for (const value of keys.valuesIn(range)) {
      if (value === null) yield* nullIn(frozen, keys, path);
      else yield value;
    }
  }
}

/** Null if a document has it: those without the field have the same key. */
function* nullIn(collection: Collection, tree: IndexTree, path: string): Generator<Value> {
  for (const block of collection.between(tree, { low: [null], high: [null] }, { backwards: false })) {
    const found = block.flatMap(({ doc }) => valuesAt(doc, path));
    yield* found.slice(0, 1);
    if (found.length > 0) return;
  }
}
