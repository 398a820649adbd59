/** Converts the database's errors to failures, by class and code, never by message. */
import { StoreError } from 'dossier-language/errors';
import {
  badRequest,
  busy,
  dataDamaged,
  Failure,
  needsTooMuch,
  notAcceptedByDatabase,
  notUnique,
  outOfStorage,
  overtaken,
  readOnly,
  searchNotReady,
  tookTooLong,
  unavailable,
} from '../errors/errors.ts';
import { withCauses } from '../errors/failure.ts';
import { languageCodes, languageRefused } from './loading/text-language.ts';
import { mongo } from './mongoose.ts';

/**
 * Converts an error of the driver to a failure, and one of an update that is computed in memory to the failure that the database would
 * give; returns any other error unchanged.
 */
export function fromDatabase(error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof StoreError && inputCodes.has(error.code)) return notAccepted(error);
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

/**
 * Whether a command or a commit that failed with an error may have been carried out: its answer was lost, it was interrupted, or it waited
 * in vain for other members of the database.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  for (const at of withCauses(error)) {
    // rolled back, and begun once more until its time was over
    if (at instanceof mongo.MongoError && at.hasErrorLabel(mongo.MongoErrorLabel.TransientTransactionError))
      return false;
    if (at instanceof mongo.MongoWriteConcernError || at instanceof mongo.MongoNetworkError) return true;
    if (at instanceof mongo.MongoOperationTimeoutError || isBrokenPipe(at)) return true;
    if (at instanceof mongo.MongoError && at.hasErrorLabel(mongo.MongoErrorLabel.UnknownTransactionCommitResult))
      return true;
    if (at instanceof mongo.MongoServerError && (goneCodes.has(at.code) || timeCodes.has(at.code))) return true;
    // some of its documents are written
    if (at instanceof mongo.MongoBulkWriteError && (at.insertedCount > 0 || typeof at.code !== 'number')) return true;
  }
  return false;
}

/** Whether a write failed because another one has written the same key. */
export const isTaken = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 11000;

/** Runs a write of a key that another one may have written. @returns undefined where it has @throws the driver's other errors */
export async function unlessTaken<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
}

/** Whether such a write is the one that has written the key. @throws the driver's other errors */
export const isFirst = async (write: () => Promise<object>): Promise<boolean> =>
  (await unlessTaken(write)) !== undefined;

/** The failure for an unavailable database, if that is what an error means. */
export function unavailableFailure(error: unknown): Failure | undefined {
  const known = fromDatabase(error);
  return known instanceof Failure && known.message === unavailable().message ? known : undefined;
}

const hindrances: ReadonlySet<string> = new Set(
  [unavailable(), readOnly(), outOfStorage('')].map(({ message }) => message),
);

/**
 * Whether the database has hindered all work and not this one: it is away, or takes no writes because its disk or one of its limits is full. An
 * error that has such a cause counts, too.
 */
export function isHindrance(error: unknown): boolean {
  const known = fromDatabase(error);
  if (known instanceof Failure && hindrances.has(known.message)) return true;
  return error instanceof Error && error.cause !== undefined && isHindrance(error.cause);
}

/** Codes of stages or documents that exceed their memory limit. */
const sizeCodes: ReadonlySet<unknown> = new Set([146, 292, 4568, 10334, 17419, 17420, 16755, 16945, 5643004]);

/** The failure of a pipeline that needs too much memory, if that is what an error means. */
export const tooMuchFrom = (error: unknown): Failure | undefined =>
  error instanceof mongo.MongoServerError && sizeCodes.has(error.code) ? needsTooMuch(error) : undefined;

/** Converts a timeout of the driver: to the failure of its cause, if it has one. */
function fromTimeout(error: Error): Failure {
  const cause = fromDatabase(error.cause);
  return cause instanceof Failure ? cause : tookTooLong(error);
}

/** Whether a connection ended while a command was being sent: the driver then passes on the system error. */
const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');

type ServerError = InstanceType<typeof mongo.MongoServerError>;

/** Codes of exceeded time limits: of the operation, of the whole command, of a command between servers, and of a transaction. */
export const timeCodes: ReadonlySet<unknown> = new Set([50, 262, 202, 290]);
/**
 * Codes of commands that others got in the way of: LockTimeout, LockBusy, WriteConflict, SnapshotTooOld, SnapshotUnavailable,
 * NoSuchTransaction (the database has ended it), PreparedTransactionInProgress.
 */
export const conflictCodes: ReadonlySet<unknown> = new Set([24, 46, 112, 239, 246, 251, 267]);
/** Codes of a server that stops, steps down or is interrupted. */
export const goneCodes: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);
/**
 * Codes of values, paths and patterns that only the database refuses, such as a document that is too deep (15), an unsupported
 * pattern (115), or a change in a capped collection (263, 10003).
 */
