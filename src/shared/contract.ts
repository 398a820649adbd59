/**
 * What the processes of one server share: counts, locks and messages. The rest of the house does not know whether there are others, and
 * where the state is kept. Any folder may import it.
 */
import type { KeyedMutex, KeyedMutexOptions } from '../async/keyed-mutex.ts';
import type { KeyedSemaphore } from '../async/keyed-semaphore.ts';
import type { CredentialOwner } from '../auth/contract.ts';
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
  readonly 'cache clear': { readonly message: undefined; readonly answer: void };
  readonly 'cache stats': { readonly message: undefined; readonly answer: Readonly<Record<string, number>> };
  /** How many open connections of an address, a user or a caller a process has. */
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

export interface Shared {
  /**
   * Sends a message to the other processes. Resolves with their answers when each living one has handled it; one that starts, fails or does
   * not react has no answer. Never rejects.
   */
  broadcast<T extends keyof Topics>(topic: T, message: Topics[T]['message']): Promise<readonly Topics[T]['answer'][]>;
  /** Handles the messages of the others. */
  onMessage<T extends keyof Topics>(
    topic: T,
    handle: (message: Topics[T]['message']) => Topics[T]['answer'] | Promise<Topics[T]['answer']>,
  ): void;
  /** Resolves when every message of this process is handled; undefined when it is. */
  settled(): Promise<void> | undefined;
  /** Counts an event. @returns the count in the key's window, and the end of the window */
  count(key: string, windowMs: number): Hits | Promise<Hits>;
  /** Permits by key, held by the work of all processes. */
  readonly permits: KeyedSemaphore;
  /** Makes a mutex by key over all processes. */
  mutex(options: KeyedMutexOptions): KeyedMutex;
  /** The record that counts a failed login. */
  failedLogin(minute: number, key: string): FailedLoginRecord | Promise<FailedLoginRecord>;
}
