/** `$merge`: each document of a pipeline meets the one in the target that has the same key. */
import type { MergeMode } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import { sameCollation, type Collation } from 'dossier-language/values';
import { equal } from 'dossier-language/values';
import { get } from 'dossier-language/values';
import { same } from 'dossier-language/values';
import type { Batches, Doc, Value } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { idIndexSpec } from './index-spec.ts';
import { duplicateKey } from './index-tree.ts';
import type { Surroundings } from './pipeline-context.ts';
import type { Stored } from './stored.ts';
import { targetsOf } from './targets.ts';

type Mode = MergeMode['merge'];

/** Merges documents into a collection; what was written before a failure stays, as in MongoDB. */
export async function mergeInto(
  collection: Collection,
  mode: Mode,
  docs: Batches,
  surroundings: Surroundings,
): Promise<void> {
  checkUniqueOn(collection, mode.on, surroundings.collation);
  for await (const group of docs) {
    for (const doc of group) {
      const found = await foundFor(collection, mode.on, doc, surroundings);
      if (found === undefined) insertNew(collection, mode, doc, surroundings);
      else change(collection, mode, found, doc, surroundings);
      await surroundings.clock.operation.yield();
    }
  }
}

/** @throws StoreError 51183 when no unique index on these fields with the pipeline's collation makes sure that at most one document is met */
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
  surroundings: Surroundings,
): Promise<Stored | undefined> {
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
  const { found } = await targetsOf(collection, { filter, limit: 1 }, surroundings);
  return found[0];
}

function insertNew(collection: Collection, mode: Mode, doc: Doc, { view }: Surroundings): void {
  if (mode.whenNotMatched === 'fail')
    throw new StoreError(
      13113,
      '$merge could not find a matching document in the target collection for at least one document in the source collection',
    );
  if (mode.whenNotMatched === 'insert') view.insert(collection, doc);
}

function change(collection: Collection, mode: Mode, old: Stored, doc: Doc, { view }: Surroundings): void {
  const { whenMatched } = mode;
  const id = old.doc['_id'];
  if (whenMatched === 'keepExisting') return;
  if (whenMatched === 'fail') throw duplicateKey(collection.ns, idIndexSpec(collection.collation), [id]);
  const next = withId(nextOf(whenMatched, old.doc, doc), id);
  if (!same(old.doc, next)) view.replace(collection, old, next, whenMatched === 'replace');
}

function nextOf(whenMatched: Exclude<Mode['whenMatched'], 'keepExisting' | 'fail'>, old: Doc, doc: Doc): Doc {
  if (typeof whenMatched === 'function') return whenMatched(old, doc);
  return whenMatched === 'replace' ? doc : { ...old, ...doc };
}

/** @throws StoreError 66 when the `_id` would become another one */
function withId(doc: Doc, id: Value): Doc {
  if (Object.hasOwn(doc, '_id') && !equal(doc['_id'], id))
    throw new StoreError(66, '$merge failed to update the matching document, did you attempt to modify the _id?');
  const { _id: ignored, ...rest } = doc;
  return { _id: id, ...rest };
}
