/** Limits the requests of each signed-in user in a window, wherever they come from. Each server counts for itself. */
import { throttled } from '../../errors.ts';
import type { Settings } from '../../settings/types.ts';

/** @returns counts a request of a user, and none of anonymous callers; throws 429 */
export function makeUserThrottle(
  { enabled, user_max: max, window_ms: windowMs }: Settings['throttle'],
  clock: () => Date,
): (user: string | undefined) => void {
  if (!enabled || max === 0) return () => undefined;
  const counts = new Map<string, number>();
  let ends = -Infinity;
  return (user) => {
    if (user === undefined) return;
    const now = clock().getTime();
    // the clock may be set back
    if (now >= ends || now < ends - windowMs) {
      counts.clear();
      ends = now + windowMs;
    }
    const count = (counts.get(user) ?? 0) + 1;
    counts.set(user, count);
    if (count <= max) return;
    const seconds = Math.max(1, Math.ceil((ends - now) / 1000));
    throw throttled(seconds, {
      'RateLimit-Policy': `"users"; q=${max}; w=${Math.ceil(windowMs / 1000)}`,
      RateLimit: `"users"; r=0; t=${seconds}`,
    });
  };
}
