/** Counts events by key in windows of time, in memory. */
import type { Hits } from '../settings/config-file.ts';
import type { Window } from './contract.ts';
import { EndingMap } from './ending-map.ts';

interface Counted {
  readonly count: number;
  readonly ends: number;
}

export class Windows {
  /** By the length of their windows. */
  readonly #counts = new Map<number, EndingMap<Counted>>();

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {}

  count(key: string, { ms, prolongs = false }: Window): Hits {
    const now = this.now();
    const counts = this.#counts.get(ms) ?? new EndingMap<Counted>();
    this.#counts.set(ms, counts);
    const before = counts.get(key, now);
    // the clock may be set back
    const goesOn = before !== undefined && before.ends <= now + ms;
    const ends = goesOn && !prolongs ? before.ends : now + ms;
    const counted = { count: (goesOn ? before.count : 0) + 1, ends };
    counts.set(key, counted, now);
    return hitsOf(counted);
  }

  get(key: string): Hits | undefined {
    const now = this.now();
    for (const counts of this.#counts.values()) {
      const counted = counts.get(key, now);
      if (counted !== undefined) return hitsOf(counted);
    }
    return undefined;
  }
}

const hitsOf = ({ count, ends }: Counted): Hits => ({ totalHits: count, resetTime: new Date(ends) });
