/** The order of entries within lanes: one runs at a time, and the others wait for it without being looked at. */
import { type Collection, internalCollection, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { SharedClock } from '../shared/contract.ts';
import type { ClaimedEntry } from './contract.ts';

/** Entries of each lane that one look reads at most, before each lane has a look of its own. */
const readPerLane = 8;

interface LaneRow extends Row {
  readonly _id: ObjectId;
  readonly lane: string;
  readonly seq: number;
  readonly due: Date;
}

/** An entry that is claimed, and another one for which it has to wait. */
interface Blocked {
  readonly claimed: ClaimedEntry;
  readonly by: LaneRow;
}

export class LaneOrder {
  readonly #rows: Collection;
  readonly #lanes: Collection<{ readonly _id: string }>;

  constructor(
    registry: Registry,
    private readonly clock: SharedClock,
  ) {
    this.#rows = internalCollection(registry, '_outbox');
    this.#lanes = internalCollection(registry, '_outbox_lane');
  }

  /**
   * Those that have to wait for another one of their lane: an earlier one, or one that runs. Of two claims of a lane at the same moment, at
   * least one finds the other.
   * @param all at most one of each lane
   */
  async blockedAmong(all: readonly ClaimedEntry[], now: number): Promise<readonly Blocked[]> {
    const own = new Map(
      all.flatMap((claimed) => (claimed.entry.lane === undefined ? [] : [[claimed.entry.lane, claimed]])),
    );
    if (own.size === 0) return [];
    const others = [...own.values()].map((claimed) => othersOf(claimed, now));
    const limit = readPerLane * own.size;
    const fields = { lane: 1, due: 1, seq: 1 };
    let found = (await this.#rows.find({ $or: others }).limit(limit).project(fields).toArray()) as LaneRow[];
    if (found.length === limit) {
      const sort = { seq: 1 } as const;
      const each = others.map((other) => this.#rows.findOne(other, { sort, projection: fields }));
      found = (await Promise.all(each)).filter((row) => row !== null) as LaneRow[];
    }
    const first = new Map<string, LaneRow>();
    for (const row of found) if (row.seq < (first.get(row.lane)?.seq ?? Infinity)) first.set(row.lane, row);
    return [...first].flatMap(([lane, by]) => {
      const claimed = own.get(lane);
      return claimed === undefined ? [] : [{ claimed, by }];
    });
  }

  /** Whether an entry of a lane has not ended. */
  async isThere({ _id, lane }: LaneRow): Promise<boolean> {
    return (await this.#rows.findOne({ _id, lane }, { projection: { _id: 1 } })) !== null;
  }

  /** Entries that wait for the first of their lane are not claimed before it. */
  async postpone(lane: string, due: number, first = 0): Promise<void> {
    const later = { lane, seq: { $gt: first }, status: 'waiting', due: { $lt: new Date(due) } } as Row;
    await this.#rows.updateMany(later, { $set: { due: new Date(due) } });
  }

  /** The next of a lane is due when the first has ended. Its process may end before this: then it is due when the claim would have ended. */
  async advance(lane: string): Promise<void> {
    const due = new Date(await this.clock.now());
    const next = { lane, status: 'waiting', due: { $gt: due } } as Row;
    await this.#rows.findOneAndUpdate(next, { $set: { due } }, { sort: { seq: 1 } });
  }

  /** Advances the lanes of entries that have ended, where later ones have been written. */
  async advanceAll(ended: readonly ClaimedEntry[]): Promise<void> {
    const later = ended.flatMap(({ entry, seq }) =>
      entry.lane === undefined ? [] : [{ _id: entry.lane, seq: { $gt: seq } }],
    );
    if (later.length === 0) return;
    const lanes = await this.#lanes.find({ $or: later } as Row, { projection: { _id: 1 } }).toArray();
    for (const { _id } of lanes) await this.advance(_id);
  }
}

const othersOf = ({ entry, seq }: ClaimedEntry, now: number): Row => {
  const running = { status: 'running', due: { $gt: new Date(now) } };
  return { lane: entry.lane, _id: { $ne: new ObjectId(entry.id) }, $or: [{ seq: { $lt: seq } }, running] };
};
