/** The interface of a worker to the other workers of its server. Any folder may import it. */
import type { ChangesMessage, SharedState } from '../shared/contract.ts';

/** Which changes of other workers a worker needs. */
export interface Needs {
  /** The revisions of all changes. */
  readonly all: boolean;
  /** Names of the models whose changes are needed with their documents before and after. */
  readonly documents: readonly string[];
}

/** A feed that the primary orders: its name, and the number of the next change. */
export interface FeedStart {
  readonly name: string;
  readonly next: number;
}

/** The other workers: what the primary holds for all of them, and their changes. */
export interface Peers extends SharedState {
  /** Declares what this worker needs. Resolves when the others have received it. */
  declare(needs: Needs): Promise<void>;
  /** What the others need. */
  readonly needed: Needs;
  /** Sends a message to all workers, this one included, in the same order. @param count how many numbers of the feed they take */
  broadcastInOrder(message: ChangesMessage, count: number): Promise<void>;
  /** Begins to receive the ordered feed. */
  beginFeed(): Promise<FeedStart>;
}

/** What a server is given that is one of several workers. */
export interface Membership {
  readonly number: number;
  /** Names this worker process; a process that replaces it has another one. */
  readonly id: string;
  /** The ids of dead workers that it replaces. */
  readonly replaces: readonly string[];
  /** Whether it prepares the database for all: indexes, moved data, the first admin. */
  readonly isFirst: boolean;
  readonly peers: Peers;
  /** The URL of the embedded store; undefined with `MONGODB_URL`. */
  readonly storeUrl: string | undefined;
  readonly secret: string;
  readonly setupToken: string | undefined;
}
