/** All who hear of changes, whichever way: they are told, doubted, shown that the server is there, and let go together. */
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
import { makeRounds } from './batcher.ts';
import { Interest, Subscriptions } from './subscriptions.ts';

const heartbeat = 30_000;
/** With the time for which a principal is believed it is below the five seconds in which a right that ended elsewhere is known. */
export const doubtEvery = 800;
/** Listeners that one caller may have. */
const maxOfOne = 100;

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
  const line = makeRounds(listeners);
  let ended = false;

  const count = (caller: string, by: 1 | -1): void => {
    const left = (callers.get(caller) ?? 0) + by;
    if (left > 0) callers.set(caller, left);
    else callers.delete(caller);
  };
  const endAll = (why: CloseReason): void => {
    for (const { outlet } of [...listeners]) outlet.end(why);
  };
  auth.onStale((whose) => {
    for (const listener of listeners) {
      if (whose === 'all') listener.doubt();
      else if (concerns(whose, listener.principal)) listener.recheck();
    }
  });
  const stops = [
    feed.listen({ tell: line.add, missed: () => endAll('missed') }),
    // writers tell how documents were before while somebody listens
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
    // sessions end by time and by other servers, too
    setInterval(() => listeners.forEach((listener) => listener.recheck()), doubtEvery),
  ];
  return {
    admit: (address, user) => connections.admit(address, user),
    join(outlet, address, caller) {
      if (ended) throw unavailable();
      connections.admit(address, undefined);
      if (caller !== undefined) {
        if ((callers.get(caller) ?? 0) >= maxOfOne) throw tooMany('event streams', maxOfOne);
        count(caller, 1);
      }
      const forget = (): void => {
        if (!listeners.delete(listener)) return;
        connections.close(address, listener.principal.user?.id);
        if (caller !== undefined) count(caller, -1);
      };
      const listener = new LiveListener(
        outlet,
        { ...shared, line, caller: address },
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
      for (const listener of listeners) listener.hear();
      endAll('stopping');
    },
  };
}
