/** Opens the database: the MongoDB of `MONGODB_URL`, or the embedded store in `DATA_DIR`. */
import type { backup, Limits, restore } from 'dossier-store';
import type { Log } from './log.ts';
import { connect, type Connection } from './models/mongoose.ts';
import { blaming } from './settings/read.ts';
import type { Settings } from './settings/types.ts';

/** How the embedded store is used. */
export interface StoreUse {
  /** Whether nothing is kept on disk. */
  readonly inMemory: boolean;
  /** Other limits than those of a server. */
  readonly storeLimits?: Partial<Limits> | undefined;
}

/**
 * @param closers receives the functions that close the connection and the store
 * @returns the connection, and the text about the database for the banner
 * @throws SettingsError naming `MONGODB_URL` or `DATA_DIR`
 */
export async function openDatabase(
  settings: Settings,
  use: StoreUse,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<{ connection: Connection; describes: string }> {
  const connection =
    settings.mongodb_url === undefined
      ? await connect(await openStore(settings, use, closers, log))
      : await blaming('MONGODB_URL', connect(settings.mongodb_url));
  closers.push(() => connection.destroy());
  const describes = settings.mongodb_url === undefined ? storeIn(settings, use.inMemory) : 'MongoDB (MONGODB_URL)';
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

/** The settings that limit the embedded store. */
type LimitSettings = Pick<Settings, 'store_max_bytes' | 'store_history_hours' | 'store_history_bytes'>;

/** The limits of the embedded store that the settings set. */
export const limitsOf = (settings: LimitSettings): Partial<Limits> => ({
  maxBytes: settings.store_max_bytes,
  eventLogHours: settings.store_history_hours,
  eventLogBytes: settings.store_history_bytes,
});

/** Opens the embedded store, whose code is loaded only here, and logs its warnings. @returns its URL */
export async function openStore(
  settings: Pick<Settings, 'data_dir'> | (Pick<Settings, 'data_dir'> & LimitSettings),
  { inMemory, storeLimits }: StoreUse,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<string> {
  const { open } = await import('dossier-store');
  const opening = open({
    ...(inMemory ? {} : { dir: settings.data_dir }),
    limits: { ...('store_max_bytes' in settings ? limitsOf(settings) : {}), ...storeLimits },
    onWarning: (message) => log.warn(message),
    onFatal: (error) => log.error(error.message),
  });
  const store = await blaming('DATA_DIR', opening);
  closers.push(() => store.close());
  return store.url;
}

/** Whether opening a store has failed because another process uses its data folder. */
export function isInUse(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)) || isInUse(cause);
}

/** The functions that copy a data folder and put a copy in its place. */
export const storeCopies = (): Promise<{ backup: typeof backup; restore: typeof restore }> => import('dossier-store');
