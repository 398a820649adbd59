/** Reads whole documents that concurrent requests want by one command: most of a read of one document is the driver's work for its command. */
import { gathered, type Some } from '../async/gathered.ts';
import type { ModelEntry } from '../models/entry.ts';
import { type Connection, ObjectId } from '../models/mongoose.ts';
import { findElement, nameEnd } from './bytes/layout.ts';
import type { Place } from './in-session.ts';
import { readAtOnce } from './one-message.ts';
import type { RowsPlan } from './plan-types.ts';

interface Wanted {
  readonly id: ObjectId;
  readonly connection: Connection;
  readonly maxTimeMS: number;
}

/** Maximum documents of one command. */
const maxRows = 32;

/** A command of several requests does not end with one of them. */
const { signal } = new AbortController();

const readTogether = gathered(maxRows, async (model: ModelEntry, wanted: Some<Wanted>) => {
  const { rows, isWhole } = await find(model, wanted);
  return wanted.map((one) => async (): Promise<Buffer | undefined> => {
    const row = rows.get(keyOf(one.id));
    // what one message has no room for is read alone
    return row !== undefined || isWhole ? row : (await find(model, [one])).rows.get(keyOf(one.id));
  });
});

/** @returns the rows that exist by the keys of their ids, and whether these are all */
async function find(
  model: ModelEntry,
  wanted: Some<Wanted>,
): Promise<{ readonly rows: ReadonlyMap<string, Buffer>; readonly isWhole: boolean }> {
  const [{ id, connection, maxTimeMS }] = wanted;
  const ids = new Map(wanted.map((one) => [keyOf(one.id), one.id]));
  const command = {
    find: model.collection,
    filter: { _id: ids.size === 1 ? id : { $in: [...ids.values()] } },
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

/** The parts of a plan that decide its command. */
type Shown = Pick<RowsPlan, 'model' | 'filter' | 'projection' | 'maxTimeMS'>;

/** The id of a plan of one whole document without other conditions, outside of a transaction; undefined for other plans. */
function soleId({ filter, projection }: Shown, { session, from }: Place): ObjectId | undefined {
  const { _id: id, ...others } = filter;
  const isSole = projection === undefined && session === undefined && from === undefined && isEmpty(others);
  return isSole && id instanceof ObjectId ? id : undefined;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/**
 * Reads the document of a plan with others that are wanted in the same turn of the event loop.
 * @returns undefined for a plan that has its own command; otherwise its rows
 */
export function rowsTogether(plan: Shown, source: Place & Pick<Wanted, 'connection'>): Promise<Buffer[]> | undefined {
  const id = soleId(plan, source);
  if (id === undefined) return undefined;
  const { model, maxTimeMS } = plan;
  return readTogether(model, { id, connection: source.connection, maxTimeMS }).then((row) =>
    row === undefined ? [] : [row],
  );
}
