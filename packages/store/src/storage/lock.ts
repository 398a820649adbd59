/** Locks a data folder for one process. The operating system releases the lock when the process ends. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { DiskFault, isLocked, isOfContent } from './faults.ts';
import { pidFile } from './files.ts';
import { openFolder } from './folder.ts';

/** A data folder that this process has locked. */
export interface FolderLock {
  /** Writes this process's id beside the data, for the error message of the next process. @throws DiskFault */
  sign(): void;
  release(): void;
}

/**
 * Locks a data folder, and creates a missing one for its owner only.
 * @throws Error naming the process that uses the folder, or what prevents this one from using it; DiskFault if the disk is full or fails
 */
export function lockFolder(dir: string): FolderLock {
  openFolder(dir);
  const path = join(dir, 'lock');
  const holder = join(dir, pidFile);
  const database = openLock(path);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw isLocked(error) ? new Error(refusal(dir, holder), { cause: error }) : lockFault(path, error);
  }
  return {
    sign: () => writePid(holder),
    release: () => {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

/** The file has no data, so that a damaged one is not the damage of a data file. */
const lockFault = (path: string, error: unknown): Error =>
  isOfContent(error)
    ? new Error(`The file ${path} is not a lock of a data folder. It has no data: remove it, and start again.`, {
        cause: error,
      })
    : new DiskFault(path, error);

function openLock(path: string): Database.Database {
  try {
    closeSync(openSync(path, 'a', 0o600));
    return new Database(path);
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/** A full disk does not prevent the start, because reads need no space. */
function writePid(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { mode: 0o600 });
  } catch (error) {
    const fault = new DiskFault(path, error);
    if (!fault.full) throw fault;
  }
}

function refusal(dir: string, holder: string): string {
  const who = pidIn(holder);
  return `The data folder ${dir} is in use by ${who}. Only one process can use it at a time: stop the other one, use another folder, or use a MongoDB server.`;
}

function pidIn(holder: string): string {
  try {
    const pid = readFileSync(holder, 'utf8').trim();
    return pid === '' ? 'another process' : `another process (pid ${pid})`;
  } catch {
    return 'another process';
  }
}
