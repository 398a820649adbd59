/** Applies an update to the matched documents, or inserts a document if an upsert matches none. */
import { compileDocumentPipeline } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import type { Matcher } from 'dossier-language/query';
import { checkUpsertFilter, compileUpdate, upsertDocument } from 'dossier-language/update';
import type { Doc, Value } from 'dossier-language/values';
import { keyOf } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { findMatched, oneByOne } from './matched-documents.ts';
import type { Query } from './query.ts';
import { chargeOf, pipelineContext, type QueryContext } from './query-context.ts';
import { sameVersion, type StoredDocument } from './stored-document.ts';

/** One update. */
export interface Update {
  readonly query: Query;
  readonly change: Doc | readonly Doc[];
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly arrayFilters: readonly Doc[] | undefined;
  /** Constants of a pipeline (`c`), as variables. */
  readonly constants: Doc | undefined;
}

/** The result of an update. */
export interface Updated {
  matched: number;
  modified: number;
  /** The first document before and after the update. */
  before: StoredDocument | undefined;
  after: StoredDocument | undefined;
  upserted: StoredDocument | undefined;
}

type Compiled = ReturnType<typeof compileUpdate>;

/** Applies an update. */
export async function applyUpdate(
  collection: Collection,
  update: Update,
  queryContext: QueryContext,
): Promise<Updated> {
  const { view } = queryContext;
  if (update.upsert) checkUpsertFilter(update.query.filter);
  const query = update.multi ? update.query : { ...update.query, limit: 1 };
  const targets = await findMatched(
    collection,
    query,
    update.upsert ? { ...queryContext, yieldLock: undefined } : queryContext,
  );
  const compiled = compileChange(update, targets.matcher, queryContext);
  if (update.multi && compiled.isReplacement)
    throw new StoreError(9, 'multi update is not supported for replacement-style update');
  const result: Updated = {
    matched: 0,
    modified: 0,
    before: targets.first,
    after: targets.first,
    upserted: undefined,
  };
  for await (const stored of oneByOne(collection, targets, queryContext)) {
    result.matched += 1;
    const next = compiled.apply(stored.doc, false);
    if (next === stored.doc) continue;
    queryContext.check.check(collection, next, () => stored.doc);
    const after = view.replace(collection, stored, next, compiled.isReplacement);
    if (sameVersion(stored, targets.first)) result.after = after;
    result.modified += 1;
  }
  if (targets.count === 0 && update.upsert) result.upserted = upsert(collection, update, compiled, queryContext);
  return result;
}

function compileChange(update: Update, filter: Matcher, queryContext: QueryContext): Compiled {
  return compileUpdate(update.change, {
    filter,
    ...(update.arrayFilters ? { arrayFilters: update.arrayFilters } : {}),
    now: queryContext.now,
    collation: queryContext.collation,
    charge: chargeOf(queryContext),
    pipeline: (stages: readonly Doc[]) => compileUpdatePipeline(stages, update, queryContext),
  });
}

function compileUpdatePipeline(stages: readonly Doc[], update: Update, queryContext: QueryContext): (doc: Doc) => Doc {
  const variables = { ...queryContext.let, ...update.constants };
  return compileDocumentPipeline(stages, pipelineContext({ ...queryContext, let: variables }));
}

function upsert(
  collection: Collection,
  update: Update,
  compiled: Compiled,
  queryContext: QueryContext,
): StoredDocument {
  const { view, check } = queryContext;
  const seed = upsertDocument(update.query.filter);
  const doc = compiled.apply(compiled.isReplacement ? idOf(seed) : seed, true);
  if (Object.hasOwn(seed, '_id')) checkSameId(seed, doc);
  const target = view.ensure(collection.db, collection.name);
  check.check(target, doc);
  return view.insert(target, doc);
}

const idOf = (seed: Doc): Doc => (Object.hasOwn(seed, '_id') ? { _id: seed['_id'] } : {});

function checkSameId(before: Doc, after: Doc): void {
  const [old, next]: readonly Value[] = [before['_id'], after['_id']];
  if (old !== next && keyOf(old) !== keyOf(next)) {
    throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
}
