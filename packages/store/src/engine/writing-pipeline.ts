/** The writing end of a pipeline: `$out` and `$merge`. */
import type { PipelineContext } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import type { Batches } from 'dossier-language/values';
import { added, shareOf } from './capacity.ts';
import type { Collection } from './collection.ts';
import { LiveView } from './live-view.ts';
import { mergeInto } from './merging.ts';
import { checkCollectionName, checkDatabaseName } from './names.ts';
import type { QueryContext } from './query-context.ts';
import type { Store } from './store.ts';
import type { StoredDocument } from './stored-document.ts';
import { notOnView } from './view-definition.ts';
import type { WriteBatch } from './write-batch.ts';

type Write = NonNullable<PipelineContext['write']>;

/** Creates the writing end of a pipeline. */
export function writerOf(store: Store, batch: WriteBatch, queryContext: QueryContext): Write {
  return async (target, mode, docs) => {
    if (queryContext.view.transaction) throw new StoreError(263, 'a pipeline that writes cannot run in a transaction');
    const db = checkDatabaseName(target.db);
    const name = checkCollectionName(target.collection);
    if (store.catalog.definition(db, name) !== undefined) throw notOnView(db, name);
    if (mode === 'out') await replaceAll({ store, batch, db, name }, docs, queryContext);
    else await mergeInto(new LiveView(store, batch).ensure(db, name), mode.merge, docs, queryContext);
  };
}

interface Target {
  readonly store: Store;
  readonly batch: WriteBatch;
  readonly db: string;
  readonly name: string;
}

/** Fills a new collection with the same indexes and swaps it in: all of it, or nothing. */
async function replaceAll(
  { store, batch, db, name }: Target,
  docs: Batches,
  queryContext: QueryContext,
): Promise<void> {
  const old = store.catalog.find(db, name);
  if (old?.options.cap !== undefined)
    throw new StoreError(17152, `namespace '${db}.${name}' is capped so it can't be used for $out`);
  const fresh = store.collections.make(db, name, old);
  for (const spec of (old?.indexes ?? []).slice(1)) fresh.addIndex(await fresh.build(spec, () => Promise.resolve()));
  const room = store.limits.transactionBytes - (old?.bytes ?? 0);
  const written = await filled(fresh, docs, { store, queryContext, room });
  if (old !== undefined) {
    for (const stored of [...old.scan()].flat())
      batch.record({ collection: old, before: stored, after: undefined, replaced: false });
    store.collections.drop(old, batch);
  }
  store.collections.add(fresh, batch);
  for (const stored of written) batch.record({ collection: fresh, before: undefined, after: stored, replaced: false });
}

/** How to fill a collection. */
interface Filling {
  readonly store: Store;
  readonly queryContext: QueryContext;
  /** Maximum bytes of the documents. */
  readonly room: number;
}

/** @throws StoreError 146 if the documents need too much memory */
async function filled(
  fresh: Collection,
  docs: Batches,
  { store, queryContext: { work, check }, room }: Filling,
): Promise<readonly StoredDocument[]> {
  const written: StoredDocument[] = [];
  for await (const group of docs) {
    for (const doc of group) {
      check.check(fresh, doc);
      const stored = store.versions.first(doc);
      const share = shareOf(fresh.name, undefined, stored);
      store.checkCapacity(added(undefined, stored), share, { documents: fresh.size, bytes: fresh.bytes });
      if (fresh.bytes + stored.size > room)
        throw new StoreError(146, '$out writes or replaces too many documents at once: use $merge');
      fresh.insert(stored);
      written.push(stored);
    }
    await work.operation.yield();
  }
  return written;
}
