/** Copies the data file while it is in use, in a thread of its own: the copy of a large file takes long. */
import { once } from 'node:events';
import { startWorker } from '../launch.ts';

/** The files of a copy. */
export interface CopyPaths {
  readonly from: string;
  readonly to: string;
}

/** The answer of the thread: undefined, or the reason why there is no copy. */
export type CopyResult = string | undefined;

/**
 * Writes a consistent copy of a data file to a new file.
 * @throws Error if the new file exists or cannot be written
 */
export async function copyFile(from: string, to: string): Promise<void> {
  const paths: CopyPaths = { from, to };
  const worker = startWorker('copy-thread', import.meta.url, { workerData: paths });
  try {
    const [failure] = (await once(worker, 'message')) as [CopyResult];
    if (failure !== undefined) throw new Error(`The data file could not be copied to ${to}: ${failure}`);
  } finally {
    await worker.terminate();
  }
}
