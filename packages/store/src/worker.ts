/** The worker thread of a store: serves it until it receives `stop`, and sends heartbeats. */
import { parentPort, workerData } from 'node:worker_threads';
import { parkThread } from './exit.ts';
import { type RunningStore, type StartOptions, startStore } from './start.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Milliseconds between two heartbeats. */
const pulseMs = 250;

/** The data that the thread receives when it starts. */
export interface WorkerData {
  readonly options: StartOptions;
  /** Incremented by every heartbeat. */
  readonly pulse: SharedArrayBuffer;
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function serve({ options, pulse }: WorkerData): Promise<void> {
  const beats = new Int32Array(pulse);
  setInterval(() => Atomics.add(beats, 0, 1), pulseMs).unref();
  const starting = startStore(options, {
    onWarning: (message) => post({ kind: 'warning', message }),
    onFatal: (error) => post({ kind: 'fatal', message: error.message }),
  });
  parentPort?.on('message', ({ kind }: ToWorker) => {
    if (kind === 'park') parkThread(() => post({ kind: 'parked' }));
    else void starting.then(stop);
  });
  post({ kind: 'ready', address: (await starting).address });
}

async function stop(started: RunningStore): Promise<void> {
  try {
    await started.close();
    post({ kind: 'stopped' });
  } catch (error) {
    post({ kind: 'failed', message: messageOf(error) });
  }
  parentPort?.close();
}

serve(workerData as WorkerData).catch((error: unknown) => {
  post({ kind: 'failed', message: messageOf(error) });
  parentPort?.close();
});
