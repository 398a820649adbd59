/** What a pipeline that ends in `$out` or `$merge` writes. */
import type { PipelineContext } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import type { Batches } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { LiveView } from './live-view.ts';
import { mergeInto } from './merging.ts';
import { checkCollectionName, checkDatabaseName } from './names.ts';
import type { Surroundings } from './pipeline-context.ts';
import { added, shareOf } from './room.ts';
import type { Store } from './store.ts';
import type { Stored } from './stored.ts';
import type { Unit } from './unit.ts';

type Write = NonNullable<PipelineContext['write']>;

/** The writing end of a pipeline. */
export function writerOf(store: Store, unit: Unit, surroundings: Surroundings): Write {
  return async (target, mode, docs) => {
    if (surroundings.view.transaction) throw new StoreError(263, 'a pipeline that writes cannot run in a transaction');
    const db = checkDatabaseName(target.db);
    const name = checkCollectionName(target.collection);
    if (mode === 'out') await replaceAll({ store, unit, db, name }, docs, surroundings);
    else await mergeInto(new LiveView(store, unit).ensure(db, name), mode.merge, docs, surroundings);
  };
}

interface Target {
  readonly store: Store;
  readonly unit: Unit;
  readonly db: string;
  readonly name: string;
}

/** A collection with the same indexes is filled aside and takes the place of the old one: all of it, or nothing. */
async function replaceAll({ store, unit, db, name }: Target, docs: Batches, surroundings: Surroundings): Promise<void> {
  const old = store.catalog.find(db, name);
  const fresh = store.newCollection(db, name, old?.collation);
  for (const spec of (old?.indexes ?? []).slice(1)) fresh.addIndex(await fresh.build(spec, () => Promise.resolve()));
  const written = await filled(fresh, docs, store, surroundings);
  if (old !== undefined) {
    for (const stored of [...old.scan()].flat())
      unit.record({ collection: old, before: stored, after: undefined, replaced: false });
    store.dropCollection(old, unit);
  }
  store.addCollection(fresh, unit);
  unit.describe(fresh);
  for (const stored of written) {
    unit.record({ collection: fresh, before: undefined, after: stored, replaced: false });
    store.encoded.keep(stored);
  }
}

async function filled(
  fresh: Collection,
  docs: Batches,
  store: Store,
  { clock }: Surroundings,
): Promise<readonly Stored[]> {
  const written: Stored[] = [];
  for await (const group of docs) {
    for (const doc of group) {
      const stored = store.makeStored(doc);
      const share = shareOf(fresh.name, undefined, stored);
      store.checkRoom(added(undefined, stored), share, { documents: fresh.size, bytes: fresh.bytes });
      fresh.insert(stored);
      written.push(stored);
    }
    await clock.operation.yield();
  }
  return written;
}
