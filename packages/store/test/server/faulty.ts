/** A store on a disk that the test can fill: SQLite's own page limit simulates the space. */
import type Database from 'libsql';
import { Engine } from '../../src/engine/engine.ts';
import { defaultLimits, type Limits } from '../../src/engine/limits.ts';
import type { Connect } from '../../src/storage/schema.ts';
import { connectPlainly, openSqlite } from '../../src/storage/sqlite.ts';
import type { DiskSize } from '../../src/storage/storage.ts';
import { type Address, makeSocketPath, urlOf } from '../../src/wire/address.ts';
import { listen } from '../../src/wire/server.ts';

/** A store whose disk can be made full. */
export interface FaultyStore {
  readonly url: string;
  readonly address: Address;
  readonly engine: Engine;
  readonly warnings: readonly string[];
  /** From now on the data file cannot grow. */
  fill(): void;
  /** Frees space. */
  free(): void;
  /** From now on the disk reports this number of free bytes, of 4 GB; by default those that are free. */
  report(freeBytes: number | undefined): void;
  close(): Promise<void>;
}

/** Opens a connection that does not wait for the disk. Only a loss of power could show it, and no test causes one. */
export const connectUnsynced: Connect = (path) => {
  const database = connectPlainly(path);
  const exec = database.exec.bind(database);
  database.exec = (sql) => exec(sql === 'PRAGMA synchronous = FULL' ? 'PRAGMA synchronous = OFF' : sql);
  return database;
};

/** Opens a store in a folder. @param connect opens a connection, which may have more faults */
export async function openFaulty(
  dir: string,
  limits: Partial<Limits> = {},
  connect: Connect = connectUnsynced,
): Promise<FaultyStore> {
  const connections: Database.Database[] = [];
  const storage = openSqlite(dir, (path) => {
    const database = connect(path);
    connections.push(database);
    return database;
  });
  const { diskSize = () => ({ free: 0, total: 0 }) } = storage;
  let reported: number | undefined;
  const size = (): DiskSize => (reported === undefined ? diskSize() : { free: reported, total: 4 * 1024 ** 3 });
  Object.defineProperty(storage, 'diskSize', { value: size });
  const warnings: string[] = [];
  const fail = (error: Error): void => void warnings.push(`fatal: ${error.message}`);
  const reports = { onWarning: (message: string) => void warnings.push(message), onFatal: fail };
  const engine = await Engine.start(storage, { ...defaultLimits, ...limits }, reports);
  const place = makeSocketPath();
  const address: Address = { kind: 'socket', path: place?.path ?? '' };
  const server = await listen(engine, address, undefined);
  const pages = (most: number): void => void connections.at(-1)?.exec(`PRAGMA max_page_count = ${most}`);
  return {
    url: urlOf(address),
    address,
    engine,
    warnings,
    fill: () => pages(1),
    free: () => pages(1_000_000),
    report: (free) => (reported = free),
    close: async () => {
      await engine.close();
      await server.close();
      place?.remove();
    },
  };
}
