/** What both kinds of feed are made of and give (types only). */
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

/** A feed that can say whether a change was made after a given moment, whenever it is delivered. */
export interface MarkedFeed extends Feed {
  /** @returns what is true of a change unless it had been acknowledged before the call @throws 503 */
  mark(): Promise<(change: SequencedChange) => boolean>;
}

export type OwnFeed = MarkedFeed & { close(): Promise<void> };
