/** Writes and manages the entries of the outbox. */
import type { ClientSession } from 'mongoose';
import { isId } from '../models/fields/values/ids-and-dates.ts';
import { inSession, internalCollection, ObjectId, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { SharedState } from '../shared/contract.ts';
import type { Entry, EntryCounts, EntryQuery, EntryStatus, NewEntry, Outbox, RepeatQuery } from './contract.ts';
import { NewRows } from './new-rows.ts';
import { entryOf, type Rows } from './rows.ts';

interface Parts {
  readonly registry: Registry;
  readonly clock: () => Date;
  readonly shared: Pick<SharedState, 'clock'>;
}

interface CountRow {
  readonly _id: { readonly group: string; readonly status: EntryStatus };
  readonly count: number;
}

/** Entries that are repeated by one command each. */
const repeatSize = 500;

export class OutboxEntries implements Outbox {
  readonly name = 'outbox';
  readonly #rows: Rows;
  readonly #newRows: NewRows;
  #wake: () => void = () => undefined;

  constructor(private readonly parts: Parts) {
    this.#rows = internalCollection(parts.registry, '_outbox');
    this.#newRows = new NewRows(parts.registry, { clock: parts.clock, shared: parts.shared.clock });
  }

  /** @param wake called when entries have been committed */
  onCommitted(wake: () => void): void {
    this.#wake = wake;
  }

  /** Entries are of requests, whatever these write. */
  needs(): boolean {
    return false;
  }

  entriesOf(): readonly NewEntry[] {
    return [];
  }

  async write(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    await this.#newRows.write(entries, session);
    if (session === undefined) this.#wake();
  }

  async add(entries: readonly NewEntry[]): Promise<readonly string[]> {
    const ids = await this.#newRows.write(entries, undefined);
    this.#wake();
    return ids;
  }

  committed(): void {
    this.#wake();
  }

  async list({ kind, group, statuses, after, limit }: EntryQuery): Promise<readonly Entry[]> {
    const filter = {
      kind,
      ...(group === undefined ? {} : { group }),
      ...(statuses === undefined ? {} : { status: { $in: statuses } }),
      ...(after === undefined ? {} : { _id: { $lt: new ObjectId(after) } }),
    } as Row;
    const rows = (await this.#rows.find(filter).sort({ _id: -1 }).limit(limit).toArray()) as Row[];
    return rows.map(entryOf);
  }

  async find(kind: string, id: string): Promise<Entry | undefined> {
    const row = isId(id) ? ((await this.#rows.findOne({ _id: new ObjectId(id), kind } as Row)) as Row | null) : null;
    return row === null ? undefined : entryOf(row);
  }

  async counts(kind: string, groups: readonly string[], statuses: readonly EntryStatus[]): Promise<EntryCounts> {
    const ofGroups = { kind, group: { $in: groups }, status: { $in: statuses } };
    const byStatus = { _id: { group: '$group', status: '$status' }, count: { $sum: 1 } };
    const rows = await this.#rows.aggregate<CountRow>([{ $match: ofGroups }, { $group: byStatus }]).toArray();
    const counts = new Map<string, Map<EntryStatus, number>>();
    for (const { _id, count } of rows)
      counts.set(_id.group, new Map(counts.get(_id.group)).set(_id.status, Number(count)));
    return counts;
  }

  /** How many entries of each kind have not ended. */
  async unfinished(): Promise<ReadonlyMap<string, number>> {
    const unfinished = { status: { $in: ['waiting', 'running'] } };
    const byKind = { _id: '$kind', count: { $sum: 1 } };
    const rows = await this.#rows
      .aggregate<{ readonly _id: string; readonly count: number }>([{ $match: unfinished }, { $group: byKind }])
      .toArray();
    return new Map(rows.map(({ _id, count }) => [_id, Number(count)]));
  }

  async removeWaiting(kind: string, id: string, session?: ClientSession): Promise<boolean> {
    if (!isId(id)) return false;
    const waiting = { _id: new ObjectId(id), kind, status: 'waiting' } as Row;
    return (await this.#rows.deleteOne(waiting, inSession(session))).deletedCount > 0;
  }

  async removeGroup(kind: string, group: string): Promise<void> {
    await this.#rows.deleteMany({ kind, group });
  }

  async repeat(query: RepeatQuery, laneOf: (entry: Entry) => string | undefined = () => undefined): Promise<number> {
    // entries that are written later are not repeated; ids of several processes within one second have no order
    const last = ObjectId.createFromTime(Math.floor(Date.now() / 1000) + 1);
    let repeated = 0;
    for (let after: ObjectId | undefined; ;) {
      const found = await this.#repeatable(query, after, last);
      for (const row of found) if (await this.#repeatRow(row, laneOf)) repeated++;
      after = found.at(-1)?.['_id'] as ObjectId | undefined;
      if (found.length < repeatSize) break;
    }
    if (repeated > 0) this.#wake();
    return repeated;
  }

  async repeatOne(kind: string, id: string, session?: ClientSession): Promise<boolean> {
    if (!isId(id)) return false;
    const ended = { _id: new ObjectId(id), kind, status: { $in: ['waiting', 'ok', 'dead'] } } as Row;
    const row = (await this.#rows.findOne(ended, inSession(session))) as Row | null;
    return row !== null && (await this.#repeatRow(row, () => undefined, session));
  }

  async #repeatable(query: RepeatQuery, after: ObjectId | undefined, last: ObjectId): Promise<readonly Row[]> {
    const { kind, group, ids, since, until, statuses = ['waiting', 'ok', 'dead'] } = query;
    const at = { ...(since && { $gte: since }), ...(until && { $lte: until }) };
    const filter = {
      kind,
      ...(group === undefined ? {} : { group }),
      status: { $in: statuses },
      $and: [
        { _id: { $lte: last, ...(after && { $gt: after }) } },
        ...(ids === undefined ? [] : [{ _id: { $in: ids.filter(isId).map((id) => new ObjectId(id)) } }]),
      ],
      ...(Object.keys(at).length === 0 ? {} : { at }),
    } as Row;
    return await this.#rows.find(filter).sort({ _id: 1 }).limit(repeatSize).toArray();
  }

  /** An entry that another caller repeats at the same moment is repeated once. */
  async #repeatRow(row: Row, laneOf: (entry: Entry) => string | undefined, session?: ClientSession): Promise<boolean> {
    const entry = entryOf(row);
    const same = { _id: row['_id'], status: entry.status, attempts: entry.attempts } as Row;
    const due = new Date(await this.parts.shared.clock.now());
    const change = async (update: Row): Promise<boolean> =>
      (await this.#rows.updateOne(same, update, inSession(session))).matchedCount > 0;
    if (entry.status === 'waiting') return change({ $set: { due } });
    const lane = laneOf(entry);
    const inLane = lane === undefined ? {} : { lane, seq: (await this.#newRows.lanes.take([lane], undefined))(lane) };
    return change({ $set: { status: 'waiting', due, attempts: 0, ...inLane }, $unset: { expires: '' } });
  }
}
