/** Limits the requests of each signed-in user in a window, wherever they come from, over all servers of the database. */
import { throttled } from '../../errors/errors.ts';
import type { Hits } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';
import type { Shared } from '../../shared/contract.ts';

type Limit = (user: string) => void | Promise<void>;

/** @returns counts a request of a user, and throws 429; undefined without a limit */
export function makeUserThrottle(
  throttle: Settings['throttle'],
  clock: () => Date,
  shared: Pick<Shared, 'limit'>,
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
