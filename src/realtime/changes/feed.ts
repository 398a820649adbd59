/** Creates the feed: from the database's change streams where it has them, otherwise from the writes of this server. */
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { makeOwnFeed } from './own-feed.ts';
import { makePositions } from './positions.ts';
import { SharedFeed } from './shared-feed.ts';

/**
 * @param secret the shared secret, which seals positions
 * @param shared the database has change streams
 */
export function makeFeed(parts: Omit<FeedParts, 'positions'>, secret: string, shared: boolean): OwnFeed {
  const all = { ...parts, positions: makePositions(secret) };
  return shared ? new SharedFeed(all) : makeOwnFeed(all);
}
