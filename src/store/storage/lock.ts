/** Lets one process at a time have a data folder, by a lock that the system takes back when the process ends. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';

/** A data folder that this process holds. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a data folder, which is made when it is missing, for its owner only.
 * @throws Error with a sentence that names the process which has it already
 */
export function lockFolder(dir: string): FolderLock {
  makeFolder(dir);
  const path = join(dir, 'lock');
  const holder = join(dir, 'lock.pid');
  closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw new Error(refusal(dir, holder), { cause: error });
  }
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return {
    release: () => {
      database.exec('ROLLBACK');
      database.close();
    },
  };
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
    return `another process (pid ${readFileSync(holder, 'utf8').trim()})`;
  } catch {
    return 'another process';
  }
}
