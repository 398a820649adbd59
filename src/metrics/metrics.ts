/**
 * The port by which the server counts what it does. The feature `metrics` implements it; without it, or with `METRICS` off, nothing is
 * counted.
 */

/** What only grows. Values of its labels are words of the server, never of a caller. */
export type CounterName =
  | 'dossier_cache_hits_total'
  | 'dossier_cache_misses_total'
  | 'dossier_requests_shed_total'
  | 'dossier_requests_throttled_total'
  | 'dossier_webhook_deliveries_total'
  | 'dossier_jobs_total'
  | 'dossier_schedule_runs_total'
  | 'dossier_backup_failures_total';
/** Distributions of durations in seconds. */
export type HistogramName = 'http_server_request_duration_seconds' | 'db_client_operation_duration_seconds';
/** What goes up and down. */
export type GaugeName =
  | 'http_server_active_requests'
  | 'dossier_event_loop_delay_seconds'
  | 'dossier_subscribers'
  | 'dossier_store_bytes'
  | 'dossier_disk_used_ratio'
  | 'dossier_last_backup_timestamp_seconds';
/** The values of labels in the order of their names. */
export type LabelValues = readonly string[];

export interface Metrics {
  /** Whether anything is counted. What costs more than a call asks first. */
  readonly isOn: boolean;
  /** Adds 1 to a counter. */
  count(name: CounterName, labels?: LabelValues): void;
  /** Adds a duration in seconds. */
  observe(name: HistogramName, labels: LabelValues, seconds: number): void;
  /** Adds to a gauge, or takes away from it. */
  add(name: GaugeName, by: number): void;
  set(name: GaugeName, value: number): void;
  /** Reads the value of a gauge when the metrics are read. */
  watch(name: GaugeName, read: () => number): void;
  /** What this process has counted. */
  snapshot(): Promise<Snapshot>;
  /** The text for Prometheus of the snapshots of all processes; of one, it is that of this process now. */
  text(all: readonly Snapshot[]): Promise<string>;
}

/** Metrics that are to be closed. */
export interface OpenMetrics extends Metrics {
  close(): void;
}

/** The metrics of one process at a moment. It can be sent to another process. */
export type Snapshot = readonly MetricSnapshot[];

export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly Sample[];
}

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The name of the series, of a histogram that has several. */
  readonly metricName?: string;
}
