/** Publish and subscribe inside one server: writers tell what they changed, caches, sessions and subscribers hear it. */
import type { Log } from '../../log.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Bus, Change } from './contract.ts';
import { makeListeners } from './listeners.ts';

export function makeBus(log: Log): Bus {
  const changes = makeListeners<readonly Change[]>(log, 'a listener of changes failed');
  const touches = makeListeners<ModelEntry>(log, 'a listener of touched models failed');
  const interests = new Set<(model: ModelEntry) => boolean>();
  return {
    publish: changes.tell,
    subscribe(listener, hears) {
      const remove = changes.add(listener);
      if (hears === undefined) return remove;
      interests.add(hears);
      return () => {
        interests.delete(hears);
        remove();
      };
    },
    wantsBefore: (model) => [...interests].some((hears) => hears(model)),
    touched: touches.tell,
    onTouched: touches.add,
  };
}
