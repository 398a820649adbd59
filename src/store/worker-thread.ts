/** Runs a store in a worker thread, and starts the thread anew when one piece of work holds it for too long. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { StartOptions } from './engine/start.ts';
import type { Reports } from './engine/store.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const watchMs = 500;
/** The thread is started anew at most so often within an hour; after that the store has failed. */
const mostRestarts = 5;
const hour = 3_600_000;

/** The thread's program: as it was compiled, or, where the sources are run as they are, read by tsx. */
function newWorker(options: WorkerOptions): Worker {
  const source = import.meta.url;
  if (!source.endsWith('.ts')) return new Worker(new URL('./worker.js', source), options);
  const program = new URL('./worker.ts', source).href;
  const loader = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(program)}); });`;
  return new Worker(loader, { ...options, eval: true });
}

/** A store in a thread of its own. */
export class StoreThread {
  readonly #options: StartOptions;
  readonly #reports: Reports;
  readonly #restarts: number[] = [];
  readonly #pulse = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  #stopping = false;
  #onStopped: () => void = () => undefined;

  private constructor(options: StartOptions, reports: Reports) {
    this.#options = options;
    this.#reports = reports;
  }

  /** Starts the thread and waits until it listens. */
  static async start(options: StartOptions, reports: Reports): Promise<StoreThread> {
    const thread = new StoreThread(options, reports);
    await thread.#launch();
    thread.#watch = thread.#startWatch();
    return thread;
  }

  #launch(): Promise<void> {
    const worker = newWorker({
      workerData: { options: this.#options, pulse: this.#pulse.buffer },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.limits.heapMegabytes },
    });
    return new Promise((resolve, reject) => {
      let why = 'it ended';
      const ready = (): void => {
        this.#worker = worker;
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
        this.#lost(worker, why);
      });
    });
  }

  #hear(message: FromWorker, ready: () => void, failed: (error: Error) => void): void {
    if (message.kind === 'ready') ready();
    else if (message.kind === 'stopped') this.#onStopped();
    else if (message.kind === 'warning') this.#reports.onWarning(message.message);
    else if (message.kind === 'fatal') this.#reports.onFatal(new Error(message.message));
    else failed(new Error(message.message));
  }

  #startWatch(): NodeJS.Timeout {
    let seen = Atomics.load(this.#pulse, 0);
    let seenAt = performance.now();
    const timer = setInterval(() => {
      const beats = Atomics.load(this.#pulse, 0);
      if (beats !== seen) {
        seen = beats;
        seenAt = performance.now();
      } else if (performance.now() - seenAt > this.#options.limits.stallMs) {
        seenAt = performance.now();
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
    if (this.#stopping) {
      this.#onStopped();
      return;
    }
    const now = Date.now();
    this.#restarts.push(now);
    while ((this.#restarts[0] ?? now) < now - hour) this.#restarts.shift();
    if (this.#restarts.length > mostRestarts) {
      this.#reports.onFatal(
        new Error(`The store's thread was lost ${this.#restarts.length} times within an hour, at last because: ${why}`),
      );
      return;
    }
    this.#reports.onWarning(
      `The store's thread was lost (${why}) and is started anew. Nothing that was answered is lost.`,
    );
    this.#launch().catch((error: unknown) => {
      this.#reports.onFatal(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Stops the thread when it has written everything. */
  async close(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#watch);
    const worker = this.#worker;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      this.#onStopped = resolve;
      const stop: ToWorker = { kind: 'stop' };
      worker.postMessage(stop);
    });
    await worker.terminate();
  }
}
