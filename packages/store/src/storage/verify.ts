/** Reads a whole data file, to find out whether a start could. */
import { Format1File } from './format-1.ts';
import { connectPlainly, dataPath, openSqlite } from './sqlite.ts';

/** @throws DamagedFile for a data file of a newer version, or with a wrong checksum */
export function verifyData(dir: string): void {
  const old = Format1File.open(dataPath(dir), connectPlainly);
  if (old === undefined) verifyPages(dir);
  else verifyRows(old);
}

function verifyRows(file: Format1File): void {
  try {
    for (const table of ['collections', 'documents', 'events', 'retries'] as const) {
      const rows = file.rows(table);
      while (rows.next().done !== true);
    }
  } finally {
    file.close();
  }
}

function verifyPages(dir: string): void {
  const storage = openSqlite(dir);
  const ignore = (): void => undefined;
  try {
    const target = { root: ignore, garbage: ignore, collection: ignore, change: ignore, event: ignore, retry: ignore };
    storage.load({ checkpoint: 0, ...target });
    storage.pages?.verify();
  } finally {
    storage.close();
  }
}
