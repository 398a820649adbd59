/** Reads a whole data file, to find out whether a start could. */
import { openSqlite } from './sqlite.ts';

/** @throws DamagedFile for a data file of another version, or with a wrong checksum */
export function verifyData(dir: string): void {
  const storage = openSqlite(dir);
  const ignore = (): void => undefined;
  try {
    storage.load({ collection: ignore, document: ignore, event: ignore, retry: ignore });
  } finally {
    storage.close();
  }
}
