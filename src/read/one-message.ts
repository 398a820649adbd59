/** Commands whose rows come in one message, without a cursor of the driver, which costs as much as a small read. */
import { goneCodes } from '../models/database-errors.ts';
import { type Connection, mongo } from '../models/mongoose.ts';
import { bson, byteAt, findElement, nameEnd, valueEnd } from './bytes/layout.ts';
import { type Place, placeOptions } from './in-session.ts';

/** What one message has of the rows. */
interface Batch {
  readonly rows: Buffer[];
  /** Whether there are no further rows. */
  readonly isWhole: boolean;
}

/**
 * Runs a command that opens a cursor, and closes the cursor where rows are left. It is repeated once after a broken connection.
 * @param signal ends the command; undefined for one that ends sooner than it could be stopped
 */
export async function readAtOnce(
  source: Place & { readonly connection: Connection; readonly signal: AbortSignal },
  collection: string,
  command: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<Batch> {
  const { connection, session } = source;
  const place = session === undefined && source.from === undefined ? undefined : placeOptions(source);
  const options = signal === undefined ? { raw: true, ...place } : { raw: true, signal, ...place };
  const run = (): Promise<unknown> | undefined => connection.db?.command(command, options);
  const reply = (await run()?.catch((error: unknown) => {
    // the driver does not retry a command sent this way; a transaction begins again as a whole
    if (isPassing(error) && session === undefined && !source.signal.aborted) return run();
    throw error;
  })) as { readonly cursor: Buffer } | undefined;
  if (reply === undefined) throw new mongo.MongoNotConnectedError('there is no database connection');
  const open = openCursor(reply.cursor);
  const close = { killCursors: collection, cursors: [open] };
  // the database closes a cursor that could not be closed, or is that of another member, when it times out
  if (open !== 0n) void connection.db?.command(close, source.from && place).catch(() => undefined);
  return { rows: batchOf(reply.cursor), isWhole: open === 0n };
}

/** Errors after which a read may be retried once: the connection broke, or the primary has changed. */
const isPassing = (error: unknown): boolean =>
  error instanceof mongo.MongoNetworkError ||
  (error instanceof mongo.MongoServerError && (goneCodes.has(error.code) || error.code === notCommittedYet)) ||
  (error instanceof mongo.MongoError && error.hasErrorLabel('RetryableError'));

/** MongoDB's ReadConcernMajorityNotAvailableYet: a new primary has no committed state yet. */
const notCommittedYet = 134;

const idName = Buffer.from('id');
const batchName = Buffer.from('firstBatch');

/** The documents of a reply's first batch, without copying. */
function batchOf(cursor: Buffer): Buffer[] {
  const batch = valueOf(cursor, batchName);
  const found: Buffer[] = [];
  for (let next = batch + 4; byteAt(cursor, next) !== 0;) {
    const from = nameEnd(cursor, next + 1) + 1;
    next = valueEnd(cursor, bson.document, from);
    found.push(cursor.subarray(from, next));
  }
  return found;
}

/** The id of the cursor for further rows; 0 if there are none. */
const openCursor = (cursor: Buffer): bigint => cursor.readBigInt64LE(valueOf(cursor, idName));

function valueOf(document: Buffer, name: Buffer): number {
  const element = findElement(document, 0, name);
  if (element === -1) throw new Error(`the database's reply has no ${name.toString()}`);
  return nameEnd(document, element + 1) + 1;
}
