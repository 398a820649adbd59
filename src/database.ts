/** Opens the database: the MongoDB of `MONGODB_URL`, or the embedded store in `DATA_DIR`. */
import type { Log } from './log.ts';
import { connect, type Connection } from './models/mongoose.ts';
import { blaming } from './settings/read.ts';
import type { Settings } from './settings/types.ts';

/**
 * @param closers receives the functions that close the connection and the store
 * @returns the connection, and the text about the database for the banner
 * @throws SettingsError naming `MONGODB_URL` or `DATA_DIR`
 */
export async function openDatabase(
  settings: Settings,
  inMemory: boolean,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<{ connection: Connection; describes: string }> {
  const connection =
    settings.mongodb_url === undefined
      ? await connect(await blaming('DATA_DIR', openStore(settings, inMemory, closers, log)))
      : await blaming('MONGODB_URL', connect(settings.mongodb_url));
  closers.push(() => connection.close());
  const describes =
    settings.mongodb_url !== undefined
      ? 'MongoDB (MONGODB_URL)'
      : `the embedded store in ${inMemory ? 'memory' : settings.data_dir}: for development, tests and small sites`;
  return { connection, describes };
}

/** Opens the embedded store, whose code is loaded only here, and logs its warnings. @returns its URL */
async function openStore(
  settings: Settings,
  inMemory: boolean,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<string> {
  const { open } = await import('dossier-store');
  const store = await open({
    ...(inMemory ? {} : { dir: settings.data_dir }),
    limits: { maxBytes: settings.store_max_bytes },
    onWarning: (message) => log.warn(message),
    onFatal: (error) => log.error(error.message),
  });
  closers.push(() => store.close());
  return store.url;
}
