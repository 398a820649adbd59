/** Distributions of durations in buckets, each a fifth longer than the one before. Pure. */

/** The upper bound of the first bucket, in milliseconds. */
const first = 0.1;
/** Buckets for each doubling. */
const perDoubling = 4;
/** The last one ends at about three minutes, and has all that is longer. */
export const bucketCount = 84;

/** The bucket of a duration in milliseconds. */
export function bucketOf(ms: number): number {
  const at = Math.ceil(Math.log2(ms / first) * perDoubling);
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
  const bound = at === -1 || at === bucketCount - 1 ? max : first * 2 ** (at / perDoubling);
  return Math.round(Math.min(bound, max) * 10) / 10;
}
