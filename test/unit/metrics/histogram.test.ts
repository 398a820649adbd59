/** In which buckets of a histogram durations count. */
import { expect, test } from '@jest/globals';
import { Histogram } from '../../../src/features/metrics/histogram.ts';
import { histograms } from '../../../src/metrics/table.ts';

const name = 'http_server_request_duration_seconds';
const { buckets } = histograms[name];
const first = buckets[0] ?? NaN;
const last = buckets.at(-1) ?? NaN;

/** The least bound whose bucket holds one duration; all above it hold it too. */
function boundOf(seconds: number): unknown {
  const durations = new Histogram(name, histograms[name]);
  durations.observe(['GET', '/api/:model', '200'], seconds);
  const samples = durations.read().values.filter(({ metricName }) => metricName === `${name}_bucket`);
  const least = samples.findIndex(({ value }) => value === 1);
  expect(samples.map(({ value }) => value)).toEqual(samples.map((_, at) => (at < least ? 0 : 1)));
  return samples[least]?.labels['le'];
}

test.each<[what: string, seconds: number, bound: number | string]>([
  ['none', 0, first],
  ['shorter than the first', first / 2, first],
  ['exactly the first', first, first],
  ['longer than the first', first * 1.001, buckets[1] ?? NaN],
  ['exactly the last', last, last],
  ['longer than the last', last * 1.001, '+Inf'],
])('%s', (_, seconds, bound) => {
  expect(boundOf(seconds)).toBe(bound);
});

test('durations add up for each combination of labels', () => {
  const durations = new Histogram(name, histograms[name]);
  const ok = ['GET', '/api/:model', '200'];
  for (const seconds of [0.25, 0.5]) durations.observe(ok, seconds);
  durations.observe(['GET', '/api/:model', ''], 2);
  const totals = durations
    .read()
    .values.filter(({ metricName }) => metricName !== `${name}_bucket`)
    .map(({ metricName, labels, value }) => [metricName, labels['http_response_status_code'], value]);
  expect(totals).toEqual([
    [`${name}_sum`, '200', 0.75],
    [`${name}_count`, '200', 2],
    [`${name}_sum`, '', 2],
    [`${name}_count`, '', 1],
  ]);
});
