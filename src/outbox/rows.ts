/**
 * The rows of the outbox. An entry is claimed by one atomic update, by the time over all servers; its claim is renewed while it runs. What
 * a process writes of an entry names its claim, so that one that has lost it writes nothing.
 */
import { randomUUID } from 'node:crypto';
import { isTaken } from '../models/database-errors.ts';
import { type Collection, internalCollection, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { SharedClock } from '../shared/contract.ts';
import type { Entry, RunOutcome } from './contract.ts';

/** Milliseconds after which the claim of a process that has ended is free. */
export const claimMs = 15_000;

/** Milliseconds after which the first entry of a lane is claimed again that another claim has hindered. */
const againMs = 100;

/** Why an entry ends that has to wait again, while another one with its key waits. */
const replaced = 'a later one with its key waits';

/** An entry that a process runs. */
export interface Claimed {
  readonly entry: Entry;
  readonly claim: string;
}

/** Entries of a kind that a process may claim. */
export interface ClaimQuery {
  readonly kind: string;
  readonly withoutGroups: readonly string[];
  readonly withoutIds: readonly string[];
}

export type Rows = Collection;

export class ClaimRows {
  readonly #rows: Rows;

  /** @param process the name of this process among those of the database */
  constructor(
    registry: Registry,
    private readonly clock: SharedClock,
    private readonly process: string | undefined,
  ) {
    this.#rows = internalCollection(registry, '_outbox');
  }

  /** Frees the claims of processes that have ended. */
  async freeEnded(ended: readonly string[] | 'all'): Promise<void> {
    if (ended.length === 0) return;
    const ofEnded = ended === 'all' ? {} : { process: { $in: ended } };
    const due = new Date(await this.clock.now());
    await this.#rows.updateMany({ status: 'running', ...ofEnded }, { $set: { status: 'waiting', due } });
  }

  /**
   * Claims the entry that is due first.
   * @returns 'blocked' for one that has to wait for another of its lane; undefined where none is due
   */
  async claim(query: ClaimQuery): Promise<Claimed | 'blocked' | undefined> {
    const now = await this.clock.now();
    const claim = randomUUID();
    const row = (await this.#rows.findOneAndUpdate(
      { ...filterOf(query), due: { $gt: new Date(0), $lte: new Date(now) } },
      {
        $set: { status: 'running', claim, process: this.process ?? null, due: new Date(now + claimMs) },
        $inc: { attempts: 1 },
        // others may wait meanwhile
        $rename: { key: 'held_key' },
      },
      { sort: { due: 1 }, returnDocument: 'after' },
    )) as Row | null;
    if (row === null) return undefined;
    const claimed = { entry: entryOf(row), claim };
    return (await this.#isFirst(row, claimed, now)) ? claimed : 'blocked';
  }

  /** When the first entry of a kind is due; undefined where none waits. */
  async nextDue(query: ClaimQuery): Promise<number | undefined> {
    const waiting = { ...filterOf(query), due: { $gt: new Date(0) } } as Row;
    const row = (await this.#rows.findOne(waiting, { sort: { due: 1 }, projection: { due: 1 } })) as Row | null;
    return (row?.['due'] as Date | undefined)?.getTime();
  }

  /** Ends a run. @param expires when an entry that has ended is removed */
  async end({ entry, claim }: Claimed, outcome: RunOutcome, expires: Date): Promise<void> {
    const own = { _id: new ObjectId(entry.id), claim } as Row;
    if (outcome.status === 'gone') {
      await this.#rows.deleteOne(own);
      if (entry.lane !== undefined) await this.#advance(entry.lane);
      return;
    }
    const { status, set = {} } = outcome;
    const values = Object.fromEntries(Object.entries(set).map(([name, value]) => [`data.${name}`, value]));
    if (outcome.status === 'waiting') {
      const waits = { $set: { ...values, status, due: outcome.due }, $unset: { claim: '', process: '' } };
      try {
        await this.#rows.updateOne(own, { ...waits, $rename: { held_key: 'key' } });
      } catch (error) {
        if (!isTaken(error)) throw error;
        return this.end({ entry, claim }, { status: 'dead', set: { error: replaced } }, expires);
      }
      if (entry.lane !== undefined) await this.#postpone(entry.lane, outcome.due.getTime());
      return;
    }
    const ended = { claim: '', process: '', due: '', lane: '', seq: '', held_key: '' };
    const { matchedCount } = await this.#rows.updateOne(own, { $set: { ...values, status, expires }, $unset: ended });
    if (entry.lane !== undefined && matchedCount > 0) await this.#advance(entry.lane);
  }

  /** Gives a claim back: the run has not taken place. */
  async giveBack({ entry, claim }: Claimed, due?: number): Promise<void> {
    const at = new Date(due ?? (await this.clock.now()));
    await this.#rows.updateOne(
      { _id: new ObjectId(entry.id), claim },
      {
        $set: { status: 'waiting', due: at },
        $inc: { attempts: -1 },
        $unset: { claim: '', process: '' },
      },
    );
  }

  /** Renews claims. @returns those that other processes have taken, or that are gone */
  async renew(all: readonly Claimed[]): Promise<readonly Claimed[]> {
    const due = new Date((await this.clock.now()) + claimMs);
    const claims = all.map(({ claim }) => claim);
    const own = { _id: { $in: all.map(({ entry }) => new ObjectId(entry.id)) }, claim: { $in: claims } } as Row;
    const { matchedCount } = await this.#rows.updateMany(own, { $set: { due } });
    if (matchedCount === all.length) return [];
    const left = (await this.#rows.find(own).project({ claim: 1 }).toArray()) as Row[];
    const kept = new Set(left.map(({ claim }) => claim));
    return all.filter(({ claim }) => !kept.has(claim));
  }

  /** Gives a claim back that is not the first of its lane. Of two claims at the same moment, at least one finds the other. */
  async #isFirst(row: Row, claimed: Claimed, now: number): Promise<boolean> {
    const { lane } = claimed.entry;
    if (lane === undefined) return true;
    const running = { status: 'running', due: { $gt: new Date(now) } };
    const others = { lane, _id: { $ne: row['_id'] }, $or: [{ seq: { $lt: row['seq'] } }, running] } as Row;
    const found = (await this.#rows.findOne(others, {
      sort: { seq: 1 },
      projection: { due: 1, seq: 1 },
    })) as Row | null;
    if (found === null) return true;
    // a later one has been claimed at the same moment, and is given back
    if (Number(found['seq']) > Number(row['seq'])) {
      await this.giveBack(claimed, now + againMs);
      return false;
    }
    const due = Math.max((found['due'] as Date).getTime(), now) + 1;
    await this.giveBack(claimed, due);
    await this.#postpone(lane, due, Number(found['seq']));
    // the other one may have ended before the claim was given back, and has advanced another entry then
    if ((await this.#rows.findOne({ _id: found['_id'], lane } as Row)) === null) await this.#advance(lane);
    return false;
  }

  /** Entries that wait for the first of their lane are not claimed before it. */
  async #postpone(lane: string, due: number, first = 0): Promise<void> {
    const later = { lane, seq: { $gt: first }, status: 'waiting', due: { $lt: new Date(due) } } as Row;
    await this.#rows.updateMany(later, { $set: { due: new Date(due) } });
  }

  /** The next of a lane is due when the first has ended. Its process may end before this: then it is due when the claim would have ended. */
  async #advance(lane: string): Promise<void> {
    const due = new Date(await this.clock.now());
    const next = { lane, status: 'waiting', due: { $gt: due } } as Row;
    await this.#rows.findOneAndUpdate(next, { $set: { due } }, { sort: { seq: 1 } });
  }
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
