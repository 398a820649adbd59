/**
 * A histogram of durations. It counts in an array for each combination of labels, because prom-client checks, sorts and joins the labels for
 * each observation, which takes longer than the rest of a measurement. What is counted becomes a metric of prom-client when it is read.
 */
import type { LabelValues, MetricSnapshot } from '../../metrics/metrics.ts';
import type { histograms } from '../../metrics/table.ts';

/** The counts of one combination of labels. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** How many durations are in each bucket and in none before it; the last one has those beyond all. */
  readonly counts: number[];
  sum: number;
}

export class Histogram {
  readonly #series = new Map<string, Series>();

  constructor(
    private readonly name: keyof typeof histograms,
    private readonly row: (typeof histograms)[keyof typeof histograms],
  ) {}

  observe(labels: LabelValues, seconds: number): void {
    const series = this.#of(labels);
    series.counts[this.#bucketOf(seconds)]! += 1;
    series.sum += seconds;
  }

  read(): MetricSnapshot {
    const values = [...this.#series.values()].flatMap((series) => this.#samplesOf(series));
    return { name: this.name, help: this.row.help, type: 'histogram', aggregator: 'sum', values };
  }

  #of(labels: LabelValues): Series {
    const key = labels.join('\n');
    let found = this.#series.get(key);
    if (found === undefined) {
      const { buckets, labels: names } = this.row;
      const named = Object.fromEntries(names.map((name, at) => [name, labels[at] ?? '']));
      found = { labels: named, counts: [...buckets, Infinity].map(() => 0), sum: 0 };
      this.#series.set(key, found);
    }
    return found;
  }

  #bucketOf(seconds: number): number {
    const { buckets } = this.row;
    let at = 0;
    while (at < buckets.length && seconds > (buckets[at] ?? Infinity)) at += 1;
    return at;
  }

  /** Buckets hold all durations up to their bound (Prometheus, "Metric types"). */
  #samplesOf({ labels, counts, sum }: Series): MetricSnapshot['values'] {
    let upTo = 0;
    const buckets = counts.map((count, at) => ({
      metricName: `${this.name}_bucket`,
      labels: { ...labels, le: this.row.buckets[at] ?? '+Inf' },
      value: (upTo += count),
    }));
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: upTo },
    ];
  }
}
