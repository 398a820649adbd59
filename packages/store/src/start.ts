/** Starts an engine and its server in this thread. The worker thread and a store without a thread share it. */
import { Engine } from './engine/engine.ts';
import type { Limits } from './engine/limits.ts';
import type { Reports } from './engine/store.ts';
import type { Credentials } from './login/scram.ts';
import { openSqlite } from './storage/sqlite.ts';
import { memoryStorage } from './storage/storage.ts';
import type { Address } from './wire/address.ts';
import { listen } from './wire/server.ts';

/** The parameters of a start. */
export interface StartOptions {
  /** The folder of the data file; undefined keeps everything in memory. */
  readonly dir: string | undefined;
  readonly address: Address;
  /** The account for authentication; without it every client that reaches the address has full access. */
  readonly credentials: Credentials | undefined;
  readonly limits: Limits;
}

/** A running store. */
export interface RunningStore {
  /** The address, with the actual port. */
  readonly address: Address;
  close(): Promise<void>;
}

/** Loads the data and starts to listen. */
export async function startStore(options: StartOptions, reports: Reports): Promise<RunningStore> {
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
