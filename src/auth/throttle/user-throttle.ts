/** Limits the requests of each signed-in user in a window, wherever they come from. Each server counts for itself, with all its workers. */
import { throttled } from '../../errors.ts';
import type { Settings } from '../../settings/types.ts';
import type { Peers } from '../../workers/contract.ts';

type Limit = (user: string | undefined) => void | Promise<void>;

/** @returns counts a request of a user, and none of anonymous callers; throws 429 */
export function makeUserThrottle(throttle: Settings['throttle'], clock: () => Date, peers?: Peers): Limit {
  if (!throttle.enabled || throttle.user_max === 0) return () => undefined;
  return peers === undefined ? alone(throttle, clock) : overWorkers(throttle, peers);
}

function alone(throttle: Settings['throttle'], clock: () => Date): Limit {
  const { window_ms: windowMs } = throttle;
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
    check(throttle, count, ends - now);
  };
}

const overWorkers =
  (throttle: Settings['throttle'], peers: Peers): Limit =>
  async (user) => {
    if (user === undefined) return;
    const { totalHits, resetTime } = await peers.count(`user ${user}`, throttle.window_ms);
    check(throttle, totalHits, (resetTime?.getTime() ?? 0) - Date.now());
  };

/** @param leftMs milliseconds until the window ends @throws 429 */
function check({ user_max: max, window_ms: windowMs }: Settings['throttle'], count: number, leftMs: number): void {
  if (count <= max) return;
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  throw throttled(seconds, {
    'RateLimit-Policy': `"users"; q=${max}; w=${Math.ceil(windowMs / 1000)}`,
    RateLimit: `"users"; r=0; t=${seconds}`,
  });
}
