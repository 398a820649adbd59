/** Reads a whole data file as a start does, to find out whether a start could. */
import { faultOf } from '../storage/faults.ts';
import { openCopy } from '../storage/sqlite.ts';
import { History } from './changes/history.ts';
import { defaultLimits } from './limits.ts';
import { Loading } from './loading.ts';
import { PageStore, throwUnreadable } from './pages/page-store.ts';

/**
 * Checks a copy that no other program uses, and writes nothing. The load finds the checkpoint that the log continues: the changes before it
 * are not in the file.
 * @throws DamagedFile for a data file of another version, or with a wrong checksum; DiskFault if it cannot be read
 */
export function verifyFile(path: string): void {
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
