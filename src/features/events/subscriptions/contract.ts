/**
 * The interfaces of realtime subscribers: their subscriptions, their connections and their events. Any folder may import them.
 */
import type { Principal } from '../../../core.ts';
import type { Scope } from '../../../realtime/changes/contract.ts';
import type { ConnectionKeys } from '../../../shared/contract.ts';

/** A change, encoded for subscribers. */
export interface EncodedEvent {
  /** Undefined for a document that a subscription begins with: only after all of them there is a position to go on from. */
  readonly position: string | undefined;
  /** `{event, modelname, item, user_id, position?}` as JSON. */
  readonly json: string;
  /** `json` in UTF-8. */
  readonly bytes: Buffer;
}

/** Why a subscriber's connection is closed. */
export type CloseReason = 'signed out' | 'too slow' | 'missed' | 'stopping';

/** The connection to a subscriber. */
export interface Transport {
  send(events: readonly EncodedEvent[]): void;
  /** More than `maxUnsent` bytes are unsent: no more data may be added until there is room. */
  readonly isFull: boolean;
  /** Resolves when most of the data has been sent, or the connection is gone. */
  room(): Promise<void>;
  /** Sends a heartbeat. @param position of the last delivered change */
  heartbeat(position: string): void;
  /** Reports that all documents have been sent that a subscription begins with. */
  ready(subscription: string, position: string): void;
  end(why: CloseReason): void;
  /** Reports subscriptions that the server has ended, and why. */
  drop(subscriptions: readonly string[], message: string): void;
}

/** A request to subscribe, whose filter has been checked. */
export interface SubscriptionRequest extends Scope {
  readonly filter: Readonly<Record<string, unknown>> | undefined;
  /** The position after which it begins; from now on without one. */
  readonly since: string | undefined;
  /** Reads the documents with which it begins; undefined for one that begins with changes. */
  readonly documents?: (() => AsyncIterable<readonly Row[]>) | undefined;
}

/** A document as stored. */
export type Row = Readonly<Record<string, unknown>>;

/** A subscription that has begun. */
export interface OpenSubscription {
  /** Names it to the subscriber. */
  readonly key: string;
  /** The position at which it began; undefined for one that begins with past events. */
  readonly position: string | undefined;
}

/** A subscriber: its principal and its subscriptions. Work for one subscriber runs in order. */
export interface Subscriber {
  readonly principal: Principal;
  /** Sets the principal, which is verified again whenever its rights may have changed; another user's subscriptions end. @throws 429 */
  signIn(principal: Principal, verify: () => Promise<Principal>): void;
  /**
   * The principal as of now; undefined when it cannot be determined. A credential that is no longer valid ends the connection.
   */
  verified(): Promise<Principal | undefined>;
  enqueue(work: () => Promise<void> | void): void;
  /** @throws 400, 401, 403, 410, 503 */
  subscribe(request: SubscriptionRequest): Promise<OpenSubscription>;
  /** Ends the subscriptions that pass the test. @returns their keys */
  unsubscribe(names: (subscription: Scope & { readonly key: string }) => boolean): readonly string[];
  /** Ends all delivery and removes the subscriber. */
  leave(): void;
}

export interface Subscribers {
  /**
   * @throws 429 when the address or the user has too many open connections, at all workers together, to open another one; 400 for too
   * many event streams of one caller
   */
  admit(keys: ConnectionKeys): Promise<void>;
  /** @param streamsOf the caller by whom event streams are counted @throws 400 for too many event streams of one caller, 429 */
  join(transport: Transport, address: string, streamsOf?: string): Subscriber;
  /** Ends all subscribers and refuses new ones. */
  end(): void;
}
