/** The files of a data folder, and which of them show that it has had data. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedFile } from './faults.ts';

/** The data file. */
export const dataFile = 'store.db';
/** The files that SQLite keeps beside a database file, by what follows its name. */
export const companions = ['-wal', '-shm', '-journal'];
/** The id of the process that uses the folder. */
export const pidFile = 'lock.pid';
/** The account of a shared store. */
export const accountFile = 'account.json';

/** The data file of a folder. */
export const dataPath = (dir: string): string => join(dir, dataFile);

/**
 * Refuses to start empty where data have been. These files exist only after the data file; a first start that was killed may leave `lock`,
 * `secret` and the draft of the data file, which are no sign of data.
 * @throws DamagedFile naming the files that are there
 */
export function refuseMissing(dir: string): void {
  const path = dataPath(dir);
  if (existsSync(path)) return;
  const signs = [...companions.map((suffix) => dataFile + suffix), pidFile, accountFile];
  const found = signs.filter((name) => existsSync(join(dir, name)));
  if (found.length === 0) return;
  throw new DamagedFile(
    path,
    `it is missing, but ${found.join(' and ')} of its folder ${found.length === 1 ? 'is' : 'are'} there`,
  );
}
