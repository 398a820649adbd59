/**
 * Opens the embedded store, a MongoDB-compatible server in memory or in a data folder: for this process alone, or
 * shared with other processes of the machine. The code of the engine is loaded where it runs, so that opening a store that has a thread
 * costs the calling thread little.
 */
import { existsSync } from 'node:fs';
import type * as copies from './backup.ts';
import { type Endpoint, endpointUrl, privateEndpoint, sharedEndpoint, type Sharing } from './endpoint.ts';
import { defaultLimits, type Limits } from './engine/limits.ts';
import type { Reports } from './engine/store.ts';
import { refuseHalfRestored } from './restore-mark.ts';
import { once } from './single-flight.ts';
import { dataPath } from './storage/files.ts';
import { type FolderLock, lockFolder } from './storage/lock.ts';
import type { Account, Address } from './wire/address.ts';
import { StoreThread } from './worker-thread.ts';

export type { BackupResult, RestoreResult } from './backup.ts';
export { defaultLimits, type Limits } from './engine/limits.ts';
export type { Sharing } from './endpoint.ts';
export { folderFault } from './storage/folder.ts';
export { type FolderLock, lockFolder } from './storage/lock.ts';

/** Options of `open`. */
export interface StoreOptions {
  /** The data folder; without it everything is kept in memory and lost on close. */
  readonly dir?: string;
  /** Whether the store runs in a worker thread. Default: true with a data folder. */
  readonly thread?: boolean;
  /**
   * How this process reaches a store that is not shared: by a socket file, or by a loopback port and a generated
   * password. Default: a socket file where the platform has them.
   */
  readonly transport?: 'socket' | 'loopback';
  /** Opens the store to other processes of the machine. */
  readonly sharing?: Sharing;
  readonly limits?: Partial<Limits>;
  /** Called with a warning for the operator. */
  readonly onWarning?: (message: string) => void;
  /** Called when the store has stopped because of an unrecoverable error. */
  readonly onFatal?: (error: Error) => void;
}

/** An open store. */
export interface OpenStore {
  /** The connection string for a MongoDB driver. It contains the password if this process set or generated it. */
  readonly url: string;
  /** Where it listens. */
  readonly address: Address;
  /** The user for authentication; undefined if the store requires none. */
  readonly user: string | undefined;
  /** The account whose password was generated at this start. Show it to the operator: only its hash is stored. */
  readonly newAccount: Account | undefined;
  /** Writes everything to disk and closes all connections. */
  close(): Promise<void>;
}

/**
 * Opens a store.
 * @throws Error if another process uses the data folder, the data file is damaged, or the port is in use
 */
export async function open(options: StoreOptions = {}): Promise<OpenStore> {
  const { dir, sharing } = options;
  const lock = dir === undefined ? undefined : lockFolder(dir);
  let endpoint: Endpoint | undefined;
  let store: Running | undefined;
  try {
    if (dir !== undefined) refuseHalfRestored(dir);
    if (dir !== undefined && existsSync(dataPath(dir))) lock?.sign();
    endpoint = sharing === undefined ? await privateEndpoint(options.transport) : await sharedEndpoint(sharing, dir);
    store = await start(options, endpoint);
    // only now: a first start that is killed before leaves no sign of data
    lock?.sign();
    endpoint.keep();
    return shown(store, endpoint, lock);
  } catch (error) {
    await store?.close();
    endpoint?.remove();
    lock?.release();
    throw error;
  }
}

/**
 * Writes a consistent copy of a data folder into a new file, for its owner only. It contains every write that was acknowledged before
 * the call, and nothing of a transaction that was not committed. The folder may be in use, by this process or another one.
 * @throws Error for a folder without data, and for a file that exists or cannot be written
 */
export const backup: typeof copies.backup = async (dir, file) => (await import('./backup.ts')).backup(dir, file);

/** Whether a folder has the data of a store; `open` would create them. */
export const hasData = async (dir: string): Promise<boolean> => (await import('./backup.ts')).hasData(dir);

/**
 * Puts a backup in place of the data of a folder, which is created if it does not exist. What was there is moved into a folder beside
 * it. Nothing is changed before all checks have passed.
 * @throws Error naming the check that failed, or the process that uses the folder
 */
export const restore: typeof copies.restore = async (file, dir) => (await import('./backup.ts')).restore(file, dir);

interface Running {
  readonly address: Address;
  close(): Promise<void>;
}

async function start(options: StoreOptions, { address, credentials }: Endpoint): Promise<Running> {
  const { dir, thread = dir !== undefined } = options;
  const reports: Reports = {
    onWarning: options.onWarning ?? (() => undefined),
    onFatal: options.onFatal ?? (() => undefined),
  };
  const given = { dir, address, credentials, limits: { ...defaultLimits, ...options.limits } };
  if (thread) return StoreThread.start(given, reports);
  const { startStore } = await import('./start.ts');
  return startStore(given, reports);
}

function shown(store: Running, endpoint: Endpoint, lock: FolderLock | undefined): OpenStore {
  return {
    url: endpointUrl(endpoint, store.address),
    address: store.address,
    user: endpoint.credentials?.user,
    newAccount: endpoint.isNewPassword ? endpoint.account : undefined,
    close: once(async () => {
      try {
        await store.close();
      } finally {
        endpoint.remove();
        lock?.release();
      }
    }),
  };
}
