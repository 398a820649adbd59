/** The parameters and results of both kinds of feed (types only). */
import type { Log } from '../../log.ts';
import type { Connection } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Bus, Feed, SequencedChange } from './contract.ts';
import type { Positions } from './positions.ts';

export interface FeedParts {
  readonly connection: Connection;
  readonly registry: Registry;
  readonly bus: Bus;
  readonly log: Log;
  readonly positions: Positions;
}

/** A feed that can distinguish changes made after a moment from earlier ones that are delivered later. */
export interface CutoffFeed extends Feed {
  /** @returns a test that is false for changes acknowledged before the call @throws 503 */
  changedAfterNow(): Promise<(change: SequencedChange) => boolean>;
}

export type ClosableFeed = CutoffFeed & { close(): Promise<void> };
