/** Creates the feed: from the database's change streams where it has them, otherwise from the writes of this server. */
import type { Secrets } from '../../sealing.ts';
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { makeOwnFeed } from './own-feed.ts';
import { makePositions } from './positions.ts';
import { SharedFeed } from './shared-feed.ts';

/**
 * @param secrets the shared secrets, which seal positions
 * @param shared the database has change streams
 */
export async function makeFeed(
  parts: Omit<FeedParts, 'positions'>,
  secrets: Secrets,
  shared: boolean,
): Promise<OwnFeed> {
  const all = { ...parts, positions: makePositions(secrets) };
  return shared ? new SharedFeed(all) : makeOwnFeed(all);
}
