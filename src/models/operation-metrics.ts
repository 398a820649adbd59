/**
 * Measures the operations of a connection where they call the driver. The driver's events of commands have the durations too, but copy each
 * command and decode each answer once more, which is a tenth of a read.
 */
import type { mongo } from 'mongoose';
import type { Metrics } from '../metrics/metrics.ts';
import { databaseSystem, errorTypeOf } from './database-words.ts';
import type { Connection } from './mongoose.ts';

/** The commands of a collection's methods. Methods that are not here call one of these, or open a cursor. */
const collectionCommands = {
  insertOne: 'insert',
  // inserts, updates and deletions in one call; `insertMany` calls it
  bulkWrite: 'bulkWrite',
  updateOne: 'update',
  updateMany: 'update',
  replaceOne: 'update',
  deleteOne: 'delete',
  deleteMany: 'delete',
  findOneAndUpdate: 'findAndModify',
  findOneAndReplace: 'findAndModify',
  findOneAndDelete: 'findAndModify',
  estimatedDocumentCount: 'count',
  count: 'count',
  distinct: 'distinct',
  createIndex: 'createIndexes',
  createIndexes: 'createIndexes',
  dropIndex: 'dropIndexes',
  dropIndexes: 'dropIndexes',
  drop: 'drop',
} as const satisfies Partial<Record<keyof mongo.Collection, string>>;

/** The commands of the methods that open a cursor. */
const cursorCommands = { find: 'find', aggregate: 'aggregate', listIndexes: 'listIndexes' } as const satisfies Partial<
  Record<keyof mongo.Collection, string>
>;

const sessionCommands = {
  commitTransaction: 'commitTransaction',
  abortTransaction: 'abortTransaction',
} as const satisfies Partial<Record<keyof mongo.ClientSession, string>>;

/** The methods of cursors that ask the database for rows when there are none left; all others that read rows call one of these. */
const readingMethods = ['next', 'hasNext', 'tryNext'] as const satisfies readonly (keyof mongo.FindCursor)[];

/** What a method is called with, and the call itself. */
type Around = (call: () => unknown, given: readonly unknown[]) => unknown;

/** The connection is open. Each model keeps its collection, so all of them are compiled later. */
export function measureOperations(connection: Connection, metrics: Metrics): void {
  const { db } = connection;
  if (db === undefined) throw new Error('the connection is not open');
  const timed = timedBy(metrics);
  replace(db, 'collection', (call) => measuredCollection(call() as mongo.Collection, timed));
  // the name of a command is its first key (MongoDB's manual, "Database Commands")
  replace(db, 'command', (call, [command]) => timed(Object.keys(command as mongo.Document)[0] ?? '', call));
  replace(connection, 'startSession', async (call) => {
    const session = (await call()) as mongo.ClientSession;
    replaceAll(session, sessionCommands, timed);
    return session;
  });
}

/** Runs an operation and observes how long it takes and how it ends. */
type Timed = (command: string, operation: () => unknown) => Promise<unknown>;

const timedBy =
  (metrics: Metrics): Timed =>
  (command, operation) => {
    const begun = performance.now();
    const end = (error: string): void => {
      const seconds = (performance.now() - begun) / 1000;
      metrics.observe('db_client_operation_duration_seconds', [databaseSystem, command, error], seconds);
    };
    const result = operation() as Promise<unknown>;
    result.then(
      () => end(''),
      (error: unknown) => end(errorTypeOf(error)),
    );
    return result;
  };

function measuredCollection(collection: mongo.Collection, timed: Timed): mongo.Collection {
  replaceAll(collection, collectionCommands, timed);
  for (const [method, command] of Object.entries(cursorCommands))
    replace(collection, method, (call) => measuredCursor(call() as mongo.FindCursor, command, timed));
  return collection;
}

/** A call that takes a row which is there already is no operation. */
function measuredCursor(cursor: mongo.FindCursor, command: string, timed: Timed): mongo.FindCursor {
  for (const method of readingMethods)
    replace(cursor, method, (call) => {
      if (cursor.bufferedCount() > 0 || cursor.closed || cursor.id?.isZero() === true) return call();
      return timed(cursor.id === undefined ? command : 'getMore', call);
    });
  return cursor;
}

function replaceAll(target: object, commands: Readonly<Record<string, string>>, timed: Timed): void {
  for (const [method, command] of Object.entries(commands)) replace(target, method, (call) => timed(command, call));
}

function replace(target: object, method: string, around: Around): void {
  const original: unknown = Reflect.get(target, method);
  if (typeof original !== 'function') throw new TypeError(`the driver has no method ${method}`);
  Reflect.set(target, method, (...given: unknown[]) =>
    around(() => Reflect.apply(original, target, given) as unknown, given),
  );
}
