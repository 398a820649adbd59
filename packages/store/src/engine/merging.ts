/** `$merge`: matches each document of a pipeline with the target document that has the same key. */
import type { MergeMode } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import type { Batches, Doc, Value } from 'dossier-language/values';
import { type Collation, sameCollation } from 'dossier-language/values';
import { equal } from 'dossier-language/values';
import { get } from 'dossier-language/values';
import { same } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { duplicateKey } from './duplicate-key.ts';
import { idIndexSpec } from './index-spec.ts';
import { collectionGone, findMatched } from './matched-documents.ts';
import type { QueryContext } from './query-context.ts';
import type { StoredDocument } from './stored-document.ts';

type Mode = MergeMode['merge'];

/** Merges documents into a collection. Documents merged before a failure remain, as in MongoDB. */
export async function mergeInto(
  collection: Collection,
  mode: Mode,
  docs: Batches,
  queryContext: QueryContext,
): Promise<void> {
  checkUniqueOn(collection, mode.on, queryContext.collation);
  for await (const group of docs) {
    for (const doc of group) {
      const found = await foundFor(collection, mode.on, doc, queryContext);
      if (found === undefined) insertNew(collection, mode, doc, queryContext);
      else change(collection, mode, { old: found, doc }, queryContext);
      await pause(collection, queryContext);
    }
  }
}

/**
 * Lets others read, and write where the context allows it: what was merged so far is submitted.
 * @throws StoreError 175 if the collection was dropped or renamed meanwhile
 */
async function pause(collection: Collection, { work, view, yieldLock }: QueryContext): Promise<void> {
  await work.operation.yield();
  await yieldLock?.();
  if (view.find(collection.db, collection.name) !== collection) throw collectionGone(collection);
}

/**
 * @throws StoreError 51183 if no unique index on these fields with the pipeline's collation ensures at most one match
 */
function checkUniqueOn(collection: Collection, on: readonly string[], collation: Collation | undefined): void {
  if (on.length === 1 && on[0] === '_id') return;
  const wanted = [...on].sort().join('\n');
  const unique = collection.indexes.some(
    ({ fields, unique: isUnique, partial, collation: own }) =>
      partial === undefined &&
      sameCollation(own, collation) &&
      isUnique &&
      fields
        .map(({ path }) => path)
        .sort()
        .join('\n') === wanted,
  );
  if (!unique) throw new StoreError(51183, 'Cannot find index to verify that join fields will be unique');
}

async function foundFor(
  collection: Collection,
  on: readonly string[],
  doc: Doc,
  queryContext: QueryContext,
): Promise<StoredDocument | undefined> {
  if (on.length === 1 && on[0] === '_id') return collection.get(doc['_id']);
  const values = on.map((path): readonly [string, Value] => [path, get(doc, path)]);
  for (const [path, value] of values) {
    if (path !== '_id' && (value === undefined || value === null || Array.isArray(value)))
      throw new StoreError(
        51132,
        `$merge write error: 'on' field cannot be missing, null, undefined or an array: ${path}`,
      );
  }
  const filter = Object.fromEntries(values.map(([path, value]) => [path, { $eq: value }]));
  const { first } = await findMatched(collection, { filter, limit: 1 }, queryContext);
  return first;
}

function insertNew(collection: Collection, mode: Mode, doc: Doc, { view, check }: QueryContext): void {
  if (mode.whenNotMatched === 'fail')
    throw new StoreError(
      13113,
      '$merge could not find a matching document in the target collection for at least one document in the source collection',
    );
  if (mode.whenNotMatched !== 'insert') return;
  check.check(collection, doc);
  view.insert(collection, doc);
}

/** What an incoming document matched. */
interface Match {
  readonly old: StoredDocument;
  readonly doc: Doc;
}

function change(collection: Collection, mode: Mode, { old, doc }: Match, { view, check }: QueryContext): void {
  const { whenMatched } = mode;
  const id = old.doc['_id'];
  if (whenMatched === 'keepExisting') return;
  if (whenMatched === 'fail') throw duplicateKey(collection.ns, idIndexSpec(collection.collation), [id]);
  const next = withId(nextOf(whenMatched, old.doc, doc), id);
  if (same(old.doc, next)) return;
  check.check(collection, next, () => old.doc);
  view.replace(collection, old, next, whenMatched === 'replace');
}

function nextOf(whenMatched: Exclude<Mode['whenMatched'], 'keepExisting' | 'fail'>, old: Doc, doc: Doc): Doc {
  if (typeof whenMatched === 'function') return whenMatched(old, doc);
  return whenMatched === 'replace' ? doc : { ...old, ...doc };
}

/** @throws StoreError 66 if the merge would change an `_id` */
function withId(doc: Doc, id: Value): Doc {
  if (Object.hasOwn(doc, '_id') && !equal(doc['_id'], id))
    throw new StoreError(66, '$merge failed to update the matching document, did you attempt to modify the _id?');
  const { _id: ignored, ...rest } = doc;
  return { _id: id, ...rest };
}
