/**
 * The embedded store in `DATA_DIR`. This file loads neither Mongoose nor the driver, so that a store can open while they are loaded, and
 * the code of the store is loaded only when one is opened.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { backup, hasData, Limits, lockFolder, restore } from 'dossier-store';
import type { Log } from '../ports/log.ts';
import { blameSetting } from '../settings/read.ts';
import type { Settings } from '../settings/types.ts';

/** How the embedded store is used. */
export interface StoreUse {
  /** Whether nothing is kept on disk. */
  readonly inMemory: boolean;
  /** Other limits than those of a server. */
  readonly storeLimits?: Partial<Limits> | undefined;
  /** Receives that the store has stopped permanently. */
  readonly storeStop?: StoreStop | undefined;
}

/** The stop of an embedded store that cannot serve again: only another process can. */
export class StoreStop {
  /** Resolves with the reason when the store has stopped. */
  readonly reason: Promise<Error>;
  #hasStopped = false;
  #resolve: (reason: Error) => void = () => undefined;

  constructor() {
    this.reason = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  report(reason: Error): void {
    this.#hasStopped = true;
    this.#resolve(reason);
  }
}

/** The settings that limit the embedded store. */
type LimitSettings = Pick<Settings, 'store_max_bytes' | 'store_history_hours' | 'store_history_bytes'>;

/** The limits of the embedded store that the settings set. */
export const limitsOf = (settings: LimitSettings): Partial<Limits> => ({
  maxBytes: settings.store_max_bytes,
  eventLogHours: settings.store_history_hours,
  eventLogBytes: settings.store_history_bytes,
});

/**
 * Opens the embedded store, and logs its warnings.
 * @param closers receives the function that closes it, also while it is being opened
 * @returns its URL
 * @throws SettingsError naming `DATA_DIR`
 */
export function openStore(
  settings: Pick<Settings, 'data_dir'> | (Pick<Settings, 'data_dir'> & LimitSettings),
  { inMemory, storeLimits, storeStop }: StoreUse,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<string> {
  const opening = import('dossier-store').then(({ open }) =>
    open({
      ...(inMemory ? {} : { dir: settings.data_dir }),
      limits: { ...('store_max_bytes' in settings ? limitsOf(settings) : {}), ...storeLimits },
      onWarning: (message) => log.warn(message),
      onFatal: (error) => {
        log.error(error.message);
        storeStop?.report(error);
      },
    }),
  );
  closers.push(async () => (await opening.catch(() => undefined))?.close());
  return blameSetting(
    'DATA_DIR',
    opening.then(({ url }) => url),
  );
}

/**
 * Awaits a step that uses the files of a data folder.
 * @throws Error that explains a system error: what prevents this process from using the folder
 */
export async function inFolder<T>(dir: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw (await import('dossier-store')).folderFault(dir, error);
  }
}

/** The id of the process that serves a data folder, or has served it last; undefined for a folder that has none. */
export function storeHolder(dir: string): number | undefined {
  try {
    const id = Number(readFileSync(join(dir, 'lock.pid'), 'utf8'));
    return Number.isInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Whether opening a store has failed because another process uses its data folder. */
export function isInUse(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code)) || isInUse(cause);
}

export interface StoreCopies {
  readonly backup: typeof backup;
  readonly restore: typeof restore;
  readonly hasData: typeof hasData;
  readonly lockFolder: typeof lockFolder;
}

/** The functions that copy a data folder and put a copy in its place, that find out whether it has data, and that lock a folder. */
export const storeCopies = (): Promise<StoreCopies> => import('dossier-store');

/** The file that tells the first start after a restore that there has been one. */
export const restoredFile = ({ data_dir }: Pick<Settings, 'data_dir'>): string => join(data_dir, 'restored');
