/** Reads a whole data file as a start does, to find out whether a start could. */
import { faultOf } from '../storage/faults.ts';
import { Format1File } from '../storage/format-1.ts';
import { connectPlainly, openCopy } from '../storage/sqlite.ts';
import { History } from './changes/history.ts';
import { defaultLimits } from './limits.ts';
import { Loading } from './loading.ts';
import { PageStore, throwUnreadable } from './pages/page-store.ts';

/**
 * Checks a copy that no other program uses; one of the current format is not written.
 * @throws DamagedFile for a data file of a newer version, or with a wrong checksum; DiskFault if it cannot be read
 */
export function verifyFile(path: string): void {
  const old = Format1File.open(path, connectPlainly);
  if (old === undefined) verifyPages(path);
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

/** The load finds the checkpoint that the log continues: the changes before it are not in the file. */
function verifyPages(path: string): void {
  const storage = openCopy(path);
  try {
    const pages = new PageStore(storage.pages, defaultLimits, throwUnreadable);
    storage.load(new Loading(pages, pages).target(new Map()));
    new History(defaultLimits, storage.events).load();
    pages.file.verify();
  } catch (error) {
    throw faultOf(path, error);
  } finally {
    storage.close();
  }
}
