/** Sets of values as intervals: in order, none empty, none overlapping another. */
import { MaxKey, MinKey } from 'bson';
import { type Collation, compare, type Value } from 'dossier-language/values';
import type { Interval } from './predicates.ts';

const lowest = new MinKey();
const highest = new MaxKey();

/** The sets of values in the order of a collation. */
export class IntervalSets {
  readonly #compare: (a: Value, b: Value) => number;

  constructor(collation: Collation | undefined) {
    this.#compare = (a, b) => compare(a, b, collation);
  }

  /** The set of some values. */
  of(values: readonly Value[]): readonly Interval[] {
    return values
      .toSorted(this.#compare)
      .filter((value, at, sorted) => at === 0 || this.#compare(value, sorted[at - 1]) !== 0)
      .map((value) => ({ low: value, high: value }));
  }

  /** The set of one interval, which may be empty. */
  range(interval: Interval): readonly Interval[] {
    return this.#isEmpty(interval) ? [] : [interval];
  }

  /** The values in both of two sets. */
  intersect(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
    const found: Interval[] = [];
    for (let [at, other] = [0, 0]; ;) {
      const [a, b] = [some[at], others[other]];
      if (a === undefined || b === undefined) return found;
      const { low, openLow = false } = this.#compareLows(a, b) > 0 ? a : b;
      const isShorter = this.#compareHighs(a, b) < 0;
      const { high, openHigh = false } = isShorter ? a : b;
      found.push(...this.range({ low, high, openLow, openHigh }));
      if (isShorter) at += 1;
      else other += 1;
    }
  }

  /** All values that are not in a set. */
  complement(set: readonly Interval[]): readonly Interval[] {
    const found: Interval[] = [];
    let [low, openLow]: [Value, boolean] = [lowest, false];
    for (const interval of set) {
      found.push(...this.range({ low, openLow, high: interval.low, openHigh: interval.openLow !== true }));
      [low, openLow] = [interval.high, interval.openHigh !== true];
    }
    return [...found, ...this.range({ low, openLow, high: highest })];
  }

  #isEmpty({ low, high, openLow = false, openHigh = false }: Interval): boolean {
    const order = this.#compare(low, high);
    return order > 0 || (order === 0 && (openLow || openHigh));
  }

  #compareLows(a: Interval, b: Interval): number {
    return this.#compare(a.low, b.low) || Number(a.openLow === true) - Number(b.openLow === true);
  }

  #compareHighs(a: Interval, b: Interval): number {
    return this.#compare(a.high, b.high) || Number(b.openHigh === true) - Number(a.openHigh === true);
  }
}
