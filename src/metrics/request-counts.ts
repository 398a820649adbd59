/** Sums of the requests that processes have answered. Pure. */
import type { ProcessCounts, RequestSlice, RouteCounts } from './request-watch.ts';

/** Milliseconds of a slice. */
const sliceMs = 30_000;
/** Maximum slices that are kept: five minutes, the one that has begun included. */
const maxSlices = 10;

/** The number of the slice of a time in milliseconds. */
export const sliceOf = (ms: number): number => Math.floor(ms / sliceMs);

/** When the slices begin that are kept at a time in milliseconds. */
export const recentSince = (ms: number): number => (sliceOf(ms) - maxSlices + 1) * sliceMs;

/** Slices without those that are too old. @param newest the number of the newest one that is kept */
export const recentSlices = <T extends Pick<RequestSlice, 'at'>>(slices: readonly T[], newest: number): readonly T[] =>
  slices.filter(({ at }) => at <= newest && at > newest - maxSlices);

/** Counts that grow. */
export type GrowingCounts = { -readonly [Name in keyof RouteCounts]: RouteCounts[Name] } & {
  readonly buckets: number[];
};

/** Counts of no request yet. */
export const noRequests = (method: string, route: string): GrowingCounts => ({
  ...{ method, route, count: 0, client_errors: 0, server_errors: 0, max_ms: 0 },
  buckets: [],
});

/** Adds counts to others. */
export function addCounts(into: GrowingCounts, given: RouteCounts): void {
  into.count += given.count;
  into.client_errors += given.client_errors;
  into.server_errors += given.server_errors;
  into.max_ms = Math.max(into.max_ms, given.max_ms);
  for (const [at, entries] of given.buckets.entries()) into.buckets[at] = (into.buckets[at] ?? 0) + entries;
}

/** One row for each method and route. */
export function byRoute(rows: readonly RouteCounts[]): readonly GrowingCounts[] {
  const summed = new Map<string, GrowingCounts>();
  for (const row of rows) {
    const key = `${row.method} ${row.route}`;
    const sum = summed.get(key) ?? noRequests(row.method, row.route);
    summed.set(key, sum);
    addCounts(sum, row);
  }
  return [...summed.values()];
}

/** The counts of two processes as those of one. */
export const bothCounts = (a: ProcessCounts, b: ProcessCounts): ProcessCounts => ({
  since: a.since < b.since ? a.since : b.since,
  routes: byRoute([...a.routes, ...b.routes]),
  recent: bySlice([...a.recent, ...b.recent]),
});

/** One for each time, without those that are too old beside the newest one. */
function bySlice(slices: readonly RequestSlice[]): readonly RequestSlice[] {
  const times = [...new Set(slices.map(({ at }) => at))].sort((a, b) => a - b);
  const summed = times.map((at) => ({
    at,
    routes: byRoute(slices.filter((one) => one.at === at).flatMap(({ routes }) => routes)),
  }));
  return recentSlices(summed, times.at(-1) ?? 0);
}
