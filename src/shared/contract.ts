/**
 * What processes share: counts, locks, leases and messages. The rest of the house does not know whether there are others, and where the
 * state is kept: in this process (`process.ts`), in the primary of the workers (`workers/hub.ts`), or in a database that several servers
 * use (`database/open-database.ts`). Any folder may import it.
 */
import type { KeyedMutex, KeyedMutexOptions } from '../async/keyed-mutex.ts';
import type { KeyedSemaphore } from '../async/keyed-semaphore.ts';
import type { CredentialOwner } from '../auth/contract.ts';
import type { Snapshot } from '../metrics/metrics.ts';
import type { ProcessCounts } from '../metrics/request-watch.ts';
import type { SlowRead } from '../read/contract.ts';
import type { Hits } from '../settings/config-file.ts';

/** The messages between the processes, and the answer to each. Messages are structured clones. */
export interface Topics {
  /** Cached principals of a user, session or key are no longer valid. */
  readonly 'principals stale': { readonly message: Exclude<CredentialOwner, 'all'>; readonly answer: void };
  /** A key of the login throttle is refused until a time, in milliseconds. */
  readonly refused: { readonly message: { readonly key: string; readonly until: number }; readonly answer: void };
  /** Any document of a model may have changed. */
  readonly invalidated: { readonly message: string; readonly answer: void };
  readonly changes: { readonly message: ChangesMessage; readonly answer: void };
  /** The active webhooks have changed. */
  readonly 'webhooks changed': { readonly message: undefined; readonly answer: void };
  readonly 'cache clear': { readonly message: undefined; readonly answer: void };
  readonly 'cache stats': { readonly message: undefined; readonly answer: Readonly<Record<string, number>> };
  /** The last lines of the log of a process. */
  readonly 'log lines': { readonly message: undefined; readonly answer: readonly string[] };
  /** The requests that a process has answered. */
  readonly requests: { readonly message: undefined; readonly answer: ProcessCounts };
  /** The slow reads of a process. */
  readonly 'slow reads': { readonly message: undefined; readonly answer: readonly SlowRead[] };
  readonly metrics: { readonly message: undefined; readonly answer: Snapshot };
  /** How many open connections of an address, a user or a caller a process has. */
  readonly connections: { readonly message: ConnectionKeys; readonly answer: ConnectionCounts };
}

/** A change, as `realtime/changes/spanning-bus.ts` reads and writes it. */
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
  /** Names the process that sends them. */
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

/** The record that counts failed logins of one kind in a minute. */
export interface FailedLoginRecord {
  readonly id: string;
  /** Whether it is the one for all beyond the limit of records. */
  readonly isOver: boolean;
}

/** A span of time in which events are counted. */
export interface Window {
  readonly ms: number;
  /** Whether it ends `ms` after the last event; otherwise after the first. */
  readonly prolongs?: boolean;
}

/** A limit on frequent events, such as requests. */
export interface Limit {
  /** Precedes its keys. */
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  /** Whether all servers of the database count together; otherwise each server counts for itself. */
  readonly spans: boolean;
}

/** Counts an event of a key. @returns the count, this event included, and the end of the window */
export type CountAgainstLimit = (key: string) => Hits | Promise<Hits>;

/** The right to do something that only one process may do at a time. It is renewed until it is released. */
export interface Lease {
  /** Aborted when the lease is lost: the process could not renew it, or another one has it. Its work has to end then. */
  readonly signal: AbortSignal;
  /** Gives it back. Never rejects: a lease that cannot be given back ends by itself. */
  release(): Promise<void>;
}

/** A time that all processes agree on, although their clocks differ. */
export interface SharedClock {
  /** The time in milliseconds. @throws what asking the database throws, when it was never reached */
  now(): Promise<number>;
  /** The same without asking: that of this machine until the database has been asked. */
  estimate(): number;
}

/**
 * Each method says over which processes it holds. A server is a process, or several workers with their primary; servers are those that use
 * the same database by `MONGODB_URL`.
 */
export interface SharedState {
  /**
   * Sends a message to the other processes of this server, but not to other servers: what these must know, they read from the database or
   * its change streams. Resolves with their answers when each living process has handled it; one that starts, fails or does not react has
   * no answer. Never rejects.
   */
  broadcast<T extends keyof Topics>(topic: T, message: Topics[T]['message']): Promise<readonly Topics[T]['answer'][]>;
  /** Handles the messages of the others. */
  onMessage<T extends keyof Topics>(
    topic: T,
    handle: (message: Topics[T]['message']) => Topics[T]['answer'] | Promise<Topics[T]['answer']>,
  ): void;
  /** Resolves when every message of this process is handled; undefined when it is, and the function itself where there are no other processes. */
  readonly settled?: (() => Promise<void> | undefined) | undefined;
  /**
   * Counts an event, exactly, over all servers; a round trip to the database where there are several. Without the database, the processes of
   * this server count alone.
   * @returns the count in the key's window, and the end of the window
   */
  count(key: string, window: Window): Hits | Promise<Hits>;
  /** The counts of keys, in their order; undefined without an event in the window. One round trip, as `count`. */
  counts(keys: readonly string[]): readonly (Hits | undefined)[] | Promise<readonly (Hits | undefined)[]>;
  /**
   * Makes a counter of frequent events. It is exact over one server, and over several admits up to a tenth more than the limit (at
   * least one for each process), with a round trip to the database for each tenth of the limit that is used.
   */
  limit(limit: Limit): CountAgainstLimit;
  /**
   * Takes a lease, over all servers. It ends by itself `ms` after its process has crashed or lost the others.
   * @returns undefined while another process, or another caller in this one, has it @throws 503 without the database
   */
  lease(key: string, ms: number): Promise<Lease | undefined>;
  /**
   * Whether this call is the first one for a key, over all servers, within `ms`. One server drops its keys when it stops.
   * @throws 503 without the database
   */
  once(key: string, ms: number): Promise<boolean>;
  /** The time over all servers: the database's where there are several. */
  readonly clock: SharedClock;
  /** Permits by key, held by the work of all processes of this server. */
  readonly permits: KeyedSemaphore;
  /** Makes a mutex by key over all processes of this server. */
  mutex(options: KeyedMutexOptions): KeyedMutex;
  /**
   * The metrics of all processes of this server, and what those have counted that have ended. Counters of all together never go back.
   * @param own those of this process
   */
  metrics(own: Snapshot): Promise<readonly Snapshot[]>;
  /** The record of this server that counts a failed login. */
  failedLogin(minute: number, key: string): FailedLoginRecord | Promise<FailedLoginRecord>;
}
