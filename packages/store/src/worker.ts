/** The worker thread of a store: serves it until it receives `stop`, and sends heartbeats. */
import { parentPort, workerData } from 'node:worker_threads';
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
  const started = await startStore(options, {
    onWarning: (message) => post({ kind: 'warning', message }),
    onFatal: (error) => post({ kind: 'fatal', message: error.message }),
  });
  parentPort?.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') void stop(started);
  });
  post({ kind: 'ready', address: started.address });
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
