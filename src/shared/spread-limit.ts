/**
 * Counts frequent events over several processes, each of which tells the others only a tenth of the limit at a time: a request waits for the
 * database once for so many, and all together admit at most a tenth more than the limit, or one for each process.
 */
import type { Hits } from '../settings/config-file.ts';
import type { Limit } from './contract.ts';
import { EndingMap } from './ending-map.ts';

/** Part of the limit that all processes together may count without publishing it. */
const unpublishedPart = 0.1;

interface Count {
  /** Events of this process, and how many of them are published. */
  own: number;
  published: number;
  /** Published events of the others, as far as this process knows. */
  others: number;
  ends: number;
  publishing: Promise<void> | undefined;
}

interface Parts {
  readonly now: () => number;
  /** The number of processes; undefined while each counts for itself, because the database is away. */
  readonly processes: () => number | undefined;
  /** Adds to the count of a key, for all. @returns undefined without the database */
  readonly publish: (key: string, by: number) => Promise<Hits | undefined>;
}

export class SpreadLimit {
  readonly #counts = new EndingMap<Count>();

  constructor(
    private readonly limit: Limit,
    private readonly parts: Parts,
  ) {}

  count(key: string): Hits | Promise<Hits> {
    const { max } = this.limit;
    const count = this.#countOf(key);
    // what is refused is not published
    if (count.own + count.others >= max) return hitsOf(count, count.own + 1);
    const own = ++count.own;
    if (!this.#isDue(count)) return hitsOf(count, own);
    return this.#published(key, count).then(() => hitsOf(count, own));
  }

  #countOf(key: string): Count {
    const now = this.parts.now();
    const { windowMs } = this.limit;
    const known = this.#counts.get(key, now);
    // the clock may be set back
    if (known !== undefined && known.ends <= now + 2 * windowMs) return known;
    const count: Count = { own: 0, published: 0, others: 0, ends: now + windowMs, publishing: undefined };
    this.#counts.set(key, count, now);
    return count;
  }

  #isDue({ own, published }: Count): boolean {
    const processes = this.parts.processes();
    if (processes === undefined) return false;
    return own - published > Math.max(1, Math.floor((this.limit.max * unpublishedPart) / processes));
  }

  /** Resolves when everything that was counted before is published, or the database is away. */
  async #published(key: string, count: Count): Promise<void> {
    // what is under way may have begun before
    await count.publishing;
    if (!this.#isDue(count)) return;
    await (count.publishing ??= this.#publish(key, count).finally(() => (count.publishing = undefined)));
  }

  async #publish(key: string, count: Count): Promise<void> {
    const by = count.own - count.published;
    const hits = await this.parts.publish(key, by);
    if (hits === undefined) return;
    count.published += by;
    count.others = Math.max(0, hits.totalHits - count.published);
    count.ends = hits.resetTime?.getTime() ?? count.ends;
  }
}

const hitsOf = ({ others, ends }: Count, own: number): Hits => ({
  totalHits: others + own,
  resetTime: new Date(ends),
});
