/** Publishes the writes that models make through Mongoose as changes on the bus. */
import type { ModelEntry } from '../../models/entry.ts';
import { modelOf, type Row, sameRow } from '../../models/mongoose.ts';
import type { ModelWrite, WriteListener } from '../../models/mongoose/model-writes.ts';
import type { Log } from '../../ports/log.ts';
import type { Filter } from '../../query/filter.ts';
import type { Bus, Change } from './contract.ts';

/** @returns the listener with which models are compiled where the database does not report their writes */
export function publishModelWrites(bus: Bus, log: Log): WriteListener {
  /** Publishes the writes in order of arrival. */
  let queue: Promise<void> = Promise.resolve();
  return {
    wantsBefore: (model) => bus.wantsBefore(model),
    invalidate: (model) => bus.invalidate(model),
    wrote(model, writes) {
      // caches drop what they have read of this model before the changes are determined
      bus.invalidate(model);
      queue = queue
        .then(async () => bus.publish(await changesOf(model, writes)))
        .catch((error: unknown) => log.error('a write of a model could not be published', error));
    },
  };
}

/** The changes, with the documents as they are now. */
async function changesOf(model: ModelEntry, writes: readonly ModelWrite[]): Promise<Change[]> {
  const filter: Filter = { _id: { $in: writes.map(({ id }) => id) } };
  const rows = (await modelOf(model).collection.find(filter).toArray()) as Row[];
  const now = new Map(rows.map((row) => [String(row['_id']), row]));
  return writes.flatMap(({ id, isNew, before }) => {
    const after = now.get(String(id));
    if (after === undefined ? isNew : before !== undefined && sameRow(before, after)) return [];
    const event = eventOf(isNew, before, after);
    return { event, model, id: String(id), before, after, user: undefined, silent: false, origin: 'elsewhere' };
  });
}

function eventOf(isNew: boolean, before: Row | undefined, after: Row | undefined): Change['event'] {
  if (after === undefined) return 'del';
  if (after['_deleted'] === true) return before?.['_deleted'] === true ? 'put' : 'del';
  return isNew || before?.['_deleted'] === true ? 'post' : 'put';
}
