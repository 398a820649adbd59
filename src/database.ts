/** Opens the database: the MongoDB of `MONGODB_URL`, or the embedded store in `DATA_DIR`. */
import { openStore, type StoreUse } from './embedded-store.ts';
import type { Log } from './log.ts';
import { connect, type Connection } from './models/mongoose.ts';
import { blaming } from './settings/read.ts';
import type { Settings } from './settings/types.ts';

/** Which database is opened, and how. */
export interface DatabaseUse extends StoreUse {
  /** The URL of an embedded store that is open or opening; without it one is opened. */
  readonly storeUrl?: string | Promise<string> | undefined;
}

/**
 * @param closers receives the functions that close the connection, and the store if it is opened here
 * @returns the connection, and the text about the database for the banner
 * @throws SettingsError naming `MONGODB_URL` or `DATA_DIR`
 */
export async function openDatabase(
  settings: Settings,
  use: DatabaseUse,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<{ connection: Connection; description: string }> {
  const { mongodb_url, data_dir } = settings;
  const connected = async (): Promise<Connection> => {
    if (mongodb_url !== undefined) return blaming('MONGODB_URL', connect(mongodb_url));
    const url = await (use.storeUrl ?? openStore(settings, use, closers, log));
    return blaming('DATA_DIR', connect(url));
  };
  const connection = await connected();
  closers.push(() => connection.destroy());
  const place = use.inMemory ? 'memory' : data_dir;
  const store = `the embedded store in ${place}: for development, tests and small sites`;
  return { connection, description: mongodb_url === undefined ? store : 'MongoDB (MONGODB_URL)' };
}
