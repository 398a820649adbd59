/** Prepares a query: compiles its filter and sort, plans it and starts its text search. */
import { fieldsOfFilter, fieldsOfPaths } from 'dossier-language/aggregate';
import { noTextScore, StoreError } from 'dossier-language/errors';
import { compileFilter, type Matcher, textQueryOf } from 'dossier-language/query';
import { compileSort } from 'dossier-language/sort';
import type { Collation, Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import type { SortField } from './bounds.ts';
import type { Collection } from './collection.ts';
import { byId } from './id-order.ts';
import { type HitOrder, isHint, type Plan, planFor, sortFieldsOf } from './planner.ts';
import { filterOptions, type QueryContext } from './query-context.ts';
import type { ExaminedCounts, ReadPlan } from './read.ts';
import { type Skipping, unmatchedOf } from './skipping.ts';
import { readerOf, type StoredDocument } from './stored-document.ts';
import type { TextHit } from './text-tree.ts';

/** A query as a command gives it. */
export interface Query {
  readonly filter: Doc;
  readonly sort?: Doc | undefined;
  readonly skip?: number;
  /** 0 means no limit. */
  readonly limit?: number;
  readonly hint?: Value;
}

/** A prepared query. */
export interface PreparedQuery {
  readonly readPlan: ReadPlan;
  readonly matcher: Matcher;
  readonly counts: ExaminedCounts;
  /** The text score of a document, if the filter has `$text`. */
  readonly textScore: ((doc: Doc) => number) | undefined;
}

/** A text search: its documents in batches, and the scores of those returned so far. */
interface TextResult {
  readonly found: Iterable<readonly StoredDocument[]>;
  readonly scores: WeakMap<Doc, number>;
  readonly holds: (doc: Doc) => boolean;
}

/** Compiles and plans a query. */
export function prepareQuery(collection: Collection, query: Query, queryContext: QueryContext): PreparedQuery {
  const { filter, sort } = query;
  const order = sort && Object.keys(sort).length > 0 ? sort : undefined;
  const sortFields = order ? sortFieldsOf(order) : [];
  const hitOrder = hitOrderOf(order, sortFields, queryContext.collation ?? collection.collation);
  const text = searchText(collection, query, { ...queryContext, hitOrder, backwards: sortFields[0]?.direction === -1 });
  const scoreOf = text && ((doc: Doc) => text.scores.get(doc) ?? 0);
  const matcher = compileFilter(filter, {
    ...filterOptions(queryContext),
    ...(text ? { text: text.holds } : {}),
  });
  const counts: ExaminedCounts = { keys: 0, documents: 0 };
  const { skip = 0, limit = 0, hint } = query;
  const { collation } = queryContext;
  const count = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const plan: Plan = text
    ? { kind: 'text', order: hitOrder, index: collection.text?.spec.name }
    : planFor(collection, { filter, sort: sortFields, count, hint, collation });
  if (plan.kind === 'index' && queryContext.isExplained !== true) plan.use.tree.uses.count += 1;
  const readPlan: ReadPlan = {
    plan,
    matcher,
    ...readersOf(filter, sortFields, scoreOf !== undefined),
    sort: order && orderOf(order, queryContext, scoreOf),
    sortFields,
    collation,
    skip,
    unmatched: unmatchedPlan(collection, { plan, filter, skip, collation }, queryContext),
    limit,
    work: queryContext.work,
    counts,
    memoryBytes: queryContext.limits.commandBytes,
    ...(text ? { found: text.found } : {}),
    ...(scoreOf ? { scoreOf } : {}),
  };
  return { readPlan, matcher, counts, textScore: scoreOf };
}

/** The read plan of the documents that a plan finds and a query does not match, if they can be read rather than those to skip. */
function unmatchedPlan(collection: Collection, query: Skipping, queryContext: QueryContext): ReadPlan['unmatched'] {
  const unmatched = unmatchedOf(collection, query);
  return unmatched === undefined || unmatched === 'none'
    ? unmatched
    : prepareQuery(collection, { filter: unmatched }, queryContext).readPlan;
}

/** Scores are found by the whole document. */
const readersOf = (
  filter: Doc,
  sortFields: readonly SortField[],
  hasScores: boolean,
): Pick<ReadPlan, 'filterDoc' | 'sortDoc'> => ({
  filterDoc: readerOf(fieldsOfFilter(filter)),
  sortDoc: readerOf(hasScores ? undefined : fieldsOfPaths(sortFields.map(({ path }) => path))),
});

/** The order of hits that serves a sort best. With a collation the ids are sorted afterwards. */
function hitOrderOf(sort: Doc | undefined, [field]: readonly SortField[], collation: Collation | undefined): HitOrder {
  if (!isDoc(Object.values(sort ?? {})[0])) return 'natural';
  return field?.path === '_id' && collation === undefined ? 'score and id' : 'score';
}

/** The context of a text search. */
interface SearchContext extends QueryContext {
  readonly hitOrder: HitOrder;
  /** Whether ids are in descending order. */
  readonly backwards: boolean;
}

function orderOf(
  order: Doc,
  queryContext: QueryContext,
  scoreOf: ((doc: Doc) => number) | undefined,
): ReadPlan['sort'] {
  if ('$natural' in order) return undefined;
  const meta = Object.values(order).some((direction) => isDoc(direction));
  if (meta && scoreOf === undefined) {
    throw noTextScore();
  }
  return compileSort(order, queryContext.collation, scoreOf);
}

function searchText(
  collection: Collection,
  { filter, sort, hint }: Query,
  queryContext: SearchContext,
): TextResult | undefined {
  const query = textQueryOf(filter);
  if (query === undefined) return undefined;
  if (isHint(hint)) throw new StoreError(2, 'text and hint not allowed in same query');
  if (sort !== undefined && '$natural' in sort)
    throw new StoreError(2, 'text and a sort by $natural not allowed in same query');
  if (queryContext.view.transaction)
    throw new StoreError(263, '$text is not supported in a transaction by the embedded store; use a MongoDB server');
  if (!collection.exists) return { found: [], scores: new WeakMap(), holds: () => false };
  if (collection.text === undefined) throw new StoreError(27, 'text index required for $text query');
  const { hitOrder, backwards, limits } = queryContext;
  const documents = collection.snapshot();
  const [index] = hitOrder === 'score and id' ? collection.trees : [];
  const { hits, holds } = collection.text.search(query, {
    documents,
    byScore: hitOrder !== 'natural',
    ties: index && byId({ index: index.clone(), documents, backwards, maxBytes: limits.commandBytes }),
    memoryBytes: limits.commandBytes,
  });
  const scores = new WeakMap<Doc, number>();
  return { found: scored(hits, scores, () => checkSearched(collection, queryContext)), scores, holds };
}

/** Records the scores of the documents that it yields. */
function* scored(
  batches: Iterable<readonly TextHit[]>,
  scores: WeakMap<Doc, number>,
  check: () => void,
): Generator<readonly StoredDocument[]> {
  for (const batch of batches) {
    check();
    yield batch.map(({ stored, score }) => {
      const pinned = stored.pinned();
      scores.set(pinned.doc, score);
      return pinned;
    });
  }
}

/**
 * @throws StoreError 175 if another command dropped or renamed the collection, or dropped the index, during the search
 */
function checkSearched(collection: Collection, { view }: QueryContext): void {
  const { db, name, ns, text } = collection;
  if (text === undefined || view.find(db, name) !== collection)
    throw new StoreError(175, `the collection ${ns} or its text index was dropped or renamed during the search`);
}
