/** `createIndexes`, `listIndexes` and `dropIndexes`. */
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { type Collation, sameCollation } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { isDoc, show } from 'dossier-language/values';
import { BesideBuild } from '../engine/beside-build.ts';
import { createIndexesEvent, dropIndexesEvent } from '../engine/changes/expanded.ts';
import type { Collection } from '../engine/collection.ts';
import { sourceOf } from '../engine/cursors.ts';
import { sameOptions, sameSignature } from '../engine/index-signature.ts';
import { idIndexKey, idIndexName, idIndexSpec, type IndexSpec, readIndexSpec, sameKey } from '../engine/index-spec.ts';
import type { Index } from '../engine/new-index.ts';
import { oneGroup } from '../engine/read.ts';
import type { WriteBatch } from '../engine/write-batch.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, docOf, neededDocs } from './arguments.ts';
import { buildsNamed, endOf } from './builds.ts';
import type { Command, Context } from './context.ts';
import { batchSizeOf, firstBatch } from './cursor-reply.ts';
import { checkNewIndex } from './new-index.ts';
import { existingOf } from './query-context.ts';

const maxIndexes = 64;

/** The indexes that a command asks for: all that the collection has, and those to build. */
interface Wanted {
  readonly before: number;
  readonly specs: readonly IndexSpec[];
}

async function createIndexes(context: Context): Promise<Reply> {
  const { db, view, batch } = context;
  const name = collectionOf(context);
  const wanted = await wantedIndexes(context, name);
  const found = view.find(db, name);
  const collection = found ?? view.ensure(db, name);
  if (wanted.specs.length > 0) view.checkIndexable(collection);
  await addIndexes(context, collection, wanted.specs);
  const shown = wanted.specs.map((spec) => spec.shown);
  if (shown.length > 0) batch.describe(collection, [createIndexesEvent(collection, shown)]);
  return {
    fields: {
      numIndexesBefore: wanted.before,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically: found === undefined,
      ...(shown.length === 0 ? { note: 'all indexes already exist' } : {}),
    },
  };
}

/** Waits for builds of the same indexes, or of others that exclude them. @throws StoreError as `isWanted` does */
async function wantedIndexes(context: Context, name: string): Promise<Wanted> {
  const { body, db, view } = context;
  for (;;) {
    const found = view.find(db, name);
    const given = neededDocs(body, 'indexes').map((spec) => readIndexSpec(withCollation(spec, found?.collation)));
    if (given.length === 0) throw new StoreError(2, 'Must specify at least one index to create');
    given.forEach(checkNewIndex);
    const build = found?.builds.all.find((running) => given.some((spec) => running.excludes(spec)));
    if (build !== undefined) {
      await endOf(build, context);
      continue;
    }
    const before = found?.indexes ?? [idIndexSpec(undefined)];
    const specs: IndexSpec[] = [];
    for (const spec of given) if (isWanted([...before, ...specs], spec)) specs.push(spec);
    if (before.length + (found?.builds.indexes ?? 0) + specs.length > maxIndexes)
      throw new StoreError(67, `add index fails, too many indexes for ${db}.${name}`);
    return { before: before.length, specs };
  }
}

/** An index inherits the collation of its collection unless it sets one. */
const withCollation = (requested: Doc, collation: Collation | undefined): Doc =>
  requested['collation'] === undefined && collation !== undefined
    ? { ...requested, collation: collation.shown }
    : requested;

/** Builds indexes over the existing documents and adds them: all of them, or none. Other commands write meanwhile. */
async function addIndexes(context: Context, collection: Collection, specs: readonly IndexSpec[]): Promise<void> {
  const { store, operation, progress } = context;
  if (specs.length === 0) return;
  const { pages } = store;
  const pause = async (): Promise<void> => {
    operation.checkTime();
    await operation.yield();
  };
  const build = new BesideBuild(collection, specs, { pages, pause });
  try {
    // an empty collection may be one that this command, or its transaction, creates
    if (collection.size > 0) await progress?.beside(() => build.run());
    else await build.run();
    for (const index of await build.finish()) addIndex(context, collection, index);
  } catch (error) {
    for (const index of build.indexes) store.discard(index);
    throw store.failureOf(error);
  } finally {
    build.end();
  }
}

function addIndex({ batch, store }: Context, collection: Collection, index: Index): void {
  batch.alter(
    () => collection.addIndex(index),
    () => {
      collection.dropIndex(index.spec.name);
      store.discard(index);
    },
  );
}

function dropIndex(collection: Collection, name: string, batch: WriteBatch): void {
  const index = collection.index(name);
  if (index === undefined) return;
  batch.alter(
    () => collection.dropIndex(name),
    () => collection.addIndex(index),
  );
  batch.dropTree(index.stored);
}

