/**
 * Asks writers for the documents before their changes, for models that callers walk who read some rows only. Change streams
 * report them by themselves.
 */
import type { ModelEntry } from '../../models/entry.ts';
import { changeFeed, monotonicClock } from '../../ports/core.ts';
import type { Core } from '../../ports/parts.ts';

/** Milliseconds after the last request for which a walk is taken to go on. */
const maxPauseMs = 3_600_000;

export type AskForImages = (model: ModelEntry) => void;

export function makeImages({ services, onClose }: Core): AskForImages {
  const { bus } = services;
  const [elapsed, feed] = [services.of(monotonicClock), services.of(changeFeed)];
  if (feed.shared) return () => undefined;
  const lastAsked = new Map<ModelEntry, number>();
  const stop = bus.subscribe(
    () => undefined,
    (model) => elapsed() - (lastAsked.get(model) ?? -Infinity) < maxPauseMs,
  );
  onClose(() => Promise.resolve(stop()));
  return (model) => void lastAsked.set(model, elapsed());
}
