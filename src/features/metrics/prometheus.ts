/** Counts in this process. The adapter of prom-client, which is loaded only where `METRICS` is on. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type {
  CounterName,
  GaugeName,
  HistogramName,
  LabelValues,
  OpenMetrics,
  Snapshot,
} from '../../metrics/metrics.ts';
import { counters, gauges, histograms } from '../../metrics/table.ts';
import { Histogram } from './histogram.ts';

/** Milliseconds of one window of the delay of the event loop; the last two are shown. */
const delayWindowMs = 10_000;
const nanoseconds = 1e9;

/** Values of one metric by its labels: prom-client looks them up by an object, which takes longer than the rest of a count. */
class Children<T> {
  readonly #made = new Map<string, T>();

  constructor(private readonly make: (...labels: string[]) => T) {}

  of(labels: LabelValues): T {
    const key = labels.join('\n');
    let found = this.#made.get(key);
    if (found === undefined) this.#made.set(key, (found = this.make(...labels)));
    return found;
  }
}

const keysOf = <T extends object>(table: T): readonly (keyof T)[] => Object.keys(table) as (keyof T)[];

const textOf = (all: readonly Snapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all] as object[][]).metrics();

export class PrometheusMetrics implements OpenMetrics {
  readonly isOn = true;
  readonly #registry = new Registry();
  readonly #counters = new Map<CounterName, Children<Counter.Internal>>();
  readonly #histograms = new Map<HistogramName, Histogram>();
  readonly #gauges = new Map<GaugeName, Gauge>();
  readonly #reads = new Map<GaugeName, () => number>();
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #timer: NodeJS.Timeout;
  #delayBefore = 0;

  constructor() {
    const registers = [this.#registry];
    for (const name of keysOf(counters)) {
      const { help, labels } = counters[name];
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      this.#counters.set(name, new Children((...values) => counter.labels(...values)));
    }
    for (const name of keysOf(histograms)) this.#histograms.set(name, new Histogram(name, histograms[name]));
    for (const name of keysOf(gauges)) {
      const { help, aggregator } = gauges[name];
      this.#gauges.set(name, new Gauge({ name, help, aggregator, registers }));
    }
    collectDefaultMetrics({ register: this.#registry });
    this.#delay.enable();
    this.#timer = setInterval(() => this.#nextWindow(), delayWindowMs).unref();
    this.watch('dossier_event_loop_delay_seconds', () => Math.max(this.#delayBefore, this.#delayNow()));
  }

  count(name: CounterName, labels: LabelValues = []): void {
    this.#counters.get(name)?.of(labels).inc();
  }

  observe(name: HistogramName, labels: LabelValues, seconds: number): void {
    this.#histograms.get(name)?.observe(labels, seconds);
  }

  add(name: GaugeName, by: number): void {
    this.#gauges.get(name)?.inc(by);
  }

  set(name: GaugeName, value: number): void {
    this.#gauges.get(name)?.set(value);
  }

  watch(name: GaugeName, read: () => number): void {
    this.#reads.set(name, read);
  }

  async snapshot(): Promise<Snapshot> {
    for (const [name, read] of this.#reads) this.set(name, read());
    const others = (await this.#registry.getMetricsAsJSON()) as unknown[] as Snapshot;
    return [...others, ...this.#durations()];
  }

  async text(all: readonly Snapshot[]): Promise<string> {
    if (all.length !== 1) return textOf(all);
    // of one process, nothing is left out that has no sum, such as the time of its start
    return `${await this.#registry.metrics()}\n${await textOf([this.#durations()])}`;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
    this.#registry.clear();
  }

  #durations(): Snapshot {
    return [...this.#histograms.values()].map((histogram) => histogram.read());
  }

  #nextWindow(): void {
    this.#delayBefore = this.#delayNow();
    this.#delay.reset();
  }

  /** In seconds, without the time between two samples. An empty histogram has no percentile. */
  #delayNow(): number {
    const seconds = this.#delay.percentile(99) / nanoseconds;
    return Number.isFinite(seconds) && this.#delay.count > 0 ? seconds : 0;
  }
}
