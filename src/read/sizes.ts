/** Estimated sizes of collections: read at most once a second per model, and updated by this server's own writes in between. */
import type { ModelEntry } from '../models/entry.ts';
import { modelOf } from '../models/mongoose.ts';
import type { Bus } from '../realtime/changes/contract.ts';
import type { Sizes } from './contract.ts';

const oldest = 1000;

interface Known {
  readonly at: number;
  readonly size: Promise<number>;
  added: number;
}

export function makeSizes(bus: Bus, clock: () => Date): Sizes {
  const known = new Map<ModelEntry, Known>();
  let isCounting = false;
  /** Counts what is added from now on; before a size is asked for, writes are not. */
  const count = (): void => {
    if (isCounting) return;
    isCounting = true;
    bus.subscribe((changes) => {
      for (const { event, model } of changes) {
        const entry = known.get(model);
        if (entry !== undefined && event === 'post') entry.added += 1;
      }
    });
  };
  return {
    async of(model) {
      count();
      const now = clock().getTime();
      const before = known.get(model);
      if (before !== undefined && now - before.at < oldest) return (await before.size) + before.added;
      const size = modelOf(model).collection.estimatedDocumentCount();
      const entry = { at: now, size, added: 0 };
      known.set(model, entry);
      try {
        return (await size) + entry.added;
      } catch (error) {
        known.delete(model);
        throw error;
      }
    },
  };
}
