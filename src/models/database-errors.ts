/** What the database's errors mean to a caller, by class and code, never by sentence. */
import {
  badRequest,
  busy,
  Failure,
  notUnique,
  outOfStorage,
  searchNotReady,
  tookTooLong,
  unavailable,
} from '../errors.ts';
import { mongo } from './mongoose.ts';

/** The failure that an error of the driver stands for; any other error comes back as it is. */
export function fromDatabase(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof mongo.MongoServerError) return fromServer(error);
  if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerSelectionError)
    return unavailable(error);
  if (error instanceof mongo.MongoNotConnectedError || error instanceof mongo.MongoTopologyClosedError)
    return unavailable(error);
  // of a transaction that could not be committed in time
  if (error instanceof mongo.MongoOperationTimeoutError) return fromTimeout(error);
  if (error instanceof mongo.MongoError && error.name === 'MongoWaitQueueTimeoutError') return busy();
  if (error instanceof mongo.MongoError && error.name === 'MongoPoolClearedError') return unavailable(error);
  return isBrokenPipe(error) ? unavailable(error) : error;
}

/** The failure that says the database is unavailable, where an error stands for that. */
export function unavailableFrom(error: unknown): Failure | undefined {
  const known = fromDatabase(error);
  return known instanceof Failure && known.message === unavailable().message ? known : undefined;
}

/** The driver's time limit, with what kept it waiting as its cause. */
function fromTimeout(error: Error): Failure {
  const cause = fromDatabase(error.cause);
  return cause instanceof Failure ? cause : tookTooLong(error);
}

/** The driver lets the system's own error through when a connection ends while a command is being sent. */
const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');

type ServerError = InstanceType<typeof mongo.MongoServerError>;

/** Time limits: of the operation, of its cursor, of the whole command. */
const timeCodes: ReadonlySet<unknown> = new Set([50, 262]);
/** The server stops, steps down or is interrupted. */
const goneCodes: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);
/** Values, paths or patterns that only the database finds wrong, or cannot do: too deep a document (15), a pattern (115). */
const inputCodes: ReadonlySet<unknown> = new Set([
  2, 9, 14, 15, 16, 28, 40, 115, 51091, 51075, 51108, 51156, 16410, 16412, 31249, 31254, 17287,
]);

/** MongoDB's BackgroundOperationInProgressForNamespace: the embedded store answers it to searches while it builds their index. */
const backgroundOperation = 12587;
/** MongoDB's OutOfDiskSpace, which the embedded store also answers when one of its limits is reached. */
const outOfDiskSpace = 14031;

function fromServer(error: ServerError): unknown {
  // the driver wraps what kept a bulk write from being answered at all; a server's codes are numbers
  if (error instanceof mongo.MongoBulkWriteError && typeof error.code !== 'number') return unavailable(error);
  if (error.code === 11000) return notUnique(uniquePaths(error));
  if (error.code === outOfDiskSpace) return outOfStorage(fullnessOf(error), error);
  if (error.code === backgroundOperation) return searchNotReady(error);
  if (timeCodes.has(error.code)) return tookTooLong(error);
  if (goneCodes.has(error.code)) return unavailable(error);
  if (inputCodes.has(error.code))
    return new Failure(400, 'Bad request', 'the database does not accept this request', { cause: error });
  return error.code === 27 ? badRequest('this needs an index that the collection does not have') : error;
}

/** The paths of the unique index, by its pattern or, where the engine does not tell it, by the index's name. */
function uniquePaths(error: ServerError): string[] {
  const pattern = patternOf(error);
  if (pattern !== undefined) return Object.keys(pattern);
  const name = /index:? '?(?:\S+\$)?([^\s']+)/i.exec(error.message)?.[1];
  if (name === undefined) return ['a value'];
  return name === '_id_' ? ['_id'] : name.replace(/_-?1$/, '').split(/_-?1_/);
}

/** Which limit of the embedded store is reached, or that it is the disk. */
function fullnessOf(error: ServerError): string {
  const { what, limit } = (partOf(error, 'errInfo') ?? {}) as { what?: unknown; limit?: unknown };
  return typeof limit === 'number'
    ? `the database holds as much as it may: its limit is ${limit} ${String(what)}`
    : 'the disk of the database is full or takes no writes';
}

const patternOf = (error: ServerError): object | undefined => partOf(error, 'keyPattern');

/** A field of a fault. Bulk writes keep what the server said of each fault apart. */
function partOf(error: ServerError, name: 'keyPattern' | 'errInfo'): object | undefined {
  const part = (error as unknown as Readonly<Record<string, object | undefined>>)[name];
  if (part !== undefined || !(error instanceof mongo.MongoBulkWriteError)) return part;
  const [first] = [error.writeErrors].flat() as unknown as readonly {
    err?: Readonly<Record<string, object | undefined>>;
  }[];
  return first?.err?.[name];
}
