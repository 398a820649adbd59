/** Prepares a query for reading: the compiled filter and order, the plan, and the text search. */
import { noTextScore, StoreError } from 'dossier-language/errors';
import { compileFilter, textQueryOf, type Matcher } from 'dossier-language/query';
import { compileSort } from 'dossier-language/sort';
import { isDoc } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { filterOptions, type Surroundings } from './pipeline-context.ts';
import { isHint, planFor, sortFieldsOf } from './planner.ts';
import type { Counts, Reading } from './read.ts';
import type { Stored } from './stored.ts';
import type { TextHit } from './text-tree.ts';

/** A query as a command gives it. */
export interface Query {
  readonly filter: Doc;
  readonly sort?: Doc | undefined;
  readonly skip?: number;
  /** 0 is no limit. */
  readonly limit?: number;
  readonly hint?: Value;
}

/** A query that is ready to be read. */
export interface PreparedQuery {
  readonly reading: Reading;
  readonly matcher: Matcher;
  readonly counts: Counts;
  /** The text score of a document, when the filter asks for text. */
  readonly textScore: ((doc: Doc) => number) | undefined;
}

/** A text search: its documents a batch at a time, and what is known of those that were given. */
interface TextResult {
  readonly found: Iterable<readonly Stored[]>;
  readonly scores: ReadonlyMap<Doc, number>;
  readonly holds: (doc: Doc) => boolean;
}

/** Compiles a query and plans it. */
export function prepareQuery(collection: Collection, query: Query, surroundings: Surroundings): PreparedQuery {
  const { filter, sort } = query;
  const text = searchText(collection, query, surroundings);
  const scoreOf = text && ((doc: Doc) => text.scores.get(doc) ?? 0);
  const matcher = compileFilter(filter, {
    ...filterOptions(surroundings),
    ...(text ? { text: (doc: Doc) => text.scores.has(doc) && text.holds(doc) } : {}),
  });
  const counts: Counts = { keys: 0, documents: 0 };
  const order = sort && Object.keys(sort).length > 0 ? sort : undefined;
  const { skip = 0, limit = 0 } = query;
  const { collation } = surroundings;
  const sortFields = order ? sortFieldsOf(order) : [];
  const plan = text
    ? { kind: 'text' as const }
    : planFor(collection, {
        filter,
        sort: sortFields,
        count: limit === 0 ? Number.POSITIVE_INFINITY : skip + limit,
        hint: query.hint,
        collation,
      });
  const reading: Reading = {
    plan,
    matcher,
    sort: order && orderOf(order, surroundings, scoreOf),
    sortFields,
    collation,
    skip,
    limit,
    clock: surroundings.clock,
    counts,
    memoryBytes: surroundings.limits.commandBytes,
    ...(text ? { found: text.found } : {}),
  };
  return { reading, matcher, counts, textScore: scoreOf };
}

function orderOf(order: Doc, surroundings: Surroundings, scoreOf: ((doc: Doc) => number) | undefined): Reading['sort'] {
  if ('$natural' in order) return undefined;
  const meta = Object.values(order).some((direction) => isDoc(direction));
  if (meta && scoreOf === undefined) {
    throw noTextScore();
  }
  return compileSort(order, surroundings.collation, scoreOf);
}

function searchText(
  collection: Collection,
  { filter, sort, hint }: Query,
  surroundings: Surroundings,
): TextResult | undefined {
  const query = textQueryOf(filter);
  if (query === undefined) return undefined;
  if (isHint(hint)) throw new StoreError(2, 'text and hint not allowed in same query');
  if (sort !== undefined && '$natural' in sort)
    throw new StoreError(2, 'text and a sort by $natural not allowed in same query');
  if (surroundings.view.transaction)
    throw new StoreError(263, '$text is not supported in a transaction by the embedded store; set MONGODB_URL');
  if (!collection.exists) return { found: [], scores: new Map(), holds: () => false };
  if (collection.text === undefined) throw new StoreError(27, 'text index required for $text query');
  const { batches, holds } = collection.text.search(query, collection);
  const scores = new Map<Doc, number>();
  return { found: scored(batches, scores, () => checkSearched(collection, surroundings)), scores, holds };
}

/** Notes the scores of the documents that it gives. */
function* scored(
  batches: Iterable<readonly TextHit[]>,
  scores: Map<Doc, number>,
  check: () => void,
): Generator<readonly Stored[]> {
  for (const batch of batches) {
    check();
    for (const { stored, score } of batch) scores.set(stored.doc, score);
    yield batch.map(({ stored }) => stored);
  }
}

/** @throws StoreError 175 when others have dropped or renamed the collection, or dropped the index, during the search */
function checkSearched(collection: Collection, { view }: Surroundings): void {
  const { db, name, ns, text } = collection;
  if (text === undefined || view.find(db, name) !== collection)
    throw new StoreError(175, `the collection ${ns} or its text index was dropped or renamed during the search`);
}
