/**
 * The rows of the outbox. Each entry is claimed by an atomic update, by the time over all servers; its claim is renewed while it runs. What
 * a process writes of an entry names its claim, so that one that has lost it writes nothing.
 */
import { randomUUID } from 'node:crypto';
import { gatherer } from '../async/gathered.ts';
import { isTaken } from '../models/database-errors.ts';
import { type Collection, internalCollection, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { SharedClock } from '../shared/contract.ts';
import type { ClaimedEntry, Entry, RunOutcome } from './contract.ts';
import { LaneOrder } from './lane-order.ts';
import type { Room } from './places.ts';

/** Milliseconds after which the claim of a process that has ended is free. */
export const claimMs = 15_000;

/** Milliseconds after which the first entry of a lane is claimed again that another claim has hindered. */
const againMs = 100;

/** Milliseconds for which an entry is kept that has been claimed too early, while another one with its key waits. */
const keepBlockedMs = 86_400_000;

/** Ends that are written by one command, and milliseconds for which one waits for others while a command is under way. */
const maxEnds = 100;
const endWaitMs = 50;

/** Why an entry ends that has to wait again, while another one with its key waits. */
const replaced = 'a later one with its key waits';

/** How a run has ended permanently. */
interface Ending {
  readonly claimed: ClaimedEntry;
  readonly outcome: Exclude<RunOutcome, { readonly status: 'waiting' }>;
  readonly expires: Date;
}

/** Which entries of a kind a process may claim. */
export interface ClaimQuery extends Pick<Room, 'withoutGroups' | 'withoutIds'> {
  readonly kind: string;
}

export type Rows = Collection;

export class ClaimRows {
  readonly #rows: Rows;
  readonly #lanes: LaneOrder;
  readonly #end = gatherer<ClaimRows, Ending, void>(
    { max: maxEnds, maxWaitMs: () => endWaitMs },
    async (rows, endings) => {
      await rows.#endAll(endings);
      return endings.map(() => () => Promise.resolve());
    },
  );

  /** @param process the name of this process among those of the database */
  constructor(
    registry: Registry,
    private readonly clock: SharedClock,
    private readonly process: string | undefined,
  ) {
    this.#rows = internalCollection(registry, '_outbox');
    this.#lanes = new LaneOrder(registry, clock);
  }

  /** Frees the claims of processes that have ended. */
  async freeEnded(ended: readonly string[] | 'all'): Promise<void> {
    if (ended.length === 0) return;
    const ofEnded = ended === 'all' ? {} : { process: { $in: ended } };
    const due = new Date(await this.clock.now());
    await this.#rows.updateMany({ status: 'running', ...ofEnded }, { $set: { status: 'waiting', due } });
  }

  /**
   * Claims the entries that are due first, as many as there is room for, by four commands.
   * @returns `isMore`: whether others may be due
   */
  async claim(
    kind: string,
    room: Room,
  ): Promise<{ readonly claimed: readonly ClaimedEntry[]; readonly isMore: boolean }> {
    const now = await this.clock.now();
    const due = { $gt: new Date(0), $lte: new Date(now) };
    const found = (await this.#rows
      .find({ ...filterOf({ kind, ...room }), due })
      .sort({ due: 1 })
      .limit(room.max)
      .project({ group: 1, lane: 1, seq: 1 })
      .toArray()) as Row[];
    const { chosen, later } = chosenOf(found, room);
    if (chosen.length === 0) return { claimed: [], isMore: false };
    const ids = { $in: chosen.map(({ _id }) => _id) };
    const claim = randomUUID();
    const until = now + claimMs;
    await this.#rows.updateMany({ _id: ids, due } as Row, {
      $set: { status: 'running', claim, process: this.process ?? null, due: new Date(until) },
      $inc: { attempts: 1 },
      // others may wait meanwhile
      $rename: { key: 'held_key' },
    });
    // another process may have taken some of them
    const rows = (await this.#rows.find({ _id: ids, claim } as Row).toArray()) as Row[];
    const all = rows.map((row) => claimedOf(row, claim));
    const blocked = await this.#giveBackBlocked(all, now);
    const claimed = all.filter((one) => !blocked.has(one));
    for (const { entry, seq } of claimed)
      if (entry.lane !== undefined && later.has(entry.lane)) await this.#lanes.postpone(entry.lane, until + 1, seq);
    return { claimed, isMore: found.length === room.max || claimed.length < chosen.length };
  }

  /** When the first entry of a kind is due; undefined where none waits. */
  async nextDue(query: ClaimQuery): Promise<number | undefined> {
    const waiting = { ...filterOf(query), due: { $gt: new Date(0) } } as Row;
    const row = (await this.#rows.findOne(waiting, { sort: { due: 1 }, projection: { due: 1 } })) as Row | null;
    return (row?.['due'] as Date | undefined)?.getTime();
  }

  /** Ends a run. Ends of concurrent runs are one command. @param expires when an entry that has ended is removed */
  async end(claimed: ClaimedEntry, outcome: RunOutcome, expires: Date): Promise<void> {
    if (outcome.status !== 'waiting') return this.#end(this, { claimed, outcome, expires });
    await this.#wait(claimed, { $set: { ...dataOf(outcome), due: outcome.due } }, expires);
    const { lane } = claimed.entry;
    if (lane !== undefined) await this.#lanes.postpone(lane, outcome.due.getTime());
  }

  /** Gives a claim back: the run has not taken place. @param expires when an entry that may not wait again is removed */
  async giveBack(claimed: ClaimedEntry, expires: Date, due?: number): Promise<void> {
    const at = new Date(due ?? (await this.clock.now()));
    await this.#wait(claimed, { $set: { due: at }, $inc: { attempts: -1 } }, expires);
  }

  /** Lets an entry wait again, unless another one with its key does. */
  async #wait(
    claimed: ClaimedEntry,
    { $set, ...rest }: { $set: Row; $inc?: Record<string, number> },
    expires: Date,
  ): Promise<void> {
    const update = { ...rest, $set: { ...$set, status: 'waiting' }, $unset: { claim: '', process: '' } };
    try {
      await this.#rows.updateOne(ownRow(claimed), { ...update, $rename: { held_key: 'key' } });
    } catch (error) {
      if (!isTaken(error)) throw error;
      await this.#end(this, { claimed, outcome: { status: 'dead', set: { error: replaced } }, expires });
    }
  }

  async #endAll(all: readonly Ending[]): Promise<void> {
    const unset = { claim: '', process: '', due: '', lane: '', seq: '', held_key: '' };
    const writes = all.map(({ claimed, outcome, expires }) => {
      const filter = ownRow(claimed);
      if (outcome.status === 'gone') return { deleteOne: { filter } };
      const values = { ...dataOf(outcome), status: outcome.status, expires };
      return { updateOne: { filter, update: { $set: values, $unset: unset } } };
    });
    await this.#rows.bulkWrite(writes, { ordered: false });
    await this.#lanes.advanceAll(all.map(({ claimed }) => claimed));
  }

  /** Renews claims. @returns those that other processes have taken, or that are gone */
  async renew(all: readonly ClaimedEntry[]): Promise<readonly ClaimedEntry[]> {
    const due = new Date((await this.clock.now()) + claimMs);
    const claims = all.map(({ claim }) => claim);
    const own = { _id: { $in: all.map(({ entry }) => new ObjectId(entry.id)) }, claim: { $in: claims } } as Row;
    const { matchedCount } = await this.#rows.updateMany(own, { $set: { due } });
    if (matchedCount === all.length) return [];
    const left = (await this.#rows.find(own).project({ claim: 1 }).toArray()) as Row[];
    const kept = new Set(left.map(({ claim }) => claim));
    return all.filter(({ claim }) => !kept.has(claim));
  }

  /** Gives claims back that are not the first of their lanes. @returns these */
  async #giveBackBlocked(all: readonly ClaimedEntry[], now: number): Promise<ReadonlySet<ClaimedEntry>> {
    const blocked = await this.#lanes.blockedAmong(all, now);
    for (const { claimed, by } of blocked) {
      const [expires, { lane, seq }] = [new Date(now + keepBlockedMs), by];
      // a later one has been claimed at the same moment, and is given back
      if (seq > claimed.seq) await this.giveBack(claimed, expires, now + againMs);
      else {
        const due = Math.max(by.due.getTime(), now) + 1;
        await this.giveBack(claimed, expires, due);
        await this.#lanes.postpone(lane, due, seq);
        // the other one may have ended before the claim was given back, and has advanced another entry then
        if (!(await this.#lanes.isThere(by))) await this.#lanes.advance(lane);
      }
    }
    return new Set(blocked.map(({ claimed }) => claimed));
  }
}

const ownRow = ({ entry, claim }: ClaimedEntry): Row => ({ _id: new ObjectId(entry.id), claim });

/** The changes of an entry's data by the end of a run. */
const dataOf = ({ set = {} }: { readonly set?: Readonly<Row> }): Row =>
  Object.fromEntries(Object.entries(set).map(([name, value]) => [`data.${name}`, value]));

const claimedOf = (row: Row, claim: string): ClaimedEntry => ({
  entry: entryOf(row),
  claim,
  seq: Number(row['seq'] ?? 0),
});

/**
 * The entries for which there is room: of each lane the first.
 * @returns `later`: the lanes of which others are due, too
 */
function chosenOf(
  found: readonly Row[],
  room: Room,
): { readonly chosen: readonly Row[]; readonly later: ReadonlySet<string> } {
  const first = new Map<unknown, Row>();
  const later = new Set<string>();
  for (const row of found) {
    const lane = row['lane'] as string | undefined;
    const other = lane === undefined ? undefined : first.get(lane);
    if (lane !== undefined && other !== undefined) later.add(lane);
    if (other === undefined || Number(row['seq']) < Number(other['seq'])) first.set(lane ?? row, row);
  }
  return { chosen: [...first.values()].filter((row) => room.take(String(row['group']))), later };
}

const filterOf = ({ kind, withoutGroups, withoutIds }: ClaimQuery): Row => ({
  kind,
  ...(withoutGroups.length === 0 ? {} : { group: { $nin: withoutGroups } }),
  ...(withoutIds.length === 0 ? {} : { _id: { $nin: withoutIds.map((id) => new ObjectId(id)) } }),
});

/** An entry from its row. */
export function entryOf(row: Row): Entry {
  const { _id, kind, group, lane, status, attempts, at, due, data } = row as Row & Omit<Entry, 'id'>;
  return {
    id: String(_id),
    ...{ kind, group, status, attempts, at, data },
    ...(lane === undefined ? {} : { lane }),
    ...(due === undefined ? {} : { due }),
  };
}
