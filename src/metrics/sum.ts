/** Keeps what processes have counted that have ended, so that counters of the whole server never go back. */
import type { MetricSnapshot, Snapshot } from './metrics.ts';

const isKept = ({ type }: MetricSnapshot): boolean => type === 'counter' || type === 'histogram';

/** @returns the counters of both as one; gauges end with their process */
export function withEnded(kept: Snapshot, ended: Snapshot): Snapshot {
  const all = new Map(kept.map((metric) => [metric.name, metric]));
  for (const metric of ended.filter(isKept)) {
    const before = all.get(metric.name);
    all.set(metric.name, before === undefined ? metric : { ...metric, values: summed(before, metric) });
  }
  return [...all.values()];
}

function summed(...metrics: readonly MetricSnapshot[]): MetricSnapshot['values'] {
  const all = new Map<string, MetricSnapshot['values'][number]>();
  for (const sample of metrics.flatMap(({ values }) => values)) {
    const key = JSON.stringify([sample.metricName, Object.entries(sample.labels).sort()]);
    const before = all.get(key);
    all.set(key, before === undefined ? sample : { ...sample, value: before.value + sample.value });
  }
  return [...all.values()];
}
