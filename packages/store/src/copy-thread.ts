/** The thread that copies a data file: SQLite reads a snapshot of it, and does not block writers. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { CopyPaths, CopyResult } from './copy.ts';
import { verifyFile } from './engine/verify.ts';
import { DamagedFile } from './storage/faults.ts';

function copy({ from, to }: CopyPaths): CopyResult {
  if (existsSync(to)) return { kind: 'failed', reason: 'there is a file with this name' };
  try {
    // for its owner only, as the data file
    closeSync(openSync(to, 'wx', 0o600));
    write(from, to);
    verifyFile(to);
    return { kind: 'done' };
  } catch (error) {
    rmSync(to, { force: true });
    if (error instanceof DamagedFile) return { kind: 'damaged', what: error.what };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function write(from: string, to: string): void {
  const database = new Database(from);
  try {
    database.prepare('VACUUM INTO ?').run([to]);
  } finally {
    database.close();
  }
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}

parentPort?.postMessage(copy(workerData as CopyPaths));