/** Returns false if the index exists already. @throws StoreError 2, 67, 85 or 86 if another index conflicts */
function isWanted(others: readonly IndexSpec[], spec: IndexSpec): boolean {
  if (sameKey(spec.key, idIndexKey)) return isIdIndex(others, spec);
  const namesake = others.find(({ name }) => name === spec.name);
  if (namesake !== undefined) {
    if (!sameSignature(namesake, spec)) throw conflict(86, nameTaken, [spec, namesake]);
    if (!sameOptions(namesake, spec))
      throw conflict(85, `${equivalent} the same name but different options`, [spec, namesake]);
    return false;
  }
  const twin = others.find((other) => sameSignature(other, spec));
  if (twin !== undefined) {
    if (!sameOptions(twin, spec)) throw conflict(85, `${equivalent} a different name and options`, [spec, twin]);
    throw new StoreError(85, `Index already exists with a different name: ${twin.name}`);
  }
  const text = spec.kind === 'text' ? others.find(({ kind }) => kind === 'text') : undefined;
  if (text === undefined) return true;
  throw new StoreError(67, `only one text index per collection allowed, found existing text index "${text.name}"`);
}

const nameTaken =
  'An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation';

const equivalent = 'An equivalent index already exists with';

const conflict = (code: number, reason: string, [requested, existing]: readonly [IndexSpec, IndexSpec]): StoreError =>
  new StoreError(code, `${reason}. Requested index: ${show(requested.shown)}, existing index: ${show(existing.shown)}`);

/**
 * Checks the specification of the `_id` index, which always exists, and returns false.
 * @throws StoreError 2 for another collation than the collection's
 */
function isIdIndex(others: readonly IndexSpec[], { collation }: IndexSpec): boolean {
  const own = others.find(({ name }) => name === idIndexName);
  if (sameCollation(own?.collation, collation)) return false;
  throw new StoreError(2, 'The _id index must have the same collation as the collection.');
}

function listIndexes(context: Context): Promise<Reply> {
  const { body, db, operation } = context;
  const name = collectionOf(context);
  const collection = existingOf(context, name);
  if (collection === undefined) throw new StoreError(26, `ns does not exist: ${db}.${name}`);
  const size = batchSizeOf(docOf(body, 'cursor'), Number.POSITIVE_INFINITY);
  const shown = collection.indexes.map((index) => index.shown);
  return firstBatch(context, sourceOf(collection.ns, { operation }, oneGroup(shown), encode), { size });
}

function dropIndexes(context: Context): Reply {
  const { body, db, batch } = context;
  const name = collectionOf(context);
  const collection = existingOf(context, name);
  if (collection === undefined) throw new StoreError(26, `ns not found ${db}.${name}`);
  const before = collection.indexes.length;
  const { builds, others } = buildsNamed(collection, body['index']);
  const dropped = new Set(others === undefined ? [] : namedIndexes(collection, others));
  collection.builds.abort('dropIndexes named it', builds);
  for (const spec of dropped) dropIndex(collection, spec.name, batch);
  const events = [...dropped].map((spec) => dropIndexesEvent(collection, spec.shown));
  if (events.length > 0) batch.describe(collection, events);
  return { fields: { nIndexesWas: before } };
}

/** The indexes that a command names by name, key, list or `*`. @throws StoreError 27, 181 or 72 */
export function namedIndexes(collection: Collection, named: Value): readonly IndexSpec[] {
  if (named === '*') return collection.indexes.filter((spec) => spec.name !== idIndexName);
  if (Array.isArray(named)) return named.flatMap((name) => namedIndexes(collection, name));
  const found = collection.indexes.filter((spec) => (isDoc(named) ? sameKey(spec.key, named) : spec.name === named));
  const [only, another] = found;
  if (only === undefined) {
    throw new StoreError(
      27,
      isDoc(named) ? "can't find index with key" : `index not found with name [${String(named)}]`,
    );
  }
  if (another !== undefined) {
    throw new StoreError(
      181,
      `${found.length} indexes found for key, identify by name instead. Conflicting indexes: ${only.name}, ${another.name}`,
    );
  }
  if (only.name === idIndexName) throw new StoreError(72, 'cannot drop _id index');
  return found;
}

/** The commands of this file. */
export const indexCommands: readonly Command[] = [
  {
    name: 'createIndexes',
    summary: 'Creates indexes',
    fields: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
    inTransaction: true,
    kind: 'write',
    run: createIndexes,
  },
  {
    name: 'listIndexes',
    summary: 'Lists the indexes of a collection',
    fields: ['cursor', 'includeBuildUUIDs'],
    kind: 'read',
    run: listIndexes,
  },
  {
    name: 'dropIndexes',
    aliases: ['deleteIndexes'],
    summary: 'Drops indexes',
    fields: ['index'],
    kind: 'write',
    run: dropIndexes,
  },
];
