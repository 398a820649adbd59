/** Stores for the tests of a file, with a client each; they are opened before the tests and closed after them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Db, MongoClient } from 'mongodb';
import { open, type StoreOptions } from '../src/index.ts';

/** The database of a store, available once the tests run. */
export interface Opened {
  readonly db: Db;
  /** The connection string, for further clients. */
  readonly url: string;
}

async function openWithClient(options: StoreOptions) {
  const store = await open({ thread: false, ...options });
  const client = await MongoClient.connect(store.url);
  const close = async (): Promise<void> => {
    await client.close();
    await store.close();
  };
  return { db: client.db('t'), url: store.url, close };
}

type Running = Awaited<ReturnType<typeof openWithClient>>;

/** One store in memory for all tests of a file. */
export function storeInMemory(): Opened {
  let running: Running;
  beforeAll(async () => {
    running = await openWithClient({});
  });
  afterAll(() => running.close());
  return {
    get db() {
      return running.db;
    },
    get url() {
      return running.url;
    },
  };
}

/** A store with a data folder, a new one for each test. */
export interface OpenedInFolder extends Opened {
  /** Reopens it, optionally with other options; `meanwhile` runs while it is closed. */
  reopen(options?: StoreOptions, meanwhile?: (folder: string) => void): Promise<void>;
}

/** A store for each test, kept in a folder. */
export function storeInFolder(): OpenedInFolder {
  let folder: string;
  let running: Running;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
    running = await openWithClient({ dir: folder });
  });
  afterEach(async () => {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get db() {
      return running.db;
    },
    get url() {
      return running.url;
    },
    reopen: async (options = { dir: folder }, meanwhile = () => undefined) => {
      await running.close();
      meanwhile(folder);
      running = await openWithClient(options);
    },
  };
}
