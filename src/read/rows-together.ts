/** Reads documents that concurrent requests want by one command: most of a read of one document is the driver's work for its command. */
import { gatherer, type Some } from '../async/gathered.ts';
import { type Connection, mongo, ObjectId } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import { findElement, nameEnd } from './bytes/layout.ts';
import type { Place } from './in-session.ts';
import { readAtOnce } from './one-message.ts';
import type { RowsPlan } from './plan-types.ts';

/** The parts of a plan that decide its command. */
type Shown = Pick<RowsPlan, 'model' | 'filter' | 'projection' | 'maxTimeMS'>;

interface Wanted {
  readonly plan: Shown;
  readonly id: ObjectId;
  readonly connection: Connection;
}

/** Maximum documents of one command. */
const maxRows = 32;

/** A command of several requests does not end with one of them. */
const { signal } = new AbortController();

const readTogether = gatherer({ max: maxRows }, async (_key: object, wanted: Some<Wanted>) => {
  const { rows, isWhole } = await findEach(wanted);
  return wanted.map((one) => async (): Promise<Buffer | undefined> => {
    const row = rows.get(keyOf(one.id));
    // what one message has no room for is read alone
    return row !== undefined || isWhole ? row : (await find([one])).rows.get(keyOf(one.id));
  });
});

/** The rows that exist, by the keys of their ids. */
interface Found {
  readonly rows: ReadonlyMap<string, Buffer>;
  /** Whether the others do not exist. */
  readonly isWhole: boolean;
}

const none: Found = { rows: new Map(), isWhole: false };

/** Finds nothing where the database refuses to read several: a condition may fail on one of the documents. */
async function findEach(wanted: Some<Wanted>): Promise<Found> {
  try {
    return await find(wanted);
  } catch (error) {
    if (wanted.length > 1 && error instanceof mongo.MongoServerError) return none;
    throw error;
  }
}

/** @param wanted by plans whose commands are equal but for the ids */
async function find(wanted: Some<Wanted>): Promise<Found> {
  const [{ plan, id, connection }] = wanted;
  const { model, filter, projection, maxTimeMS } = plan;
  const ids = new Map(wanted.map((one) => [keyOf(one.id), one.id]));
  const command = {
    find: model.collection,
    filter: allOf([{ _id: ids.size === 1 ? id : { $in: [...ids.values()] } }, filter]),
    ...(projection === undefined ? {} : { projection }),
    ...{ limit: ids.size, batchSize: ids.size, maxTimeMS },
  };
  const place = { connection, session: undefined, signal };
  const { rows, isWhole } = await readAtOnce(place, model.collection, command, undefined);
  return { rows: new Map(rows.map((row) => [keyIn(row), row])), isWhole };
}

const idName = Buffer.from('_id');
/** Bytes of an ObjectId (bsonspec.org). */
const idLength = 12;

const keyOf = ({ id }: ObjectId): string => Buffer.from(id).toString('latin1');

/** The key of a document's `_id`. */
function keyIn(row: Buffer): string {
  const value = nameEnd(row, findElement(row, 0, idName) + 1) + 1;
  return row.toString('latin1', value, value + idLength);
}

/** Reads by plans with the same key share commands: those of whole documents without conditions, and those by one plan, which is kept. */
const keyOfPlan = (plan: Shown): object => (plan.projection === undefined && isEmpty(plan.filter) ? plan.model : plan);

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/**
 * Reads a document of a plan with others that are wanted in the same turn of the event loop.
 * @returns undefined for a read that has its own command; otherwise its rows
 */
export function rowsTogether(
  plan: Shown,
  id: unknown,
  { connection, session, from }: Place & Pick<Wanted, 'connection'>,
): Promise<Buffer[]> | undefined {
  const isShared =
    id instanceof ObjectId && session === undefined && from === undefined && plan.projection?.['_id'] !== 0;
  if (!isShared) return undefined;
  return readTogether(keyOfPlan(plan), { plan, id, connection }).then((row) => (row === undefined ? [] : [row]));
}
