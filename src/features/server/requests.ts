/** The requests that a server has answered, by their routes: of each process since its start, and of all processes together. */
import type { Core, Services } from '../../core.ts';
import {
  addCounts,
  byRoute,
  type GrowingCounts,
  noRequests,
  recentSince,
  recentSlices,
  sliceOf,
} from '../../metrics/request-counts.ts';
import type { AnsweredRequest, ProcessCounts, RequestWatch, RouteCounts } from '../../metrics/request-watch.ts';

/** Durations are counted in buckets, each a fifth longer than the one before: the upper bound of the first one, in milliseconds. */
const firstBucketMs = 0.1;
/** Buckets for each doubling. */
const perDoubling = 4;
/** The last one ends at about three minutes, and has all that is longer. */
export const bucketCount = 84;

/** The bucket of a duration in milliseconds. */
export function bucketOf(ms: number): number {
  const at = Math.ceil(Math.log2(ms / firstBucketMs) * perDoubling);
  return at > 0 ? Math.min(at, bucketCount - 1) : 0;
}

/** The number of entries of all buckets. */
const sizeOf = (buckets: readonly number[]): number => buckets.reduce((sum, one) => sum + one, 0);

/**
 * The duration in milliseconds that a part of all did not exceed: the upper bound of its bucket, which is at most a fifth too long.
 * @param part such as 0.95 @param max the longest of all
 */
export function percentile(buckets: readonly number[], part: number, max: number): number {
  let left = sizeOf(buckets) * part;
  const at = buckets.findIndex((count) => (left -= count) <= 0);
  const bound = at === -1 || at === bucketCount - 1 ? max : firstBucketMs * 2 ** (at / perDoubling);
  return Math.round(Math.min(bound, max) * 10) / 10;
}

/** Figures of requests. Durations are in milliseconds; percentiles are at most a fifth too long. */
interface Figures extends Pick<RouteCounts, 'count' | 'client_errors' | 'server_errors' | 'max_ms'> {
  readonly p50_ms: number;
  readonly p95_ms: number;
}

interface RouteFigures extends Pick<RouteCounts, 'method' | 'route'>, Figures {}

/** The figures of a time. */
interface FiguresSince {
  readonly since: Date;
  readonly total: Figures;
  /** Those with the most requests first. */
  readonly data: readonly RouteFigures[];
}

/** By route, then by method: words of the server, so that there are not more of them than it has operations. */
type Routes = Map<string, Map<string, GrowingCounts>>;

const countsIn = (routes: Routes): GrowingCounts[] => [...routes.values()].flatMap((methods) => [...methods.values()]);

const nothing = (method: string, route: string): GrowingCounts => ({
  ...noRequests(method, route),
  buckets: Array.from({ length: bucketCount }, () => 0),
});

class RequestCounts implements RequestWatch {
  readonly #routes: Routes = new Map();
  readonly #since: Date;
  #recent: readonly { readonly at: number; readonly routes: Routes }[] = [];

  constructor(private readonly services: Pick<Services, 'shared' | 'clock'>) {
    this.#since = services.clock();
    services.shared.onMessage('requests', () => this.#own());
  }

  answered(request: AnsweredRequest): void {
    const bucket = bucketOf(request.ms);
    count(this.#routes, request, bucket);
    count(this.#slice(sliceOf(this.services.clock().getTime())), request, bucket);
  }

  /** The figures of a server since its start, and of the last five minutes. Those of worker processes that have ended are kept. */
  async all(): Promise<FiguresSince & { readonly recent: FiguresSince }> {
    // as they are now: what is shown must not be more than what the primary keeps
    const own = structuredClone(this.#own());
    const processes = [own, ...(await this.services.shared.broadcast('requests', undefined))];
    const now = this.services.clock().getTime();
    const slices = recentSlices(
      processes.flatMap(({ recent }) => recent),
      sliceOf(now),
    );
    const since = Math.min(...processes.map((one) => one.since.getTime()));
    return {
      ...shown(
        since,
        processes.flatMap(({ routes }) => routes),
      ),
      recent: shown(
        Math.max(since, recentSince(now)),
        slices.flatMap(({ routes }) => routes),
      ),
    };
  }

  #own(): ProcessCounts {
    return {
      since: this.#since,
      routes: countsIn(this.#routes),
      recent: this.#recent.map(({ at, routes }) => ({ at, routes: countsIn(routes) })),
    };
  }

  #slice(at: number): Routes {
    const last = this.#recent.at(-1);
    if (last?.at === at) return last.routes;
    const routes: Routes = new Map();
    this.#recent = [...recentSlices(this.#recent, at), { at, routes }];
    return routes;
  }
}

function count(routes: Routes, { method, route, status, ms }: AnsweredRequest, bucket: number): void {
  let methods = routes.get(route);
  if (methods === undefined) routes.set(route, (methods = new Map<string, GrowingCounts>()));
  let counts = methods.get(method);
  if (counts === undefined) methods.set(method, (counts = nothing(method, route)));
  counts.count += 1;
  if (status >= 500) counts.server_errors += 1;
  else if (status >= 400) counts.client_errors += 1;
  if (ms > counts.max_ms) counts.max_ms = ms;
  counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
}

/** @param since in milliseconds */
function shown(since: number, rows: readonly RouteCounts[]): FiguresSince {
  const routes = byRoute(rows);
  const total = noRequests('', '');
  for (const one of routes) addCounts(total, one);
  return {
    since: new Date(since),
    total: figuresOf(total),
    data: routes
      .toSorted((a, b) => b.count - a.count)
      .map((counts) => ({ method: counts.method, route: counts.route, ...figuresOf(counts) })),
  };
}

const figuresOf = ({ count, client_errors, server_errors, max_ms, buckets }: RouteCounts): Figures => ({
  ...{ count, client_errors, server_errors },
  p50_ms: percentile(buckets, 0.5, max_ms),
  p95_ms: percentile(buckets, 0.95, max_ms),
  max_ms,
});

export const requestCounts = ({ services }: Core): RequestCounts => new RequestCounts(services);
