/** The worker thread of a store: serves it until it is told to stop, and shows that it is alive. */
import { parentPort, workerData } from 'node:worker_threads';
import { startHere, type Started, type StartOptions } from './engine/start.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** How often the thread shows that it is alive. */
const pulseMs = 250;

/** What the thread is given when it starts. */
export interface WorkerData {
  readonly options: StartOptions;
  /** Counts up while the thread is not held by one piece of work. */
  readonly pulse: SharedArrayBuffer;
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function serve({ options, pulse }: WorkerData): Promise<void> {
  const beats = new Int32Array(pulse);
  setInterval(() => Atomics.add(beats, 0, 1), pulseMs).unref();
  const started = await startHere(options, {
    onWarning: (message) => tell({ kind: 'warning', message }),
    onFatal: (error) => tell({ kind: 'fatal', message: error.message }),
  });
  parentPort?.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') void stop(started);
  });
  tell({ kind: 'ready', address: started.address });
}

async function stop(started: Started): Promise<void> {
  try {
    await started.close();
    tell({ kind: 'stopped' });
  } catch (error) {
    tell({ kind: 'failed', message: messageOf(error) });
  }
  parentPort?.close();
}

serve(workerData as WorkerData).catch((error: unknown) => {
  tell({ kind: 'failed', message: messageOf(error) });
  parentPort?.close();
});
