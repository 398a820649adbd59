/** The thread that copies a data file: SQLite reads a snapshot of it, and does not block writers. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { CopyPaths, CopyResult } from './copy.ts';

function copy({ from, to }: CopyPaths): CopyResult {
  if (existsSync(to)) return 'there is a file with this name';
  try {
    // for its owner only, as the data file
    closeSync(openSync(to, 'wx', 0o600));
    const database = new Database(from);
    try {
      database.prepare('VACUUM INTO ?').run([to]);
    } finally {
      database.close();
    }
    const file = openSync(to, 'r+');
    fsyncSync(file);
    closeSync(file);
    return undefined;
  } catch (error) {
    rmSync(to, { force: true });
    return error instanceof Error ? error.message : String(error);
  }
}

parentPort?.postMessage(copy(workerData as CopyPaths));
