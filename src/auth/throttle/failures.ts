/**
 * The limit on requests of each user, and failed logins by key: how many there are in the window, and blocks that grow. A key that reaches
 * its limit again is blocked twice as long as before, up to an hour; after a day without that, it begins from the start.
 */
import { throttled } from '../../errors/errors.ts';
import type { Log } from '../../ports/log.ts';
import type { Counters, Hits } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';
import type { SharedState } from '../../shared/contract.ts';

const dayMs = 86_400_000;
const maxBlockMs = 3_600_000;

export interface FailedAttempts {
  /** The failures of keys in the window, and the ends of their blocks, which may have passed. */
  of(keys: readonly string[]): Promise<readonly { readonly hits: Hits | undefined; readonly end: Date | undefined }[]>;
  /** Counts a failure. */
  count(key: string): Promise<Hits> | Hits;
  /** Counts that a key has reached its limit. @returns the end of its block; undefined the first time, when its window ends it */
  extend(key: string): Promise<Date | undefined>;
}

interface Parts {
  readonly throttle: Settings['throttle'];
  readonly shared: Pick<SharedState, 'count' | 'counts'>;
  /** The store of the config for failures; blocks are kept as without one. */
  readonly store: Counters | undefined;
  readonly log: Log;
}

export function makeFailedAttempts({ throttle: { window_ms: ms }, shared, store, log }: Parts): FailedAttempts {
  // a store that fails to start also fails when it counts
  Promise.resolve()
    .then(() => store?.init?.({ windowMs: ms }))
    .catch((error: unknown) => log.error('the store of the login throttle failed to start', error));
  const hitsOf = (keys: readonly string[]): Promise<readonly (Hits | undefined)[]> | undefined =>
    store && Promise.all(keys.map(async (key) => store.get?.(key)));
  return {
    async of(keys) {
      const counted = [...keys.map(blockOf), ...(store === undefined ? keys.map(failureOf) : [])];
      const [found, stored] = await Promise.all([shared.counts(counted), hitsOf(keys)]);
      const hits = stored ?? found.slice(keys.length);
      return keys.map((_key, at) => ({ hits: hits[at], end: blockEnd(found[at], ms) }));
    },
    count: (key) => store?.increment(key) ?? shared.count(failureOf(key), { ms }),
    extend: async (key) => blockEnd(await shared.count(blockOf(key), { ms: dayMs, prolongs: true }), ms),
  };
}

const failureOf = (key: string): string => `failed ${key}`;
const blockOf = (key: string): string => `block ${key}`;

/** @param reached how often the limit has been reached; the window ends a day after the last time */
function blockEnd(reached: Hits | undefined, windowMs: number): Date | undefined {
  const { totalHits: times = 0, resetTime } = reached ?? {};
  if (times < 2 || resetTime === undefined) return undefined;
  const last = resetTime.getTime() - dayMs;
  return new Date(last + Math.max(windowMs, Math.min(maxBlockMs, windowMs * 2 ** (times - 1))));
}

type Limit = (user: string) => void | Promise<void>;

/** @returns counts a request of a user, and throws 429; undefined without a limit */
export function makeUserThrottle(
  throttle: Settings['throttle'],
  clock: () => Date,
  shared: Pick<SharedState, 'limit'>,
): Limit | undefined {
  const { enabled, user_max: max, window_ms: windowMs } = throttle;
  if (!enabled || max === 0) return undefined;
  const count = shared.limit({ name: 'user', max, windowMs, spans: true });
  return (user) => {
    const hits = count(user);
    // most servers count at once
    return hits instanceof Promise
      ? hits.then((counted) => check(throttle, counted, clock()))
      : check(throttle, hits, clock());
  };
}

/** @throws 429 */
function check(
  { user_max: max, window_ms: windowMs }: Settings['throttle'],
  { totalHits, resetTime }: Hits,
  now: Date,
): void {
  if (totalHits <= max) return;
  const seconds = Math.max(1, Math.ceil(((resetTime ?? now).getTime() - now.getTime()) / 1000));
  throw throttled(seconds, {
    'RateLimit-Policy': `"users"; q=${max}; w=${Math.ceil(windowMs / 1000)}`,
    RateLimit: `"users"; r=0; t=${seconds}`,
  });
}
