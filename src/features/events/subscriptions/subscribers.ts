/** All subscribers of all transports: delivers changes and heartbeats, verifies their principals and closes their connections. */
import type { Auth, CredentialOwner } from '../../../auth/contract.ts';
import { type Log, type ModelEntry, type Principal, type Settings, tooMany } from '../../../core.ts';
import { unavailable } from '../../../errors/errors.ts';
import type { Bus, Feed } from '../../../realtime/changes/contract.ts';
import type { ConnectionCounts, ConnectionKeys, SharedState } from '../../../shared/contract.ts';
import type { Matching } from '../matching/matching.ts';
import { Batcher } from './batcher.ts';
import { Connections } from './connections.ts';
import type { CloseReason, Subscribers, Transport } from './contract.ts';
import { Counts } from './counts.ts';
import { makeEventEncoder } from './event-encoder.ts';
import { LiveSubscriber } from './subscriber.ts';
import type { SubscriberParts } from './subscriber-parts.ts';
import { type Interest, Subscriptions } from './subscriptions.ts';

const heartbeat = 30_000;
/** Together with `principalTtlMs` it is below the five seconds within which a right that ended on another server takes effect. */
export const revalidateEveryMs = 800;
/** Maximum event streams of one caller. */
const maxPerCaller = 100;

export interface RegistryParts {
  readonly auth: Pick<Auth, 'bySession' | 'onStale'>;
  readonly bus: Bus;
  readonly feed: Feed;
  readonly log: Log;
  readonly matching: Matching;
  readonly limits: Settings['websocket'];
  /** The other workers of this server. */
  readonly processes: SharedState;
}

function concerns(whose: Exclude<CredentialOwner, 'all'>, { user, session, key }: Principal): boolean {
  if ('user' in whose) return user?.id === whose.user;
  return 'session' in whose ? session === whose.session : key === whose.key;
}

export class SubscriberRegistry implements Subscribers {
  readonly #subscribers = new Set<LiveSubscriber>();
  /** Event streams by caller. */
  readonly #streams = new Counts();
  /** The number of subscriptions of all subscribers, by model. */
  readonly #subscriptions = new Map<ModelEntry, number>();
  readonly #connections: Connections;
  readonly #shared: Omit<SubscriberParts, 'caller'>;
  readonly #stops: readonly (() => void)[];
  readonly #processes: SharedState;
  #ended = false;

  constructor({ auth, bus, feed, log, matching, limits, processes }: RegistryParts) {
    this.#processes = processes;
    processes.onMessage('connections', (keys) => this.#countsOf(keys));
    const connections = new Connections(limits);
    const batcher = new Batcher(this.#subscribers);
    this.#connections = connections;
    this.#shared = {
      auth,
      connections,
      feed,
      changes: batcher,
      log,
      matching,
      encodeEvent: makeEventEncoder(),
      undeletedRows: new WeakMap(),
    };
    auth.onStale((whose) => this.#markStale(whose));
    this.#stops = [
      every(heartbeat, () => this.#heartbeat(feed.position())),
      // sessions also expire, and other servers end them
      every(revalidateEveryMs, () => this.#revalidate()),
      feed.listen({
        deliver: (change) => (this.#subscribers.size === 0 ? undefined : batcher.add(change)),
        missed: () => this.#endAll('missed'),
      }),
      // writers publish before-images while a model has subscribers
      bus.subscribe(
        () => undefined,
        (model) => this.#subscribed(model) > 0,
      ),
    ];
  }

  async admit(keys: ConnectionKeys): Promise<void> {
    const all = [this.#countsOf(keys), ...(await this.#processes.broadcast('connections', keys))];
    const sum = (name: keyof ConnectionKeys): number => all.reduce((count, one) => count + one[name], 0);
    this.#connections.admit({ address: sum('address'), user: sum('user') });
    if (sum('caller') >= maxPerCaller) throw tooMany('event streams', maxPerCaller);
  }

  join(transport: Transport, address: string, caller?: string): LiveSubscriber {
    if (this.#ended) throw unavailable();
    this.#connections.admit(this.#connections.counts(address, undefined));
    if (caller !== undefined) {
      if (this.#streams.of(caller) >= maxPerCaller) throw tooMany('event streams', maxPerCaller);
      this.#streams.add(caller, 1);
    }
    const onLeave = (subscriber: LiveSubscriber): void => {
      if (!this.#subscribers.delete(subscriber)) return;
      this.#connections.close(address, subscriber.principal.user?.id);
      if (caller !== undefined) this.#streams.add(caller, -1);
    };
    const parts = { ...this.#shared, caller: address };
    const interest: Interest = {
      add: (model, count) => void this.#subscriptions.set(model, this.#subscribed(model) + count),
    };
    const subscriber = new LiveSubscriber(transport, parts, new Subscriptions(interest), onLeave);
    this.#connections.open(address);
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  #subscribed(model: ModelEntry): number {
    return this.#subscriptions.get(model) ?? 0;
  }

  /** The open connections of this process. */
  get size(): number {
    return this.#subscribers.size;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#stops) stop();
    for (const subscriber of this.#subscribers) subscriber.drain();
    this.#endAll('stopping');
  }

  /** The open connections of this worker. */
  #countsOf({ address, user, caller }: ConnectionKeys): ConnectionCounts {
    return { ...this.#connections.counts(address, user), caller: caller === undefined ? 0 : this.#streams.of(caller) };
  }

  #endAll(why: CloseReason): void {
    for (const { transport } of [...this.#subscribers]) transport.end(why);
  }

  #markStale(whose: CredentialOwner): void {
    for (const subscriber of this.#subscribers) {
      if (whose === 'all') subscriber.markStale();
      else if (concerns(whose, subscriber.principal)) subscriber.revalidate();
    }
  }

  #heartbeat(position: string): void {
    for (const subscriber of this.#subscribers) subscriber.beat(position);
  }

  #revalidate(): void {
    for (const subscriber of this.#subscribers) subscriber.revalidate();
  }
}

/** @returns stops it */
function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  return () => clearInterval(timer);
}
