/** Opens the embedded store: a MongoDB-compatible server for this process alone, in memory or in a data folder. */
import { defaultLimits, type Limits } from './engine/limits.ts';
import { startHere } from './engine/start.ts';
import type { Reports } from './engine/store.ts';
import { lockFolder, type FolderLock } from './storage/lock.ts';
import { makeSocketPlace, urlOf } from './wire/server.ts';
import { StoreThread } from './worker-thread.ts';

export { defaultLimits, type Limits } from './engine/limits.ts';

/** How a store is opened. */
export interface StoreOptions {
  /** The data folder; without it everything is in memory only, and gone at the end. */
  readonly dir?: string;
  /** Whether the store has a thread of its own; by default it has when there is a data folder. */
  readonly thread?: boolean;
  readonly limits?: Partial<Limits>;
  /** Something that the user of the store should know. */
  readonly onWarning?: (message: string) => void;
  /** The store has stopped and will not answer any more. */
  readonly onFatal?: (error: Error) => void;
}

/** An open store. */
export interface OpenStore {
  /** The address for a MongoDB driver. */
  readonly url: string;
  /** Writes everything to disk and ends all connections. */
  close(): Promise<void>;
}

/**
 * Opens a store.
 * @throws Error when the data folder is in use by another process, or its data file is damaged
 */
export async function open(options: StoreOptions = {}): Promise<OpenStore> {
  const { dir } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const reports: Reports = {
    onWarning: options.onWarning ?? (() => undefined),
    onFatal: options.onFatal ?? (() => undefined),
  };
  const lock = dir === undefined ? undefined : lockFolder(dir);
  const place = makeSocketPlace();
  const start = { dir, path: place.path, limits };
  try {
    const thread = options.thread ?? dir !== undefined;
    const store = thread ? await StoreThread.start(start, reports) : await startHere(start, reports);
    return { url: urlOf(place.path), close: () => closeAll(store, place, lock) };
  } catch (error) {
    place.remove();
    lock?.release();
    throw error;
  }
}

async function closeAll(
  store: { close(): Promise<void> },
  place: { remove(): void },
  lock: FolderLock | undefined,
): Promise<void> {
  await store.close();
  place.remove();
  lock?.release();
}
