/** The rows of new entries, with their numbers in their lanes. */
import type { ClientSession } from 'mongoose';
import { isTaken } from '../models/database-errors.ts';
import { type Collection, inSession, internalCollection, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { SharedClock } from '../shared/contract.ts';
import { overtakenError } from '../write/unit.ts';
import type { NewEntry } from './contract.ts';
import type { Rows } from './rows.ts';

/** How long the last number of a lane is kept: longer than its entries wait. */
const laneKeptMs = 400 * 24 * 60 * 60 * 1000;

/** The last number that was taken of a lane, which is its id, and until when it is kept. */
interface LaneRow {
  readonly _id: string;
  readonly seq: number;
  readonly until: Date;
}

/** Takes the numbers of lanes. Two units that write one lane conflict, as they do on the document that the lane is of. */
export class Lanes {
  readonly #lanes: Collection<LaneRow>;

  constructor(
    registry: Registry,
    private readonly clock: SharedClock,
  ) {
    this.#lanes = internalCollection(registry, '_outbox_lane');
  }

  /**
   * Takes as many numbers of each lane as it is named.
   * @returns takes the next number of a lane @throws the driver's errors
   */
  async take(lanes: readonly string[], session: ClientSession | undefined): Promise<(lane: string) => number> {
    const counts = new Map<string, number>();
    for (const lane of lanes) counts.set(lane, (counts.get(lane) ?? 0) + 1);
    // without transactions, the lane counts for concurrent writers
    const last =
      counts.size > 1 && session !== undefined
        ? await this.#addToMany(counts, session)
        : await this.#addToEach(counts, session);
    return (lane) => {
      const next = (last.get(lane) ?? 0) + 1;
      last.set(lane, next);
      return next;
    };
  }

  async #addToEach(counts: Counts, session: ClientSession | undefined): Promise<Map<string, number>> {
    const options = { upsert: true, returnDocument: 'before', ...inSession(session) } as const;
    const last = new Map<string, number>();
    for (const [lane, count] of counts) {
      const row = await this.#lanes.findOneAndUpdate({ _id: lane }, this.#add(count), options);
      last.set(lane, row?.seq ?? 0);
    }
    return last;
  }

  async #addToMany(counts: Counts, session: ClientSession): Promise<Map<string, number>> {
    const ids = [...counts.keys()];
    const found = this.#lanes.find({ _id: { $in: ids } }, { batchSize: ids.length + 1, session });
    const rows = await found.toArray();
    const updates = [...counts].map(([lane, count]) => ({
      updateOne: { filter: { _id: lane }, update: this.#add(count), upsert: true },
    }));
    await this.#lanes.bulkWrite(updates, { ordered: false, session });
    return new Map(rows.map((row) => [row._id, row.seq]));
  }

  #add(count: number) {
    return { $inc: { seq: count }, $max: { until: new Date(this.clock.estimate() + laneKeptMs) } };
  }
}

type Counts = ReadonlyMap<string, number>;

/** Writes entries, by one command for those without a key. */
export class NewRows {
  readonly #rows: Rows;
  readonly lanes: Lanes;

  constructor(
    registry: Registry,
    private readonly parts: { readonly clock: () => Date; readonly shared: SharedClock },
  ) {
    this.#rows = internalCollection(registry, '_outbox');
    this.lanes = new Lanes(registry, parts.shared);
  }

  /** @returns the ids of those without a key @throws the driver's errors; one that runs the unit again where another one has written the same key */
  async write(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<readonly string[]> {
    const lanes = entries.flatMap(({ lane }) => lane ?? []);
    const next = lanes.length === 0 ? () => 0 : await this.lanes.take(lanes, session);
    const rows = entries.map((entry) => ({ key: entry.key, row: this.#rowOf(entry, next) }));
    const plain = rows.flatMap(({ key, row }) => (key === undefined ? [row] : []));
    if (plain.length > 0) await this.#rows.insertMany(plain, inSession(session));
    for (const { key, row } of rows) if (key !== undefined) await this.#addKeyed(key, row, session);
    return plain.map(({ _id }) => String(_id));
  }

  async #addKeyed(key: string, row: Row, session: ClientSession | undefined): Promise<void> {
    try {
      await this.#rows.updateOne({ key }, { $setOnInsert: row }, { upsert: true, ...inSession(session) });
    } catch (error) {
      if (!isTaken(error)) throw error;
      // another unit has added it meanwhile
      if (session !== undefined) throw overtakenError(error);
    }
  }

  #rowOf({ kind, group, lane, due, data }: NewEntry, next: (lane: string) => number): Row {
    return {
      _id: new ObjectId(),
      ...{ kind, group, data },
      status: 'waiting',
      due: due ?? new Date(this.parts.shared.estimate()),
      ...(lane === undefined ? {} : { lane, seq: next(lane) }),
      attempts: 0,
      at: this.parts.clock(),
    };
  }
}
