/** Runs a store in a worker thread, and restarts the thread if it stops responding. */
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { Reports } from './engine/store.ts';
import { parkBeforeExit } from './exit.ts';
import { startWorker } from './launch.ts';
import type { StartOptions } from './start.ts';
import type { Address } from './wire/address.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const watchMs = 500;
/** Maximum immediate restarts within an hour; further restarts wait. */
const maxRestarts = 5;
const hour = 3_600_000;

/** Megabytes of short-lived objects in the thread. V8's default of 48 is memory that a store on disk lacks elsewhere. */
const youngMegabytes = 24;

/** Creates the thread. */
type NewWorker = (options: WorkerOptions) => Worker;

export const newWorker: NewWorker = (options) => startWorker('worker', import.meta.url, options);

/** Parks a thread (exit.ts). */
async function parked(worker: Worker): Promise<void> {
  const answer = new Promise<void>((resolve) => {
    worker.on('message', ({ kind }: FromWorker) => void (kind === 'parked' && resolve()));
    worker.on('exit', () => resolve());
  });
  const park: ToWorker = { kind: 'park' };
  worker.postMessage(park);
  await answer;
}

/** A store in a worker thread. */
export class StoreThread {
  readonly #options: StartOptions;
  readonly #newWorker: NewWorker;
  readonly #reports: Reports;
  readonly #restarts: number[] = [];
  readonly #pulse = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #launched: Promise<void> = Promise.resolve();
  #stopping = false;
  /** The reason for terminating the thread, unless it ends by itself. */
  #killReason: string | undefined;
  /** The address with its actual port, so that a restarted thread listens on the same one. */
  #address: Address;
  #onStopped: () => void = () => undefined;

  private constructor(options: StartOptions, reports: Reports, make: NewWorker) {
    this.#options = options;
    this.#address = options.address;
    this.#newWorker = make;
    this.#reports = reports;
  }

  /** Starts the thread and waits until it listens. @param make creates the thread; tests substitute another program */
  static async start(options: StartOptions, reports: Reports, make: NewWorker = newWorker): Promise<StoreThread> {
    const thread = new StoreThread(options, reports, make);
    await thread.#launch();
    thread.#watch = thread.#startWatch();
    return thread;
  }

  /** Where the store listens. */
  get address(): Address {
    return this.#address;
  }

  #launch(): Promise<void> {
    this.#launched = this.#startWorkerThread();
    return this.#launched;
  }

  #startWorkerThread(): Promise<void> {
    const { dir, limits } = this.#options;
    const { heapMegabytes, diskHeapMegabytes } = limits;
    const worker = this.#newWorker({
      workerData: { options: { ...this.#options, address: this.#address }, pulse: this.#pulse.buffer },
      resourceLimits: {
        maxOldGenerationSizeMb: dir === undefined ? heapMegabytes : Math.min(heapMegabytes, diskHeapMegabytes),
        maxYoungGenerationSizeMb: youngMegabytes,
      },
    });
    const remove = parkBeforeExit(() => parked(worker));
    return new Promise((resolve, reject) => {
      let why = 'it exited';
      const ready = (address: Address): void => {
        this.#worker = worker;
        this.#address = address;
        resolve();
      };
      const failed = (error: Error): void => {
        why = error.message;
        reject(error);
      };
      worker.on('message', (message: FromWorker) => this.#onMessage(message, ready, failed));
      worker.on('error', failed);
      worker.on('exit', () => {
        remove();
        failed(new Error(why));
        this.#onExit(worker, this.#killReason ?? why);
      });
    });
  }

  #onMessage(message: FromWorker, ready: (address: Address) => void, failed: (error: Error) => void): void {
    if (message.kind === 'ready') ready(message.address);
    else if (message.kind === 'stopped') this.#onStopped();
    else if (message.kind === 'warning') this.#reports.onWarning(message.message);
    else if (message.kind === 'fatal') this.#reports.onFatal(new Error(message.message));
    else if (message.kind === 'parked') return;
    else if (this.#stopping) this.#reports.onWarning(message.message);
    else failed(new Error(message.message));
  }

  /**
   * Counts its own intervals instead of reading the clock: after the machine slept, the thread has not missed a
   * heartbeat.
   */
  #startWatch(): NodeJS.Timeout {
    let seen = Atomics.load(this.#pulse, 0);
    let quiet = 0;
    const timer = setInterval(() => {
      const beats = Atomics.load(this.#pulse, 0);
      quiet = beats === seen ? quiet + watchMs : 0;
      seen = beats;
      if (quiet > this.#options.limits.stallMs) {
        quiet = 0;
        this.#killReason = `it did not respond for more than ${this.#options.limits.stallMs} ms`;
        void this.#worker?.terminate();
      }
    }, watchMs);
    timer.unref();
    return timer;
  }

  /** Restarts a thread that has ended. All acknowledged writes are on disk. */
  #onExit(worker: Worker, why: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#killReason = undefined;
    if (this.#stopping) {
      this.#onStopped();
      return;
    }
    const now = Date.now();
    this.#restarts.push(now);
    while ((this.#restarts[0] ?? now) < now - hour) this.#restarts.shift();
    const often = this.#restarts.length > maxRestarts;
    const { restartPauseMs } = this.#options.limits;
    const when = often ? ` in ${restartPauseMs / 1000} s, after ${this.#restarts.length} failures within an hour` : '';
    this.#reports.onWarning(
      `The store's thread was lost (${why}) and is restarted${when}. No acknowledged write is lost.`,
    );
    if (often) this.#restartTimer = setTimeout(() => this.#relaunch(), restartPauseMs);
    else this.#relaunch();
  }

  #relaunch(): void {
    this.#launch().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#reports.onFatal(
        new Error(`The store has stopped, because its thread could not be restarted: ${reason}`, { cause: error }),
      );
    });
  }

  /** Stops the thread after it has written everything. */
  async close(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restartTimer);
    await this.#launched.catch(() => undefined);
    const worker = this.#worker;
    if (worker !== undefined) {
      await new Promise<void>((resolve) => {
        this.#onStopped = resolve;
        const stop: ToWorker = { kind: 'stop' };
        worker.postMessage(stop);
      });
      await worker.terminate();
    }
    clearInterval(this.#watch);
  }
}
