/** Starts an engine and its server in this thread: the part that a worker thread and a store within the process share. */
import { openSqlite } from '../storage/sqlite.ts';
import { memoryStorage } from '../storage/storage.ts';
import type { Credentials } from '../login/scram.ts';
import type { Address } from '../wire/address.ts';
import { listen } from '../wire/server.ts';
import { Engine } from './engine.ts';
import type { Limits } from './limits.ts';
import type { Reports } from './store.ts';

/** What is to be started. */
export interface StartOptions {
  /** The folder of the data file; undefined keeps everything in memory only. */
  readonly dir: string | undefined;
  readonly address: Address;
  /** The account that clients sign in with; without it everybody who reaches the address may do everything. */
  readonly credentials: Credentials | undefined;
  readonly limits: Limits;
}

/** A store that is being served. */
export interface Started {
  /** Where it listens, with the port that was found. */
  readonly address: Address;
  close(): Promise<void>;
}

/** Loads the data and begins to listen. */
export async function startHere(options: StartOptions, reports: Reports): Promise<Started> {
  const engine = await startEngine(options, reports);
  try {
    const server = await listen(engine, options.address, options.credentials);
    return { address: server.address, close: () => engine.close().finally(() => server.close()) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function startEngine({ dir, limits }: StartOptions, reports: Reports): Promise<Engine> {
  const storage = dir === undefined ? memoryStorage : openSqlite(dir);
  try {
    return await Engine.start(storage, limits, reports);
  } catch (error) {
    storage.close();
    throw error;
  }
}
