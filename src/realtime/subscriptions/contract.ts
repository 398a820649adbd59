/** Realtime listeners: what they subscribe to, how they are reached, and what is sent to them. Interfaces only: any place may import them. */
import type { Principal } from '../../policy/principal.ts';
import type { Scope } from '../changes/contract.ts';

/** What is told of a change. */
export interface EncodedEvent {
  readonly position: string;
  /** `{event, modelname, item, user_id, position}` as JSON. */
  readonly json: string;
  /** The same in UTF-8. */
  readonly bytes: Buffer;
}

/** Why somebody is told no more. */
export type CloseReason = 'signed out' | 'too slow' | 'missed' | 'stopping';

/** The way to one who hears of changes. */
export interface Transport {
  send(news: readonly EncodedEvent[]): void;
  /** More than `maxUnsent` bytes wait to be sent: nothing is to be added until there is room. */
  readonly isFull: boolean;
  /** Resolves when most of what was sent is on its way, or nobody is there any more. */
  room(): Promise<void>;
  /** Shows that the server is there, at every heartbeat. @param position up to which everything has been told */
  beat(position: string): void;
  end(why: CloseReason): void;
  /** Says which subscriptions have been ended because their filters cost too much. */
  drop(subscriptions: readonly string[]): void;
}

/** What somebody wants to hear of; the filter has been checked. */
export interface SubscriptionRequest extends Scope {
  readonly filter: Readonly<Record<string, unknown>> | undefined;
  /** The position after which it begins; from now on without one. */
  readonly since: string | undefined;
}

/** One who hears of changes: who they are, and what they subscribe to. What is done for them is done one after the other. */
export interface Listener {
  readonly principal: Principal;
  /** Takes a principal, verified again whenever their rights may have changed; subscriptions of somebody else end. @throws 429 */
  signIn(principal: Principal, verify: () => Promise<Principal>): void;
  /** The principal as they are now; undefined when that cannot be told. A credential that no longer holds ends it all. */
  verified(): Promise<Principal | undefined>;
  enqueue(work: () => Promise<void> | void): void;
  /** @returns the key of the subscription @throws 400, 401, 403, 410, 503 */
  subscribe(wish: SubscriptionRequest): Promise<string>;
  /** Ends the subscriptions that the test names. @returns their keys */
  unsubscribe(names: (subscription: Scope & { readonly key: string }) => boolean): readonly string[];
  /** Is told nothing more, and forgotten. */
  leave(): void;
}

/** All who hear of changes. */
export interface Live {
  /** @throws 429 when the address or the user has too many open connections to open another one */
  admit(address: string, user: string | undefined): void;
  /** @param streamsOf whose event streams are counted together @throws 400 when they are too many, 429 */
  join(outlet: Transport, address: string, streamsOf?: string): Listener;
  /** Ends everybody's listening, and lets nobody join any more. */
  end(): void;
}
