/** All subscribers of all transports: delivers changes and heartbeats, verifies their principals and closes their connections. */
import type { Principal } from '../../policy/principal.ts';
import { tooMany, unavailable } from '../../errors.ts';
import type { MarkedFeed } from '../changes/feed-parts.ts';
import type { Log } from '../../log.ts';
import type { Auth, CredentialOwner } from '../../auth/contract.ts';
import type { Bus } from '../changes/contract.ts';
import type { CloseReason, Live } from './contract.ts';
import type { Matching } from '../../read/matching.ts';
import type { Settings } from '../../settings/types.ts';
import { Connections } from './connections.ts';
import { LiveListener } from './listener.ts';
import { makeEventEncoder } from './event-encoder.ts';
import { makeBatcher } from './batcher.ts';
import { Interest, Subscriptions } from './subscriptions.ts';

const heartbeat = 30_000;
/** Together with `principalTtlMs` it is below the five seconds within which a right that ended on another server takes effect. */
export const revalidateEveryMs = 800;
/** Maximum event streams of one caller. */
const maxPerCaller = 100;

export interface LiveParts {
  readonly auth: Pick<Auth, 'bySession' | 'onStale'>;
  readonly bus: Bus;
  readonly feed: MarkedFeed;
  readonly log: Log;
  readonly matching: Matching;
  readonly limits: Settings['websocket'];
}

const concerns = (whose: Exclude<CredentialOwner, 'all'>, { user, session }: Principal): boolean =>
  'user' in whose ? user?.id === whose.user : session === whose.session;

export function makeLive({ auth, bus, feed, log, matching, limits }: LiveParts): Live {
  const listeners = new Set<LiveListener>();
  const callers = new Map<string, number>();
  const interest = new Interest();
  const connections = new Connections(limits);
  const shared = {
    auth,
    connections,
    feed,
    log,
    matching,
    encodeEvent: makeEventEncoder(),
    undeletedRows: new WeakMap(),
  };
  const batcher = makeBatcher(listeners);
  let ended = false;

  const count = (caller: string, by: 1 | -1): void => {
    const left = (callers.get(caller) ?? 0) + by;
    if (left > 0) callers.set(caller, left);
    else callers.delete(caller);
  };
  const endAll = (why: CloseReason): void => {
    for (const { transport } of [...listeners]) transport.end(why);
  };
  auth.onStale((whose) => {
    for (const listener of listeners) {
      if (whose === 'all') listener.markStale();
      else if (concerns(whose, listener.principal)) listener.revalidate();
    }
  });
  const stops = [
    feed.listen({ deliver: batcher.add, missed: () => endAll('missed') }),
    // writers publish before-images while a model has subscribers
    bus.subscribe(
      () => undefined,
      (model) => interest.has(model),
    ),
  ];
  const timers = [
    setInterval(() => {
      const position = feed.position();
      listeners.forEach((listener) => listener.beat(position));
    }, heartbeat),
    // sessions also expire, and other servers end them
    setInterval(() => listeners.forEach((listener) => listener.revalidate()), revalidateEveryMs),
  ];
  return {
    admit: (address, user) => connections.admit(address, user),
    join(transport, address, caller) {
      if (ended) throw unavailable();
      connections.admit(address, undefined);
      if (caller !== undefined) {
        if ((callers.get(caller) ?? 0) >= maxPerCaller) throw tooMany('event streams', maxPerCaller);
        count(caller, 1);
      }
      const forget = (): void => {
        if (!listeners.delete(listener)) return;
        connections.close(address, listener.principal.user?.id);
        if (caller !== undefined) count(caller, -1);
      };
      const listener = new LiveListener(
        transport,
        { ...shared, changes: batcher, caller: address },
        new Subscriptions(interest),
        forget,
      );
      connections.open(address);
      listeners.add(listener);
      return listener;
    },
    end() {
      if (ended) return;
      ended = true;
      for (const timer of timers) clearInterval(timer);
      for (const stop of stops) stop();
      for (const listener of listeners) listener.drain();
      endAll('stopping');
    },
  };
}
