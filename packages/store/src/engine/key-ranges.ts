/** Ranges of an index, and their union. */
import type { Value } from 'dossier-language/values';

/** The values of the fields followed by the document's sequence. A bound has fewer values and an infinite sequence. */
export type TreeKey = readonly [...Value[], number];

/** A key of a document. Other than a spread, `concat` reserves no memory for more values. */
export const makeKey = (values: readonly Value[], sequence: number): TreeKey =>
  values.concat(sequence) as readonly Value[] as TreeKey;

/** A range between two prefixes of keys in index order; keys with the prefix belong to it unless its side is open. */
export interface KeyRange {
  readonly low: readonly Value[];
  readonly high: readonly Value[];
  readonly openLow?: boolean;
  readonly openHigh?: boolean;
}

/** The bounds of a range as keys, which no document has. */
export const lowKey = ({ low, openLow }: KeyRange): TreeKey => [
  ...low,
  openLow === true ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
];
export const highKey = ({ high, openHigh }: KeyRange): TreeKey => [
  ...high,
  openHigh === true ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
];

type Order = (a: TreeKey, b: TreeKey) => number;

/** The same keys as those of all ranges together, each key once and in index order. */
export function unionOf(ranges: readonly KeyRange[], order: Order): readonly KeyRange[] {
  const sorted = [...ranges].sort((a, b) => compareBounds(lowKey(a), lowKey(b), order));
  const union: KeyRange[] = [];
  for (const range of sorted) {
    const last = union.at(-1);
    if (last === undefined || compareBounds(lowKey(range), highKey(last), order) >= 0) union.push(range);
    else if (compareBounds(highKey(range), highKey(last), order) > 0)
      union.splice(-1, 1, { ...last, high: range.high, openHigh: range.openHigh === true });
  }
  return union.filter((range) => compareBounds(lowKey(range), highKey(range), order) < 0);
}

/** Bounds with equal values and the same side: a shorter prefix lies further out. */
function compareBounds(a: TreeKey, b: TreeKey, order: Order): number {
  const difference = order(a, b);
  if (!Number.isNaN(difference)) return difference;
  return a.at(-1) === Number.POSITIVE_INFINITY ? b.length - a.length : a.length - b.length;
}
