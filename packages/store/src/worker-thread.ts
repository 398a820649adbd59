/** Runs a store in a worker thread, and starts the thread anew when one piece of work holds it for too long. */
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { StartOptions } from './engine/start.ts';
import type { Reports } from './engine/store.ts';
import { startWorker } from './launch.ts';
import type { Address } from './wire/address.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const watchMs = 500;
/** The thread is started anew at once so often within an hour; after that it rests before. */
const mostRestarts = 5;
const hour = 3_600_000;

/** Begins a thread with some program. */
type NewWorker = (options: WorkerOptions) => Worker;

export const newWorker: NewWorker = (options) => startWorker('worker', import.meta.url, options);

/** A store in a thread of its own. */
export class StoreThread {
  readonly #options: StartOptions;
  readonly #newWorker: NewWorker;
  readonly #reports: Reports;
  readonly #restarts: number[] = [];
  readonly #pulse = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  #rest: NodeJS.Timeout | undefined;
  #launched: Promise<void> = Promise.resolve();
  #stopping = false;
  /** Why the thread is being ended, when it is not the thread itself that ends. */
  #verdict: string | undefined;
  /** Where the thread listens, with the port that it has found, so that a new one takes the same. */
  #address: Address;
  #onStopped: () => void = () => undefined;

  private constructor(options: StartOptions, reports: Reports, make: NewWorker) {
    this.#options = options;
    this.#address = options.address;
    this.#newWorker = make;
    this.#reports = reports;
  }

  /**
   * Starts the thread and waits until it listens.
   * @param make begins the thread; tests give it another program
   */
  static async start(options: StartOptions, reports: Reports, make: NewWorker = newWorker): Promise<StoreThread> {
    const thread = new StoreThread(options, reports, make);
    await thread.#launch();
    thread.#watch = thread.#startWatch();
    return thread;
  }

  /** Where it listens. */
  get address(): Address {
    return this.#address;
  }

  #launch(): Promise<void> {
    this.#launched = this.#begin();
    return this.#launched;
  }

  #begin(): Promise<void> {
    const worker = this.#newWorker({
      workerData: { options: { ...this.#options, address: this.#address }, pulse: this.#pulse.buffer },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.limits.heapMegabytes },
    });
    return new Promise((resolve, reject) => {
      let why = 'it ended';
      const ready = (address: Address): void => {
        this.#worker = worker;
        this.#address = address;
        resolve();
      };
      const failed = (error: Error): void => {
        why = error.message;
        reject(error);
      };
      worker.on('message', (message: FromWorker) => this.#hear(message, ready, failed));
      worker.on('error', failed);
      worker.on('exit', () => {
        failed(new Error(why));
        this.#lost(worker, this.#verdict ?? why);
      });
    });
  }

  #hear(message: FromWorker, ready: (address: Address) => void, failed: (error: Error) => void): void {
    if (message.kind === 'ready') ready(message.address);
    else if (message.kind === 'stopped') this.#onStopped();
    else if (message.kind === 'warning') this.#reports.onWarning(message.message);
    else if (message.kind === 'fatal') this.#reports.onFatal(new Error(message.message));
    else if (this.#stopping) this.#reports.onWarning(message.message);
    else failed(new Error(message.message));
  }

  /** Counts its own rounds, not the clock: a machine that slept has not shown that the thread is held. */
  #startWatch(): NodeJS.Timeout {
    let seen = Atomics.load(this.#pulse, 0);
    let quiet = 0;
    const timer = setInterval(() => {
      const beats = Atomics.load(this.#pulse, 0);
      quiet = beats === seen ? quiet + watchMs : 0;
      seen = beats;
      if (quiet > this.#options.limits.stallMs) {
        quiet = 0;
        this.#verdict = `one piece of work held it for more than ${this.#options.limits.stallMs} ms`;
        void this.#worker?.terminate();
      }
    }, watchMs);
    timer.unref();
    return timer;
  }

  /** A thread that is gone is replaced: everything that was answered is on disk. */
  #lost(worker: Worker, why: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#verdict = undefined;
    if (this.#stopping) {
      this.#onStopped();
      return;
    }
    const now = Date.now();
    this.#restarts.push(now);
    while ((this.#restarts[0] ?? now) < now - hour) this.#restarts.shift();
    const often = this.#restarts.length > mostRestarts;
    const { restMs } = this.#options.limits;
    const when = often ? ` in ${restMs / 1000} s, as it was lost ${this.#restarts.length} times within an hour` : '';
    this.#reports.onWarning(
      `The store's thread was lost (${why}) and is started anew${when}. Nothing that was answered is lost.`,
    );
    if (often) this.#rest = setTimeout(() => this.#relaunch(), restMs);
    else this.#relaunch();
  }

  #relaunch(): void {
    this.#launch().catch((error: unknown) => {
      this.#reports.onFatal(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Stops the thread when it has written everything. */
  async close(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#rest);
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
