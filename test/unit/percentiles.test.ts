/** Distributions of durations: percentiles are never too short, and at most a fifth too long. */
import { expect, test } from '@jest/globals';
import { bucketCount, bucketOf, percentile } from '../../src/features/server/requests.ts';

const bucketsOf = (durations: readonly number[]): number[] => {
  const buckets = Array.from({ length: bucketCount }, () => 0);
  for (const ms of durations) buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] ?? 0) + 1;
  return buckets;
};

const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

test.each([
  ['one of each length', hundred, 0.5, 50],
  ['one of each length, at its end', hundred, 0.95, 95],
  ['one alone', [7], 0.5, 7],
  ['many fast ones and a slow one', [...Array.from({ length: 99 }, () => 2), 900], 0.95, 2],
  [
    'a tenth of slow ones',
    [...Array.from({ length: 90 }, () => 2), ...Array.from({ length: 10 }, () => 900)],
    0.95,
    900,
  ],
  ['less than the first bucket', [0, 0, 0], 0.5, 0],
  ['more than the last bucket', [10_000_000], 0.95, 10_000_000],
  ['none', [], 0.95, 0],
])('%s', (_name, durations, part, exact) => {
  const found = percentile(bucketsOf(durations), part, Math.max(0, ...durations));
  expect(found).toBeGreaterThanOrEqual(exact - 0.05);
  expect(found).toBeLessThanOrEqual(exact * 1.2 + 0.05);
});
