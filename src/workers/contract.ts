/** The interface of a worker to the other workers of its server. Any folder may import it. */
import type { CredentialOwner } from '../auth/contract.ts';
import type { Hits } from '../settings/config-file.ts';

/** The messages between workers, and the answer to each. Messages are structured clones. */
export interface Topics {
  /** Cached principals of a user, session or key are no longer valid. */
  readonly 'principals stale': { readonly message: Exclude<CredentialOwner, 'all'>; readonly answer: void };
  /** A key of the login throttle is refused until a time, in milliseconds. */
  readonly refused: { readonly message: { readonly key: string; readonly until: number }; readonly answer: void };
  /** Any document of a model may have changed. */
  readonly invalidated: { readonly message: string; readonly answer: void };
  readonly changes: { readonly message: ChangesMessage; readonly answer: void };
  readonly 'cache clear': { readonly message: undefined; readonly answer: void };
  readonly 'cache stats': { readonly message: undefined; readonly answer: Readonly<Record<string, number>> };
  /** How many open connections of an address, a user or a caller a worker has. */
  readonly connections: { readonly message: ConnectionKeys; readonly answer: ConnectionCounts };
}

/** A change, as `realtime/changes/change-messages.ts` reads and writes it. */
export interface ChangeMessage {
  readonly event: 'post' | 'put' | 'del';
  /** The name of the model. */
  readonly model: string;
  readonly id: string;
  /** BSON of the documents before and after; without documents, of the revision before. */
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
  readonly user: string | undefined;
  readonly joined?: true | undefined;
  readonly version: number | undefined;
  readonly silent: boolean;
}

export interface ChangesMessage {
  /** Names the worker that sends them. */
  readonly by: string;
  readonly changes: readonly ChangeMessage[];
  /** In a feed that the primary orders: the number of the first change that is not silent. */
  readonly first?: number;
}

export interface ConnectionKeys {
  /** Undefined for a connection that is open and signs in. */
  readonly address: string | undefined;
  readonly user: string | undefined;
  /** The caller of an event stream. */
  readonly caller: string | undefined;
}
export type ConnectionCounts = Readonly<Record<keyof ConnectionKeys, number>>;

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

/** The other workers, and what the primary holds for all of them. */
export interface Peers {
  /**
   * Sends a message to the other workers. Resolves with their answers when each living one has handled it; one that starts, fails or does
   * not react has no answer. Never rejects.
   */
  broadcast<T extends keyof Topics>(topic: T, message: Topics[T]['message']): Promise<readonly Topics[T]['answer'][]>;
  /** Handles the messages of the others. */
  onMessage<T extends keyof Topics>(
    topic: T,
    handle: (message: Topics[T]['message']) => Topics[T]['answer'] | Promise<Topics[T]['answer']>,
  ): void;
  /** Resolves when every message of this worker is handled; undefined when it is. */
  settled(): Promise<void> | undefined;
  /** Counts an event. @returns the count in the key's window, and the end of the window */
  count(key: string, windowMs: number): Promise<Hits>;
  /**
   * Waits for a permit of a semaphore over all workers.
   * @param permits how many may be held; a function is called again after each release, and may throw to refuse
   * @returns releases the permit
   */
  acquire(key: string, permits: number | (() => Promise<number>)): Promise<() => void>;
  /** The record that counts a failed login, as `FailedLogins` names it. */
  failedLogin(minute: number, key: string): Promise<{ readonly id: string; readonly isOver: boolean }>;
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
