/** What models write through Mongoose → changes on the bus. */
import type { Log } from '../../log.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { ModelWrite, WriteListener } from '../../models/model-writes.ts';
import { modelOf, type Row, sameRow } from '../../models/mongoose.ts';
import type { Bus, Change } from './contract.ts';

/** @returns what models are compiled with, where the database does not tell what they write */
export function hearModelWrites(bus: Bus, log: Log): WriteListener {
  /** Told in the order in which they come. */
  let queue: Promise<void> = Promise.resolve();
  return {
    wantsBefore: (model) => bus.wantsBefore(model),
    touched: (model) => bus.touched(model),
    wrote(model, writes) {
      // whoever keeps what it read of this model does not wait until it is known what changed
      bus.touched(model);
      queue = queue
        .then(async () => bus.publish(await changesOf(model, writes)))
        .catch((error: unknown) => log.error('a write of a model could not be published', error));
    },
  };
}

/** The documents as they are now. */
async function changesOf(model: ModelEntry, writes: readonly ModelWrite[]): Promise<Change[]> {
  const filter = { _id: { $in: writes.map(({ id }) => id) } };
  const rows = (await modelOf(model)
    .collection.find(filter as never)
    .toArray()) as Row[];
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
