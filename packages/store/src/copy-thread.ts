/** The thread that makes a backup, so that reading and writing a large one delays no request. */
import { parentPort, workerData } from 'node:worker_threads';
import type { BackupPaths, CopyResult } from './copy.ts';
import { makeBackup } from './make-backup.ts';
import { DamagedFile } from './storage/faults.ts';

async function result(paths: BackupPaths): Promise<CopyResult> {
  try {
    return { kind: 'done', size: await makeBackup(paths) };
  } catch (error) {
    if (error instanceof DamagedFile) return { kind: 'damaged', what: error.what };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

void result(workerData as BackupPaths).then((ended) => parentPort?.postMessage(ended));
