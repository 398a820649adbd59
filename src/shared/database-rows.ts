/**
 * The rows of what servers share in their database: counts and leases, each until a time. Each method is one atomic update of one document
 * by its `_id`, which every MongoDB-compatible database has; the TTL index removes rows that have ended.
 */
import { isFirst } from '../models/database-errors.ts';
import { type Collection, internalCollection, type Row } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import type { Hits } from '../settings/config-file.ts';
import type { SharedClock, Window } from './contract.ts';
import type { Leases } from './leases.ts';

export class DatabaseRows implements Leases {
  readonly #collection: Collection;

  /** @param clock the time by which rows end */
  constructor(
    registry: Registry,
    private readonly clock: SharedClock,
  ) {
    this.#collection = internalCollection(registry, '_shared');
  }

  /**
   * Adds to the count of a key. It updates a row that exists, and creates one, by two commands: of upserts at the same moment, not every
   * engine returns the right counts.
   */
  add(key: string, window: Window, by: number): Promise<Hits> {
    return this.#withTime(async (now) => {
      const _id = `count ${key}`;
      const until = new Date(now + window.ms);
      const alive = { _id, until: { $gt: new Date(now) } } as Row;
      const more = { $inc: { hits: by }, ...(window.prolongs === true ? { $set: { until } } : {}) };
      const row = (await this.#collection.findOneAndUpdate(alive, more, { returnDocument: 'after' })) as Row | null;
      if (row !== null) return hitsOf(row);
      const ended = { _id, until: { $lte: new Date(now) } } as Row;
      // another server may have begun meanwhile
      return (await this.#isFirst(ended, { hits: by, until }))
        ? hitsOf({ hits: by, until })
        : this.add(key, window, by);
    });
  }

  /** The counts of keys that have not ended, in their order. */
  counts(keys: readonly string[]): Promise<(Hits | undefined)[]> {
    return this.#withTime(async (now) => {
      const ids = keys.map((key) => `count ${key}`);
      const alive = { _id: { $in: ids }, until: { $gt: new Date(now) } } as Row;
      const rows = (await this.#collection.find(alive).toArray()) as Row[];
      const found = new Map(rows.map((row) => [row['_id'], hitsOf(row)]));
      return ids.map((id) => found.get(id));
    });
  }

  take(key: string, holder: string, ms: number): Promise<boolean> {
    return this.#withTime((now) => {
      const free = { _id: `lease ${key}`, $or: [{ holder }, { until: { $lte: new Date(now) } }] } as Row;
      return this.#isFirst(free, { holder, until: new Date(now + ms) });
    });
  }

  async free(key: string, holder: string): Promise<void> {
    await this.#collection.deleteOne({ _id: `lease ${key}`, holder } as Row);
  }

  /** How many leases there are whose keys begin with a text. */
  leases(prefix: string): Promise<number> {
    return this.#withTime(async (now) => {
      const begins = { $gte: `lease ${prefix}`, $lt: `lease ${prefix}\uffff` };
      const rows = this.#collection.find({ _id: begins, until: { $gt: new Date(now) } } as Row);
      return (await rows.project({ _id: 1 }).toArray()).length;
    });
  }

  /** Sets fields of a row that a filter with its `_id` finds, or creates it. @returns false if there is a row that it does not find */
  #isFirst(filter: Row, fields: Row): Promise<boolean> {
    return isFirst(() => this.#collection.updateOne(filter, { $set: fields }, { upsert: true }));
  }

  async #withTime<T>(work: (now: number) => Promise<T>): Promise<T> {
    return work(await this.clock.now());
  }
}

const hitsOf = ({ hits, until }: Row): Hits => ({ totalHits: Number(hits), resetTime: until as Date });
