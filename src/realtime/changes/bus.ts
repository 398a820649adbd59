/** Publish and subscribe inside one server: writers publish their changes; caches, sessions and subscribers receive them. */
import type { Log } from '../../adapters/log.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Bus, Change } from './contract.ts';
import { makeListeners } from './listeners.ts';

export function makeBus(log: Log): Bus {
  const changes = makeListeners<readonly Change[]>(log, 'a listener of changes failed');
  const invalidations = makeListeners<ModelEntry>(log, 'a listener of invalidated models failed');
  const interests = new Set<(model: ModelEntry) => boolean>();
  return {
    publish: changes.notify,
    subscribe(listener, needsBefore) {
      const remove = changes.add(listener);
      if (needsBefore === undefined) return remove;
      interests.add(needsBefore);
      return () => {
        interests.delete(needsBefore);
        remove();
      };
    },
    wantsBefore: (model) => [...interests].some((needsBefore) => needsBefore(model)),
    invalidate: invalidations.notify,
    onInvalidated: invalidations.add,
    ensureDelivered: () => Promise.resolve(),
  };
}
