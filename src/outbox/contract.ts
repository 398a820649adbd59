/**
 * The outbox: work that a write asks for and that is done after its commit, such as a delivery or a job. Its entries are written with
 * the write, and one loop in each process runs them. Any folder may import it.
 */
import type { ClientSession } from 'mongoose';
import type { CounterName } from '../metrics/metrics.ts';
import type { Row } from '../models/mongoose.ts';
import type { Recorder } from '../write/contract.ts';

/** What is written with a write. */
export interface NewEntry {
  /** The name of its kind, such as `webhook` or `job`. */
  readonly kind: string;
  /** What it belongs to within its kind, such as a webhook or a function. Lists can be of a group. */
  readonly group: string;
  /** Entries of one lane run in the order of their commits, one at a time. */
  readonly lane?: string;
  /**
   * An entry is not added while one with this key waits, also after a try. One that has to wait again while a later one does is dead. A key
   * names its kind, since keys of all kinds are one space.
   */
  readonly key?: string;
  /** When it may run; at once by default. */
  readonly due?: Date;
  readonly data: Readonly<Row>;
}

export type EntryStatus = 'waiting' | 'running' | 'ok' | 'dead';

/** An entry as it is stored. */
export interface Entry extends Omit<NewEntry, 'key'> {
  /** The hexadecimal digits of its ObjectId: later entries have greater ids. */
  readonly id: string;
  readonly status: EntryStatus;
  /** The runs that have begun, this one included; 0 before the first. */
  readonly attempts: number;
  /** When it was written. */
  readonly at: Date;
  /** When it may run next; undefined for one that has ended. */
  readonly due?: Date;
}

/** An entry that a process runs. */
export interface ClaimedEntry {
  readonly entry: Entry;
  readonly claim: string;
  /** Its number in its lane; 0 without one. */
  readonly seq: number;
}

/** The entries of a run that is no unit of work. They are written when it succeeds, or with the first unit that takes them. */
export interface PendingEntries {
  /** Adds an entry; after the end of a successful run, it is written at once. @throws TypeError after a failed one, 503 */
  add(entry: NewEntry): Promise<void>;
  /** Ends the run without its entries. */
  drop(): void;
}

/** How a run ends. `set` replaces values of the entry's `data`, by their names; `gone` removes the entry. */
export type RunOutcome =
  | { readonly status: 'gone' }
  | { readonly status: 'ok' | 'dead'; readonly set?: Readonly<Row> }
  | { readonly status: 'waiting'; readonly due: Date; readonly set?: Readonly<Row> };

/** Entries that one feature runs. */
export interface OutboxKind {
  readonly kind: string;
  /** How many entries of the kind a process runs at a time, and how many of one group; all by default. */
  readonly concurrency: number;
  readonly groupConcurrency?: number;
  /**
   * Milliseconds after which a run gives its place to another group, because it waits for others rather than works; never by default.
   * Groups that fail have one place each, in any kind (`places.ts`).
   */
  readonly slowAfterMs?: number;
  /** Milliseconds for which an entry is kept after its end. */
  readonly keepMs: number;
  /** The name of the function that a run calls, for its span. */
  readonly functionOf?: (entry: Entry) => string;
  /** Counts the runs that end, by the status of the entry then: one that waits has failed, and runs again. */
  readonly counter?: CounterName;
  /**
   * Runs an entry, at least once: an entry whose process ends runs again. An error that it throws is logged, and the entry runs again later; one
   * that the database causes for all, such as a full disk, is no attempt.
   * @param signal aborted when the server stops, or another process may take the entry over; an entry whose run throws then waits again
   */
  run(entry: Entry, signal: AbortSignal): Promise<RunOutcome>;
}

/** Which entries a list has: newest first. */
export interface EntryQuery {
  readonly kind: string;
  readonly group?: string | undefined;
  readonly statuses?: readonly EntryStatus[] | undefined;
  /** Only entries before the one with this id. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export type EntryCounts = ReadonlyMap<string, ReadonlyMap<EntryStatus, number>>;

/** Which entries are repeated. */
export interface RepeatQuery {
  readonly kind: string;
  readonly group?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** When they were written, both included. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly statuses?: readonly EntryStatus[] | undefined;
}

/**
 * What writes entries, and manages them. As a recorder, it writes entries of a unit of work that no mutation causes: `record(unit,
 * outbox, entry)`. A recorder of a feature calls `write` in its own, and `committed` in its own.
 */
export interface Outbox extends Recorder<NewEntry> {
  /** Writes entries in a unit of work; without transactions it has no session. @throws the driver's errors, unchanged */
  write(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void>;
  /** Writes entries, and wakes the loop. @returns their ids, but for those with a key @throws 503 without the database */
  add(entries: readonly NewEntry[]): Promise<readonly string[]>;
  /** Wakes the loop of this process, after a commit. */
  committed(): void;
  /** @throws 503 without the database, as the methods below */
  list(query: EntryQuery): Promise<readonly Entry[]>;
  find(kind: string, id: string): Promise<Entry | undefined>;
  /** How many entries of each status groups of a kind have. @returns counts by status, by group; groups without entries are left out */
  counts(kind: string, groups: readonly string[], statuses: readonly EntryStatus[]): Promise<EntryCounts>;
  /** Removes an entry that waits. @param session of the unit of work that does it @returns false where none does */
  removeWaiting(kind: string, id: string, session?: ClientSession): Promise<boolean>;
  /** Removes all entries of a group; runs that have begun end without a result. */
  removeGroup(kind: string, group: string): Promise<void>;
  /**
   * Runs an entry without a lane again, or at once if it waits. The loop finds it, or is woken by `committed`.
   * @param session of the unit of work that does it @returns false for one that runs or is gone
   */
  repeatOne(kind: string, id: string, session?: ClientSession): Promise<boolean>;
  /**
   * Runs entries again, each as a new one at the end of its lane, and those that wait at once.
   * @param laneOf the lane of an entry that has ended
   * @returns how many; running ones are not among them
   */
  repeat(query: RepeatQuery, laneOf?: (entry: Entry) => string | undefined): Promise<number>;
}
