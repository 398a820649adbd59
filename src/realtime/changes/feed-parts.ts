/** The parameters and results of both kinds of feed (types only). */
import type { Log } from '../../adapters/log.ts';
import type { Connection } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Bus, Feed } from './contract.ts';
import type { Positions } from './positions.ts';

export interface FeedParts {
  readonly connection: Connection;
  readonly registry: Registry;
  readonly bus: Bus;
  readonly log: Log;
  readonly positions: Positions;
}

export type ClosableFeed = Feed & { close(): Promise<void> };
