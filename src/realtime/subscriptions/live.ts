/** All who hear of changes, whichever way: they are told, doubted, shown that the server is there, and let go together. */
import type { Auth, Doubted } from '../../auth/contract.ts';
import { tooMany, unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Principal } from '../../policy/principal.ts';
import type { Matching } from '../../read/matching.ts';
import type { Settings } from '../../settings/types.ts';
import type { Bus } from '../changes/contract.ts';
import type { MarkedFeed } from '../changes/feed-parts.ts';
import { Batcher } from './batcher.ts';
import { Connections } from './connections.ts';
import type { CloseReason, Live, Transport } from './contract.ts';
import { Counts } from './counts.ts';
import { makeEventEncoder } from './event-encoder.ts';
import { type ListenerParts, LiveListener } from './listener.ts';
import { Interest, Subscriptions } from './subscriptions.ts';

const heartbeat = 30_000;
/** With the time for which a principal is believed it is below the five seconds in which a right that ended elsewhere is known. */
export const doubtEvery = 800;
/** Listeners that one caller may have. */
const maxOfOne = 100;

export interface LiveParts {
  readonly auth: Pick<Auth, 'bySession' | 'onDoubt'>;
  readonly bus: Bus;
  readonly feed: MarkedFeed;
  readonly log: Log;
  readonly matching: Matching;
  readonly limits: Settings['websocket'];
}

const concerns = (whose: Exclude<Doubted, 'everybody'>, { user, session }: Principal): boolean =>
  'user' in whose ? user?.id === whose.user : session === whose.session;

export class LiveSubscribers implements Live {
  readonly #listeners = new Set<LiveListener>();
  /** Event streams by caller. */
  readonly #streams = new Counts();
  readonly #interest = new Interest();
  readonly #connections: Connections;
  readonly #shared: Omit<ListenerParts, 'caller'>;
  readonly #stops: readonly (() => void)[];
  #ended = false;

  constructor({ auth, bus, feed, log, matching, limits }: LiveParts) {
    const connections = new Connections(limits);
    const line = new Batcher(this.#listeners);
    this.#connections = connections;
    this.#shared = {
      auth,
      connections,
      feed,
      line,
      log,
      matching,
      encodeEvent: makeEventEncoder(),
      undeletedRows: new WeakMap(),
    };
    auth.onDoubt((whose) => this.#doubt(whose));
    this.#stops = [
      every(heartbeat, () => this.#beat(feed.position())),
      // sessions end by time and by other servers, too
      every(doubtEvery, () => this.#recheck()),
      feed.listen({ tell: (change) => line.add(change), missed: () => this.#endAll('missed') }),
      // writers tell how documents were before while somebody listens
      bus.subscribe(
        () => undefined,
        (model) => this.#interest.has(model),
      ),
    ];
  }

  admit(address: string, user: string | undefined): void {
    this.#connections.admit(address, user);
  }

  join(outlet: Transport, address: string, caller?: string): LiveListener {
    if (this.#ended) throw unavailable();
    this.#connections.admit(address, undefined);
    if (caller !== undefined) {
      if (this.#streams.of(caller) >= maxOfOne) throw tooMany('event streams', maxOfOne);
      this.#streams.add(caller, 1);
    }
    const forget = (listener: LiveListener): void => {
      if (!this.#listeners.delete(listener)) return;
      this.#connections.close(address, listener.principal.user?.id);
      if (caller !== undefined) this.#streams.add(caller, -1);
    };
    const parts = { ...this.#shared, caller: address };
    const listener = new LiveListener(outlet, parts, new Subscriptions(this.#interest), forget);
    this.#connections.open(address);
    this.#listeners.add(listener);
    return listener;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#stops) stop();
    for (const listener of this.#listeners) listener.hear();
    this.#endAll('stopping');
  }

  #endAll(why: CloseReason): void {
    for (const { outlet } of [...this.#listeners]) outlet.end(why);
  }

  #doubt(whose: Doubted): void {
    for (const listener of this.#listeners) {
      if (whose === 'everybody') listener.doubt();
      else if (concerns(whose, listener.principal)) listener.recheck();
    }
  }

  #beat(position: string): void {
    for (const listener of this.#listeners) listener.beat(position);
  }

  #recheck(): void {
    for (const listener of this.#listeners) listener.recheck();
  }
}

/** @returns stops it */
function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
}
