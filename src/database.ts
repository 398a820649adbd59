/** Opens the database: the MongoDB of `MONGODB_URL`, or the embedded store in `DATA_DIR`. */
import type { backup, restore } from 'dossier-store';
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
      ? await connect(await openStore(settings, inMemory, closers, log))
      : await blaming('MONGODB_URL', connect(settings.mongodb_url));
  closers.push(() => connection.destroy());
  const describes = settings.mongodb_url === undefined ? storeIn(settings, inMemory) : 'MongoDB (MONGODB_URL)';
  return { connection, describes };
}

/** Connects to an embedded store that another process has opened. */
export async function joinStore(
  url: string,
  settings: Settings,
  closers: (() => Promise<void>)[],
): ReturnType<typeof openDatabase> {
  const connection = await blaming('DATA_DIR', connect(url));
  closers.push(() => connection.destroy());
  return { connection, describes: storeIn(settings, false) };
}

const storeIn = ({ data_dir }: Settings, inMemory: boolean): string =>
  `the embedded store in ${inMemory ? 'memory' : data_dir}: for development, tests and small sites`;

/** Opens the embedded store, whose code is loaded only here, and logs its warnings. @returns its URL */
export async function openStore(
  settings: Pick<Settings, 'data_dir'> & Partial<Pick<Settings, 'store_max_bytes'>>,
  inMemory: boolean,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<string> {
  const { open } = await import('dossier-store');
  const opening = open({
    ...(inMemory ? {} : { dir: settings.data_dir }),
    limits: { maxBytes: settings.store_max_bytes ?? 0 },
    onWarning: (message) => log.warn(message),
    onFatal: (error) => log.error(error.message),
  });
  const store = await blaming('DATA_DIR', opening);
  closers.push(() => store.close());
  return store.url;
}

/** The functions that copy a data folder and put a copy in its place. */
export const storeCopies = (): Promise<{ backup: typeof backup; restore: typeof restore }> => import('dossier-store');
