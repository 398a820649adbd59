/** Creates the feed: from the database's change streams where it has them, otherwise from the writes of this server. */
import type { Secrets } from '../../adapters/sealing.ts';
import { makeLocalFeed } from './local-feed.ts';
import { type ClosableFeed, type FeedParts, makePositions } from './positions.ts';
import { SharedFeed } from './shared-feed.ts';

/**
 * @param secrets the shared secrets, which seal positions
 * @param shared the database has change streams
 */
export async function makeFeed(
  parts: Omit<FeedParts, 'positions'>,
  secrets: Secrets,
  shared: boolean,
): Promise<ClosableFeed> {
  const all = { ...parts, positions: makePositions(secrets) };
  return shared ? new SharedFeed(all) : makeLocalFeed(all);
}
