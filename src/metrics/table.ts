/** The metrics of a server, the values of their labels, and the metrics of one that counts nothing. */
import type { CounterName, GaugeName, HistogramName, Metrics, MetricSnapshot, Snapshot } from './metrics.ts';

interface Described {
  readonly help: string;
}
interface Labelled {
  readonly labels: readonly string[];
}

/** What only grows, by name, with the names of its labels. Values of labels are words of the server, never of a caller. */
export const counters = {
  dossier_cache_hits_total: { help: 'Answers from the cache', labels: [] },
  dossier_cache_misses_total: { help: 'Answers that the cache did not have', labels: [] },
  dossier_requests_shed_total: { help: 'Requests that were refused because the server was late', labels: [] },
  dossier_requests_throttled_total: { help: 'Requests that were answered with 429', labels: [] },
  dossier_webhook_deliveries_total: { help: 'Tries of deliveries of webhooks, by how they ended', labels: ['status'] },
  dossier_jobs_total: { help: 'Tries of jobs, by how they ended', labels: ['status'] },
  dossier_schedule_runs_total: { help: 'Runs of schedules, by how they ended', labels: ['outcome'] },
  dossier_backup_failures_total: { help: 'Scheduled backups that failed', labels: [] },
} as const satisfies Readonly<Record<CounterName, Described & Labelled>>;

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const operationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];

/** Distributions of durations in seconds. Names and labels are those of the semantic conventions of OpenTelemetry, as Prometheus has them. */
export const histograms = {
  http_server_request_duration_seconds: {
    help: 'Duration of requests over HTTP',
    labels: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: requestBuckets,
  },
  db_client_operation_duration_seconds: {
    help: 'Duration of operations on the database',
    labels: ['db_system_name', 'db_operation_name', 'error_type'],
    buckets: operationBuckets,
  },
} as const satisfies Readonly<Record<HistogramName, Described & Labelled & { readonly buckets: readonly number[] }>>;

/** What goes up and down, and how the values of several processes become one. */
export const gauges = {
  http_server_active_requests: { help: 'Requests that are being answered', aggregator: 'sum' },
  dossier_event_loop_delay_seconds: {
    help: 'Delay of the event loop, 99th percentile of the last 10 to 20 seconds; of several processes, the highest',
    aggregator: 'max',
  },
  dossier_subscribers: { help: 'Connections that wait for changes', aggregator: 'sum' },
  dossier_store_bytes: { help: 'Bytes of the database on its disk, indexes included', aggregator: 'max' },
  dossier_disk_used_ratio: {
    help: 'Part of the disk of the database that is used, from 0 to 1; 0 where the database does not report it',
    aggregator: 'max',
  },
  dossier_last_backup_timestamp_seconds: {
    help: 'Time of the last verified scheduled backup, in seconds since 1970; 0 without one',
    aggregator: 'max',
  },
} as const satisfies Readonly<Record<GaugeName, Described & { readonly aggregator: 'sum' | 'max' }>>;

const nothing = (): void => undefined;

/** Counts nothing. */
export const noMetrics: Metrics = {
  isOn: false,
  count: nothing,
  observe: nothing,
  add: nothing,
  set: nothing,
  watch: nothing,
  snapshot: () => Promise.resolve([]),
  text: () => Promise.resolve(''),
};

/** The route of requests for paths that do not exist. */
export const unknownRoute = 'unknown';

const isKept = ({ type }: MetricSnapshot): boolean => type === 'counter' || type === 'histogram';

/** @returns the counters of both as one; gauges end with their process */
export function withEndedProcess(kept: Snapshot, ended: Snapshot): Snapshot {
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
