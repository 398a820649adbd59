/** Changes in one order, with their positions: by the database's change streams where it has them, else what goes through this server. */
import type { Log } from '../log.ts';
import type { Connection } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import type { Bus, Feed, Placed } from './contract.ts';
import { makeOwnFeed } from './own-feed.ts';
import { makePositions, type Positions } from './positions.ts';
import { makeSharedFeed } from './shared-feed.ts';

export interface FeedParts {
  readonly connection: Connection;
  readonly registry: Registry;
  readonly bus: Bus;
  readonly log: Log;
  readonly positions: Positions;
}

/** A feed that knows of a change whether it was made after a moment, whenever it is told. */
export interface MarkedFeed extends Feed {
  /** @returns what is true of a change unless it had been acknowledged before the call @throws 503 */
  mark(): Promise<(change: Placed) => boolean>;
}

export type OwnFeed = MarkedFeed & { close(): Promise<void> };

/**
 * @param secret the shared secret, which seals positions
 * @param shared the database has change streams
 */
export function makeFeed(parts: Omit<FeedParts, 'positions'>, secret: string, shared: boolean): OwnFeed {
  const all = { ...parts, positions: makePositions(secret) };
  return shared ? makeSharedFeed(all) : makeOwnFeed(all);
}
