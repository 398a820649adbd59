/** Makes a backup of a data folder while it is in use, in a thread of its own: a large one takes long. */
import { once } from 'node:events';
import { join } from 'node:path';
import { startWorker } from './launch.ts';
import { dataFile } from './storage/files.ts';

export interface BackupPaths {
  /** The data folder. */
  readonly dir: string;
  /** The backup, which does not exist yet. */
  readonly file: string;
}

/** The answer of the thread: whether there is a backup, and otherwise why not. */
export type CopyResult =
  | { readonly kind: 'done'; readonly size: number }
  /** The copy could not be opened. @see DamagedFile.what */
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Writes a consistent copy of a data folder to a new file, and checks it as a restore does.
 * @returns its bytes @throws Error if the file cannot be written, or could not be restored
 */
export async function copyFolder(paths: BackupPaths): Promise<number> {
  const worker = startWorker('copy-thread', import.meta.url, { workerData: paths });
  const lost = once(worker, 'exit').then(([code]): CopyResult => ({
    kind: 'failed',
    reason: `its thread ended with ${String(code)}`,
  }));
  try {
    const message = once(worker, 'message') as Promise<[CopyResult]>;
    const result = await Promise.race([message.then(([ended]) => ended), lost]);
    if (result.kind === 'done') return result.size;
    if (result.kind === 'failed') throw new Error(`The backup ${paths.file} could not be written: ${result.reason}`);
    throw new Error(
      `The copy of ${join(paths.dir, dataFile)} is damaged, as that file may be, and was removed: ${result.what}.`,
    );
  } finally {
    lost.catch(() => undefined);
    await worker.terminate();
  }
}
