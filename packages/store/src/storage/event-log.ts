/** The change events in the data file: numbered without gaps, in the order of the writes. */
import { crc32 } from 'node:zlib';
import type Database from 'libsql';
import { DamagedFile, faultOf } from './faults.ts';
import type { EventLog, PutEvent } from './storage.ts';

/** The table of the events. `total` counts the bytes of all events up to this one, so that a size is a difference. */
export const eventsTable =
  'CREATE TABLE events (sequence INTEGER PRIMARY KEY, total INTEGER NOT NULL, checksum INTEGER NOT NULL, bson BLOB NOT NULL)';

/** Every value is cast: in a damaged file it can have any type. */
const select =
  'SELECT CAST(sequence AS INTEGER), CAST(total AS INTEGER), CAST(checksum AS INTEGER), CAST(bson AS BLOB) FROM events';

type Row = readonly [sequence: number, total: number, checksum: number, bson: Uint8Array];

/** Number of events that are removed at once, because each removal writes pages of the file. */
const minRemoved = 256;

const sumOf = (sequence: number, total: number, bytes: Uint8Array): number =>
  crc32(bytes, crc32(`${sequence}.${total}`));

function prepare(database: Database.Database) {
  return {
    put: database.prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)'),
    first: database.prepare('SELECT CAST(min(sequence) AS INTEGER) FROM events').raw(),
    last: database.prepare('SELECT CAST(max(sequence) AS INTEGER) FROM events').raw(),
    one: database.prepare(`${select} WHERE sequence = ?`).raw(),
    some: database.prepare(`${select} WHERE sequence >= ? AND sequence < ? AND total <= ? ORDER BY sequence`).raw(),
    remove: database.prepare('DELETE FROM events WHERE sequence < ?'),
  };
}

/** The events of an open data file. */
export class SqliteEventLog implements EventLog {
  readonly #path: string;
  readonly #transact: (write: () => void) => void;
  readonly #run: ReturnType<typeof prepare>;

  /** @param transact runs a write in a transaction of its own */
  constructor(database: Database.Database, path: string, transact: (write: () => void) => void) {
    this.#path = path;
    this.#transact = transact;
    this.#run = prepare(database);
  }

  get first(): number | undefined {
    return this.#reading(() => numberIn(this.#run.first.get()));
  }

  get last(): PutEvent | undefined {
    return this.#reading(() => {
      const last = numberIn(this.#run.last.get());
      return last === undefined ? undefined : this.#one(last);
    });
  }

  /** Converts errors of SQLite. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw faultOf(this.#path, error);
    }
  }

  read(from: number, before: number, maxBytes: number): readonly PutEvent[] {
    return this.#reading(() => this.#range(from, before, maxBytes));
  }

  #range(from: number, before: number, maxBytes: number): readonly PutEvent[] {
    const first = this.#one(from);
    const maxTotal = first.total - first.bytes.length + maxBytes;
    const rows = this.#run.some.all([from + 1, before, maxTotal]) as unknown as readonly Row[];
    const events = [first];
    for (const row of rows) {
      // a damaged total can hide a row; the next read begins with it
      if (row[0] !== from + events.length) break;
      events.push(this.#checked(row));
    }
    return events;
  }

  /** An event by its number. @throws DamagedFile if it is missing */
  #one(sequence: number): PutEvent {
    const row: unknown = this.#run.one.get([sequence]);
    if (!Array.isArray(row)) throw new DamagedFile(this.#path, `its change event ${sequence} is missing`);
    return this.#checked(row as unknown as Row);
  }

  #checked([sequence, total, checksum, bson]: Row): PutEvent {
    if (sumOf(sequence, total, bson) !== checksum)
      throw new DamagedFile(this.#path, `its change event ${sequence} has changed since it was written`);
    return { sequence, total, bytes: bson };
  }

  /** Adds events in the open transaction, and removes some of those before `oldest`. */
  write(events: readonly PutEvent[], oldest: number): void {
    for (const { sequence, total, bytes } of events)
      this.#run.put.run([sequence, total, sumOf(sequence, total, bytes), bytes]);
    this.#remove(oldest, 2 * (minRemoved + events.length));
  }

  /** Removes up to a number of the events before `oldest`; returns whether more are left. */
  #remove(oldest: number, maxRemoved: number): boolean {
    const first = this.first ?? oldest;
    if (oldest - first < minRemoved) return false;
    this.#run.remove.run([Math.min(oldest, first + maxRemoved)]);
    return oldest - first >= maxRemoved + minRemoved;
  }

  prune(oldest: number): boolean {
    if (oldest - (this.first ?? oldest) < minRemoved) return false;
    let isMore = false;
    this.#transact(() => {
      isMore = this.#remove(oldest, 2 * minRemoved);
    });
    return isMore;
  }
}

const numberIn = (row: unknown): number | undefined => {
  const value: unknown = Array.isArray(row) ? row[0] : undefined;
  return typeof value === 'number' ? value : undefined;
};
