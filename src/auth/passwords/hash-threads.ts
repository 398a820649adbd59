/**
 * The worker threads of the process that hash passwords. Starting one takes longer than a hash, so the idle ones of a closed server are
 * kept for a while: a program that starts many servers, such as a test suite, starts few threads.
 */
import type { Worker } from 'node:worker_threads';
import { startWorker } from 'dossier-store/worker';

export interface HashThread {
  readonly worker: Worker;
  /** Whether it has done a job: its first one takes as long as the thread takes to start. */
  isWarm: boolean;
}

/** Milliseconds for which an idle thread without a server is kept. */
const keepMs = 5000;

const spare = new Map<HashThread, NodeJS.Timeout>();

/** A thread for one server: a spare one, or a new one. */
export function takeThread(): HashThread {
  const [idle] = spare;
  if (idle === undefined) return { worker: startWorker('hash-worker', import.meta.url), isWarm: false };
  const [thread, timer] = idle;
  clearTimeout(timer);
  spare.delete(thread);
  removeListeners(thread);
  return thread;
}

const removeListeners = ({ worker }: Pick<HashThread, 'worker'>): void =>
  void worker.removeAllListeners('message').removeAllListeners('error');

/** Ends the use of a thread by a server. One that still works ends; an idle one is kept, and does not keep the process running. */
export async function releaseThread({ worker, isWarm }: HashThread, isIdle: boolean): Promise<void> {
  removeListeners({ worker });
  if (!isIdle) {
    await worker.terminate();
    return;
  }
  const thread = { worker, isWarm };
  const drop = (): void => {
    spare.delete(thread);
    void worker.terminate();
  };
  worker.on('error', drop);
  spare.set(thread, setTimeout(drop, keepMs).unref());
}
