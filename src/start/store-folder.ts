/** Where the embedded store keeps the data of a server. */
import type { Connection } from 'mongoose';
import { storeHolder } from '../embedded-store.ts';
import type { Launch } from './launch.ts';

/**
 * The folder of the store in this server, or of `dossier store` on this machine where `DATA_DIR` is its folder: the process that serves the folder is
 * that which answers. @returns undefined for MongoDB, and for a store in memory
 */
export async function storeFolderOf(
  { settings, inMemory }: Pick<Launch, 'settings' | 'inMemory'>,
  connection: Connection,
): Promise<string | undefined> {
  const { mongodb_url: url, data_dir: dir } = settings;
  if (url === undefined) return inMemory ? undefined : dir;
  const holder = storeHolder(dir);
  if (holder === undefined) return undefined;
  const status = await connection.db?.command({ serverStatus: 1 }).catch(() => undefined);
  const isShared = status?.['process'] === 'embedded' && Number(status['pid']) === holder;
  return isShared ? dir : undefined;
}
