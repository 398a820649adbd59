/** Copies the data file while it is in use, in a thread of its own: the copy of a large file takes long. */
import { once } from 'node:events';
import { startWorker } from './launch.ts';

/** The files of a copy. */
export interface CopyPaths {
  readonly from: string;
  readonly to: string;
}

/** The answer of the thread: whether there is a copy, and otherwise why not. */
export type CopyResult =
  | { readonly kind: 'done' }
  /** The copy could not be opened. @see DamagedFile.what */
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Writes a consistent copy of a data file to a new file, and reads the whole copy as a start does.
 * @throws Error if the new file exists, cannot be written, or could not be opened
 */
export async function copyFile(from: string, to: string): Promise<void> {
  const paths: CopyPaths = { from, to };
  const worker = startWorker('copy-thread', import.meta.url, { workerData: paths });
  try {
    const [result] = (await once(worker, 'message')) as [CopyResult];
    if (result.kind === 'failed') throw new Error(`The data file could not be copied to ${to}: ${result.reason}`);
    if (result.kind === 'damaged')
      throw new Error(`The copy of ${from} is damaged, as that file may be, and was removed: ${result.what}.`);
  } finally {
    await worker.terminate();
  }
}
