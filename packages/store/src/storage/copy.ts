/** Copies the data file while it is in use. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import Database from 'libsql';
import { faultOf } from './faults.ts';

/**
 * Writes a consistent copy of a data file to a new file, for its owner only. SQLite reads a snapshot of all that is committed, and
 * holds up nobody who writes, in this process or another one.
 * @throws Error if the new file exists or cannot be written
 */
export async function copyFile(from: string, to: string): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600));
  try {
    vacuumInto(from, to);
    const file = openSync(to, 'r+');
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    rmSync(to, { force: true });
    throw faultOf(from, error);
  }
}

function vacuumInto(from: string, to: string): void {
  const database = new Database(from);
  try {
    database.prepare('VACUUM INTO ?').run([to]);
  } finally {
    database.close();
  }
}
