/** Finds the documents of a write before it changes any of them, and yields them one by one. */
import { StoreError } from 'dossier-language/errors';
import type { Matcher } from 'dossier-language/query';
import type { Collection } from './collection.ts';
import { prepareQuery, type Query } from './query.ts';
import type { QueryContext } from './query-context.ts';
import { readGroups } from './read.ts';
import type { StoredDocument } from './stored-document.ts';

/** Bytes of the number and the version of a document. */
const placeBytes = 16;

/** The documents that a filter matches, and the compiled filter, which resolves the positional `$`. */
export interface MatchedDocuments {
  /** The first document. */
  readonly first: StoredDocument | undefined;
  /** The number of documents. */
  readonly count: number;
  /** Their sequences and versions, in order. The documents themselves may need more memory than there is. */
  readonly places: { readonly sequences: readonly number[]; readonly versions: readonly number[] };
  readonly matcher: Matcher;
  readonly textScore: ReturnType<typeof prepareQuery>['textScore'];
}

/**
 * Finds all documents of a write. Other commands may write meanwhile where the context allows it: `oneByOne` rechecks
 * each document. They may not if the write concerns a single document or may upsert.
 * @throws StoreError 146 if there are too many
 */
export async function findMatched(
  collection: Collection,
  query: Query,
  queryContext: QueryContext,
): Promise<MatchedDocuments> {
  const { readPlan, matcher, textScore } = prepareQuery(collection, query, queryContext);
  const { yieldLock, limits } = queryContext;
  const alone = query.limit === 1 || textScore !== undefined || yieldLock === undefined;
  const paced = alone ? readPlan : { ...readPlan, yieldLock };
  const maxCount = Math.floor(limits.commandBytes / placeBytes);
  const sequences: number[] = [];
  const versions: number[] = [];
  let first: StoredDocument | undefined;
  for await (const group of readGroups(collection, paced)) {
    first ??= group[0];
    for (const { sequence, version } of group) {
      sequences.push(sequence);
      versions.push(version);
    }
    if (sequences.length > maxCount) throw tooMany(maxCount);
  }
  return { first, count: sequences.length, places: { sequences, versions }, matcher, textScore };
}

const tooMany = (maxCount: number): StoreError =>
  new StoreError(146, `a write of more than ${maxCount} documents needs too much memory: divide it by its filter`);

/**
 * Yields the documents of a write in order. Between two documents others may read, and write where the context allows
 * it: each document is yielded in its current version, and skipped if it is gone or no longer matches.
 * @throws StoreError 175 if the collection was dropped or renamed meanwhile
 */
export async function* oneByOne(
  collection: Collection,
  { places: { sequences, versions }, matcher, textScore }: MatchedDocuments,
  { work, view, yieldLock }: QueryContext,
): AsyncGenerator<StoredDocument> {
  for (const [index, sequence] of sequences.entries()) {
    if (work.operation.due()) await work.operation.yieldNow();
    // the matches of a text search are valid only during the search
    if (textScore === undefined && yieldLock !== undefined) {
      if (index > 0) await yieldLock();
      if (view.find(collection.db, collection.name) !== collection) throw collectionGone(collection);
    }
    const latest = collection.bySequence(sequence);
    if (latest === undefined) continue;
    if (latest.version === versions[index] || matcher.matches(latest.doc)) yield latest;
  }
}

/** The error of a write whose collection is no longer there. */
export const collectionGone = ({ ns }: Collection): StoreError =>
  new StoreError(175, `the collection ${ns} was dropped or renamed while its documents were written`);
