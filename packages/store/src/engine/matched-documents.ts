/** Finds the documents of a write before it changes any of them, and yields them one by one. */
import { StoreError } from 'dossier-language/errors';
import type { Matcher } from 'dossier-language/query';
import type { Collection } from './collection.ts';
import { prepareQuery, type Query } from './query.ts';
import type { QueryContext } from './query-context.ts';
import { readGroups } from './read.ts';
import { sameVersion, type StoredDocument } from './stored-document.ts';

/** The documents that a filter matches, and the compiled filter, which resolves the positional `$`. */
export interface MatchedDocuments {
  readonly found: readonly StoredDocument[];
  readonly matcher: Matcher;
  readonly textScore: ReturnType<typeof prepareQuery>['textScore'];
}

/**
 * Finds all documents of a write. Other commands may write meanwhile where the context allows it: `oneByOne` rechecks
 * each document. They may not if the write concerns a single document or may upsert.
 */
export async function findMatched(
  collection: Collection,
  query: Query,
  queryContext: QueryContext,
): Promise<MatchedDocuments> {
  const { reading, matcher, textScore } = prepareQuery(collection, query, queryContext);
  const { clock, yieldLock } = queryContext;
  const alone = query.limit === 1 || textScore !== undefined || yieldLock === undefined;
  const paced = alone ? reading : { ...reading, clock: { operation: clock.operation, yieldLock } };
  const found: StoredDocument[] = [];
  for await (const group of readGroups(collection, paced)) found.push(...group);
  return { found, matcher, textScore };
}

/**
 * Yields the documents of a write in order. Between two documents others may read, and write where the context allows
 * it: each document is yielded in its current version, and skipped if it is gone or no longer matches.
 * @throws StoreError 175 if the collection was dropped or renamed meanwhile
 */
export async function* oneByOne(
  collection: Collection,
  { found, matcher, textScore }: MatchedDocuments,
  { clock, view, yieldLock }: QueryContext,
): AsyncGenerator<StoredDocument> {
  for (const [index, stored] of found.entries()) {
    if (clock.operation.due()) await clock.operation.yieldNow();
    // the matches of a text search are valid only during the search
    if (textScore === undefined && yieldLock !== undefined) {
      if (index > 0) await yieldLock();
      if (view.find(collection.db, collection.name) !== collection) throw gone(collection);
    }
    const latest = collection.bySequence(stored.sequence);
    if (sameVersion(latest, stored) && latest !== undefined) yield latest;
    else if (latest !== undefined && matcher.matches(latest.doc)) yield latest;
  }
}

const gone = ({ ns }: Collection): StoreError =>
  new StoreError(175, `the collection ${ns} was dropped or renamed while its documents were written`);
