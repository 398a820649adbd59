/** Opens the database: the MongoDB of `MONGODB_URL`, or the embedded store in `DATA_DIR`. */
import { beginTracing, traceCommand } from '../adapters/tracing.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { noMetrics } from '../metrics/table.ts';
import { connect, type PoolSizes, preferenceOf, type ReadPreference } from '../models/connect.ts';
import { databaseSystem, errorTypeOf } from '../models/database-words.ts';
import { closeConnection } from '../models/keep-open.ts';
import type { Connection } from '../models/mongoose.ts';
import { measureOperations } from '../models/operation-metrics.ts';
import type { Log } from '../ports/log.ts';
import { blameSetting } from '../settings/read.ts';
import type { Settings } from '../settings/types.ts';
import { openStore, type StoreUse } from './embedded-store.ts';

/** Which database is opened, and how. */
export interface DatabaseUse extends StoreUse {
  /** The URL of an embedded store that is open or opening; without it one is opened. */
  readonly storeUrl?: string | Promise<string> | undefined;
  /** Measures the operations. */
  readonly metrics?: Metrics;
}

export interface OpenDatabase {
  readonly connection: Connection;
  /** The members that lists are read from; undefined for the primary. */
  readonly listedFrom: ReadPreference | undefined;
  /** The text about the database for the banner. */
  readonly description: string;
}

/**
 * @param closers receives the functions that close the connection, and the store if it is opened here
 * @throws SettingsError naming `MONGODB_URL` or `DATA_DIR`
 */
export async function openDatabase(
  settings: Settings,
  use: DatabaseUse,
  closers: (() => Promise<void>)[],
  log: Log,
): Promise<OpenDatabase> {
  const { mongodb_url, data_dir, pool, read_preference } = settings;
  const { metrics = noMetrics } = use;
  const monitorCommands = beginTracing() ? true : undefined;
  const sizes = { maxPoolSize: pool.size, minPoolSize: pool.min, monitorCommands };
  const connected = async (): Promise<Pick<OpenDatabase, 'connection' | 'listedFrom'>> => {
    if (mongodb_url !== undefined) return blameSetting('MONGODB_URL', connectedTo(mongodb_url, sizes, read_preference));
    const url = await (use.storeUrl ?? openStore(settings, use, closers, log));
    return { connection: await blameSetting('DATA_DIR', connect(url, sizes)), listedFrom: undefined };
  };
  const { connection, listedFrom } = await connected();
  closers.push(() => closeConnection(connection));
  if (monitorCommands === true) traceCommands(connection);
  if (metrics.isOn) measureOperations(connection, metrics);
  const place = use.inMemory ? 'memory' : data_dir;
  const store = `the embedded store in ${place}: for development, tests and small sites`;
  return { connection, listedFrom, description: mongodb_url === undefined ? store : 'MongoDB (MONGODB_URL)' };
}

async function connectedTo(url: string, sizes: PoolSizes, mode: Settings['read_preference']) {
  return { listedFrom: preferenceOf(url, mode), connection: await connect(url, sizes) };
}

/** The client of the connection must report its commands, which copies each command and decodes each answer once more. */
function traceCommands(connection: Connection): void {
  const client = connection.getClient();
  /** How to end the spans of commands that have not ended, by the ids of the commands. */
  const begun = new Map<number, (error?: string) => void>();
  const end = (id: number, error?: string): void => {
    begun.get(id)?.(error);
    begun.delete(id);
  };
  client.on('commandStarted', ({ requestId, commandName: operation, databaseName: database, command }) => {
    const named: unknown = command[operation];
    const collection = typeof named === 'string' ? named : undefined;
    begun.set(requestId, traceCommand({ system: databaseSystem, database, operation, collection }));
  });
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, errorTypeOf(failure)));
}
