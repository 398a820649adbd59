/**
 * Opens the embedded store, a MongoDB-compatible server in memory or in a data folder: for this process alone, or shared
 * with others of the machine.
 */
import { defaultLimits, type Limits } from './engine/limits.ts';
import { startHere } from './engine/start.ts';
import type { Reports } from './engine/store.ts';
import { ownPlace, placeUrl, sharedPlace, type Place, type Sharing } from './place.ts';
import { lockFolder, type FolderLock } from './storage/lock.ts';
import type { Account, Address } from './wire/address.ts';
import { StoreThread } from './worker-thread.ts';

export { defaultLimits, type Limits } from './engine/limits.ts';
export type { Sharing } from './place.ts';

/** How a store is opened. */
export interface StoreOptions {
  /** The data folder; without it everything is in memory only, and gone at the end. */
  readonly dir?: string;
  /** Whether the store has a thread of its own; by default it has when there is a data folder. */
  readonly thread?: boolean;
  /**
   * What the store is reached by when it is for this process alone: a socket file, or a port of loopback and a secret of
   * the process. By default a socket file wherever there are such.
   */
  readonly transport?: 'socket' | 'loopback';
  /** Opens the store to other processes of the machine. */
  readonly sharing?: Sharing;
  readonly limits?: Partial<Limits>;
  /** Something that the user of the store should know. */
  readonly onWarning?: (message: string) => void;
  /** The store has stopped and will not answer any more. */
  readonly onFatal?: (error: Error) => void;
}

/** An open store. */
export interface OpenStore {
  /** The address for a MongoDB driver; a password is in it when this process was given it or has made it. */
  readonly url: string;
  /** Where it listens. */
  readonly address: Address;
  /** Who has to sign in; undefined where nobody has to. */
  readonly user: string | undefined;
  /** An account whose password was made at this start and has to be told: only its hash is kept. */
  readonly newAccount: Account | undefined;
  /** Writes everything to disk and ends all connections. */
  close(): Promise<void>;
}

/**
 * Opens a store.
 * @throws Error when the data folder is in use by another process, its data file is damaged, or the port is taken
 */
export async function open(options: StoreOptions = {}): Promise<OpenStore> {
  const { dir, sharing } = options;
  const lock = dir === undefined ? undefined : lockFolder(dir);
  let place: Place | undefined;
  let store: Running | undefined;
  try {
    place = sharing === undefined ? await ownPlace(options.transport) : await sharedPlace(sharing, dir);
    store = await start(options, place);
    place.keep();
    return shown(store, place, lock);
  } catch (error) {
    await store?.close();
    place?.remove();
    lock?.release();
    throw error;
  }
}

interface Running {
  readonly address: Address;
  close(): Promise<void>;
}

function start(options: StoreOptions, { address, credentials }: Place): Promise<Running> {
  const { dir, thread = dir !== undefined } = options;
  const reports: Reports = {
    onWarning: options.onWarning ?? (() => undefined),
    onFatal: options.onFatal ?? (() => undefined),
  };
  const given = { dir, address, credentials, limits: { ...defaultLimits, ...options.limits } };
  return thread ? StoreThread.start(given, reports) : startHere(given, reports);
}

function shown(store: Running, place: Place, lock: FolderLock | undefined): OpenStore {
  return {
    url: placeUrl(place, store.address),
    address: store.address,
    user: place.credentials?.user,
    newAccount: place.made ? place.account : undefined,
    close: async () => {
      try {
        await store.close();
      } finally {
        place.remove();
        lock?.release();
      }
    },
  };
}
