/** What models write through Mongoose → changes on the bus, but for those that the writers of this server tell of themselves. */
import type { Log } from '../log.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { ModelWrite, WriteListener } from '../registry/model-writes.ts';
import { modelOf, sameRow, type Row } from '../registry/mongoose.ts';
import type { Bus, Change } from '../services.ts';
import { documentKey, versionOf } from './stream-change.ts';

/** Milliseconds for which a write waits for a writer of this server to say that it is its own. */
const ownWithin = 100;

interface Waiting extends ModelWrite {
  own: boolean;
}

export function hearModelWrites(bus: Bus, log: Log): WriteListener {
  const waiting = new Map<string, Set<Waiting>>();
  bus.subscribe((changes) => {
    for (const change of changes) {
      if (change.origin === 'elsewhere') continue;
      for (const one of waiting.get(documentKey(change.model, change.id)) ?? [])
        if (one.version === versionOf(change.after)) one.own = true;
    }
  });
  const begin = (key: string, one: Waiting): void => {
    const others = waiting.get(key);
    if (others === undefined) waiting.set(key, new Set([one]));
    else others.add(one);
  };
  const end = (key: string, one: Waiting): void => {
    const others = waiting.get(key);
    others?.delete(one);
    if (others?.size === 0) waiting.delete(key);
  };
  return {
    wantsBefore: (model) => bus.wantsBefore(model),
    touched: (model) => bus.touched(model),
    wrote(model, writes) {
      const all = writes.map((write) => ({ ...write, own: false }));
      const keyOf = ({ id }: Waiting): string => documentKey(model, String(id));
      for (const one of all) begin(keyOf(one), one);
      const tell = async (): Promise<void> => {
        for (const one of all) end(keyOf(one), one);
        const others = all.filter(({ own }) => !own);
        if (others.length > 0) bus.publish(await changesOf(model, others));
      };
      setTimeout(() => {
        tell().catch((error: unknown) => log.error('a write of a model could not be told', error));
      }, ownWithin).unref();
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