export const inputCodes: ReadonlySet<unknown> = new Set([
  2, 9, 14, 15, 16, 28, 40, 115, 51091, 51075, 51108, 51156, 16410, 16412, 31249, 31254, 17287, 263, 10003,
]);

const isLimited = 'capped and time-series collections take new documents, one by one, and keep them as they are';

/**
 * What is wrong, of MongoDB's codes that mean one thing: TypeMismatch, PathNotViable, ConflictingUpdateOperators,
 * OperationNotSupportedInTransaction, CannotGrowDocumentInCappedNamespace.
 */
const reasons: ReadonlyMap<unknown, string> = new Map([
  [14, 'an operator does not fit the type of a value'],
  [28, 'a path goes through a stored value that is neither an object nor a list'],
  [40, 'two operators change the same path, or one of them a part of it'],
  [263, isLimited],
  [10003, isLimited],
]);

const notAccepted = (error: ServerError | StoreError): Failure => notAcceptedByDatabase(error, reasons.get(error.code));

/**
 * MongoDB's BackgroundOperationInProgressForNamespace: the embedded store returns it for searches while it builds their index.
 */
const backgroundOperation = 12587;
/** MongoDB's OutOfDiskSpace, which the embedded store also returns when one of its limits is reached. */
const outOfDiskSpace = 14031;

/** MongoDB's FileStreamFailed, which the embedded store returns when its disk fails while it reads. */
const fileStreamFailed = 39;
/** MongoDB's DataCorruptionDetected: the collection is refused, and the others are served. */
const dataCorruptionDetected = 301;

function fromServer(error: ServerError): unknown {
  // the driver wraps the error of a bulk write that got no answer; only a server's codes are numbers
  if (error instanceof mongo.MongoBulkWriteError && typeof error.code !== 'number') return unavailable(error);
  if (error.code === 11000) return notUnique(uniquePaths(error), takenKeyOf(error));
  if (languageCodes.has(error.code)) return languageRefused(error);
  if (error.code === outOfDiskSpace) return outOfStorage(fullnessOf(error), error);
  if (error.code === dataCorruptionDetected) return dataDamaged(error);
  if (error.code === fileStreamFailed) return unavailable(error);
  if (error.code === backgroundOperation) return searchNotReady(error);
  if (timeCodes.has(error.code)) return tookTooLong(error);
  if (conflictCodes.has(error.code)) return overtaken(error);
  if (goneCodes.has(error.code)) return unavailable(error);
  if (inputCodes.has(error.code)) return notAccepted(error);
  return error.code === 27 ? badRequest('this requires an index that the collection does not have') : error;
}

/** The paths of the unique index, from its pattern or, if the engine does not report it, from the index's name. */
function uniquePaths(error: ServerError): string[] {
  const pattern = patternOf(error);
  if (pattern !== undefined) return Object.keys(pattern);
  const name = /index:? '?(?:\S+\$)?([^\s']+)/i.exec(error.message)?.[1];
  if (name === undefined) return ['a value'];
  return name === '_id_' ? ['_id'] : name.replace(/_-?1$/, '').split(/_-?1_/);
}

/** The reason: the limit of the embedded store that is reached, or the disk. */
function fullnessOf(error: ServerError): string {
  const { what, limit } = (partOf(error, 'errInfo') ?? {}) as { what?: unknown; limit?: unknown };
  return typeof limit === 'number'
    ? `the database is full: its limit is ${limit} ${String(what)}`
    : 'the disk of the database is full or refuses writes';
}

/** The key of a unique index that another document has. It is the cause of a failure, and not for callers. */
export class TakenKey {
  constructor(
    /** By the paths of the index. */
    readonly values: Readonly<Record<string, unknown>>,
    readonly collation: Collation | undefined,
  ) {}
}

type Collation = NonNullable<Parameters<typeof mongo.Collection.prototype.findOne>[1]>['collation'];

/** Undefined for an engine that does not report it. */
function takenKeyOf(error: ServerError): TakenKey | undefined {
  const values = partOf(error, 'keyValue') as TakenKey['values'] | undefined;
  return values && new TakenKey(values, partOf(error, 'collation') as Collation);
}

const patternOf = (error: ServerError): object | undefined => partOf(error, 'keyPattern');

/** A field of an error. For bulk writes it is in the first of their errors. */
function partOf(error: ServerError, name: 'keyPattern' | 'keyValue' | 'collation' | 'errInfo'): object | undefined {
  const part = Reflect.get(error, name) as object | undefined;
  if (part !== undefined || !(error instanceof mongo.MongoBulkWriteError)) return part;
  const [first] = [error.writeErrors].flat();
  return first === undefined ? undefined : (Reflect.get(first.err, name) as object | undefined);
}
