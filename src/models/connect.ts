/** Opens connections to the database, and reads from its URL what the driver would apply to every read. */
import mongoose, { type Connection } from 'mongoose';

export type ReadPreference = mongoose.mongo.ReadPreference;

/**
 * The defaults for options that the URL does not set (MongoDB's manual, "Connection String Options"). An unresponsive database is
 * detected by the heartbeat and its time limit, and commands are then retried once: all three together take less than ten
 * seconds.
 */
const urlOptions = {
  serverSelectionTimeoutMS: 4000,
  heartbeatFrequencyMS: 2000,
  connectTimeoutMS: 3500,
  minPoolSize: 2,
  maxPoolSize: 50,
};

/** Options that have precedence over those of the URL. */
export interface PoolSizes {
  readonly maxPoolSize?: number | undefined;
  readonly minPoolSize?: number | undefined;
  /** Whether the client reports its commands. */
  readonly monitorCommands?: boolean | undefined;
}

/**
 * Opens a connection and waits until the database responds. Its reads go to the primary, whatever the URL has.
 * @throws the driver's error when it does not within four seconds, or the `serverSelectionTimeoutMS` of the URL
 */
export async function connect(url: string, sizes: PoolSizes = {}): Promise<Connection> {
  const given = new Set([...new URLSearchParams(url.split('?')[1])].map(([name]) => name.toLowerCase()));
  const open = Object.entries(urlOptions).filter(([name]) => !given.has(name.toLowerCase()));
  const set = Object.entries(sizes).filter(([, size]) => size !== undefined);
  const connection = mongoose.createConnection(withoutPreference(url), {
    ...Object.fromEntries([...open, ...set]),
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
  });
  await connection.asPromise();
  return connection;
}

/** A connection that is never opened, for work on the models alone. */
export function unopenedConnection(): Connection {
  const connection = mongoose.createConnection();
  // otherwise compiling a model would wait for the database to create its indexes
  connection.set('autoIndex', false);
  connection.set('autoCreate', false);
  return connection;
}

const preferenceNames = ['readpreference', 'readpreferencetags', 'maxstalenessseconds'];

/** A URL without its read preference, which would send reads of credentials, and reads before writes, to members that are behind. */
function withoutPreference(url: string): string {
  const [base = '', ...rest] = url.split('?');
  const pairs = rest.join('?').split('&');
  const kept = pairs.filter((pair) => !preferenceNames.includes(pair.split('=', 1)[0]?.toLowerCase() ?? ''));
  return kept.length === pairs.length ? url : kept.length === 0 ? base : `${base}?${kept.join('&')}`;
}

/**
 * The members that may be read by lists; undefined for the primary.
 * @param mode otherwise that of the URL, which may have tags and a maximum staleness with it
 * @throws the driver's error for values of the URL that cannot be
 */
export function preferenceOf(url: string, mode: mongoose.mongo.ReadPreferenceMode | undefined) {
  if (mode === 'primary') return undefined;
  const { readPreference } = new mongoose.mongo.MongoClient(url, mode === undefined ? {} : { readPreference: mode });
  return readPreference.mode === 'primary' ? undefined : readPreference;
}

/** The maximum number of connections to a member of the database; 0 in a connection string means no limit. */
export const connectionsOf = (connection: Connection): number =>
  connection.getClient().options.maxPoolSize || urlOptions.maxPoolSize;
