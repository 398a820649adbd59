/** The subscribers of a server, which event streams and WebSockets join. */
import type { Core } from '../../core.ts';
import { changeFeed } from '../../ports/core.ts';
import { Matching } from './matching/matching.ts';
import { SubscriberRegistry } from './subscriptions/subscribers.ts';

export function subscribers({ services, onClose }: Core): SubscriberRegistry {
  const { auth, bus, log, metrics, settings, shared } = services;
  const feed = services.of(changeFeed);
  const matching = new Matching();
  onClose(() => matching.close());
  const limits = settings.websocket;
  const registry = new SubscriberRegistry({ auth, bus, feed, log, matching, limits, processes: shared });
  metrics.watch('dossier_subscribers', () => registry.size);
  onClose(() => Promise.resolve(registry.end()));
  return registry;
}
