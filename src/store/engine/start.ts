/** Starts an engine and its server in this thread: the part that a worker thread and a store within the process share. */
import { openSqlite } from '../storage/sqlite.ts';
import { memoryStorage } from '../storage/storage.ts';
import { listen } from '../wire/server.ts';
import { Engine } from './engine.ts';
import type { Limits } from './limits.ts';
import type { Reports } from './store.ts';

/** What is to be started. */
export interface StartOptions {
  /** The folder of the data file; undefined keeps everything in memory only. */
  readonly dir: string | undefined;
  readonly path: string;
  readonly limits: Limits;
}

/** A store that is being served. */
export interface Started {
  readonly engine: Engine;
  close(): Promise<void>;
}

/** Loads the data and begins to listen. */
export async function startHere(options: StartOptions, reports: Reports): Promise<Started> {
  const storage = options.dir === undefined ? memoryStorage : openSqlite(options.dir);
  try {
    const engine = await Engine.start(storage, options.limits, reports, options.path);
    const server = await listen(engine, options.path);
    return {
      engine,
      close: async () => {
        await engine.close();
        await server.close();
      },
    };
  } catch (error) {
    storage.close();
    throw error;
  }
}
