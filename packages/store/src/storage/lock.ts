/** Lets one process at a time have a data folder, by a lock that the system takes back when the process ends. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { DiskFault, faultOf, isLocked } from './faults.ts';

/** A data folder that this process holds. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a data folder, which is made when it is missing, for its owner only.
 * @throws Error with a sentence that names the process which has it already, or DiskFault when the disk is full or fails
 */
export function lockFolder(dir: string): FolderLock {
  makeFolder(dir);
  const path = join(dir, 'lock');
  const holder = join(dir, 'lock.pid');
  const database = openLock(path);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
    writePid(holder);
  } catch (error) {
    database.close();
    throw isLocked(error) ? new Error(refusal(dir, holder), { cause: error }) : faultOf(path, error);
  }
  return {
    release: () => {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

function openLock(path: string): Database.Database {
  try {
    closeSync(openSync(path, 'a', 0o600));
    return new Database(path);
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/** Writes this process's number for the message to the next one. A disk that is full does not stop the start: reads need no room. */
function writePid(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { mode: 0o600 });
  } catch (error) {
    const fault = new DiskFault(path, error);
    if (!fault.full) throw fault;
  }
}

/** Makes a folder and those above it; where that can't be done, Node's own `recursive` may try for ever (under /proc, say). */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // somebody else may have just made it
    if (!existsSync(dir)) throw error;
  }
}

function refusal(dir: string, holder: string): string {
  const who = pidIn(holder);
  return `The data folder ${dir} is in use by ${who}. One process at a time can have it: stop the other one, give this one another folder, or set MONGODB_URL.`;
}

function pidIn(holder: string): string {
  try {
    const pid = readFileSync(holder, 'utf8').trim();
    return pid === '' ? 'another process' : `another process (pid ${pid})`;
  } catch {
    return 'another process';
  }
}
