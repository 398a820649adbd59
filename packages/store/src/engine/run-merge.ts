/** Merges sorted runs. */

type Order<T> = (a: T, b: T) => number;

/**
 * Merges sorted runs in pairs, so that an entry is compared as often as the logarithm of their number. Of equal entries those of earlier
 * runs come first.
 */
export function mergeRuns<T>(runs: readonly Iterable<T>[], order: Order<T>): Iterable<T> {
  const [first = [], second] = runs;
  if (second === undefined) return first;
  const middle = runs.length >> 1;
  return mergeTwo(mergeRuns(runs.slice(0, middle), order), mergeRuns(runs.slice(middle), order), order);
}

function* mergeTwo<T>(left: Iterable<T>, right: Iterable<T>, order: Order<T>): Generator<T> {
  const others = right[Symbol.iterator]();
  let other = others.next();
  for (const entry of left) {
    for (; other.done !== true && order(other.value, entry) < 0; other = others.next()) yield other.value;
    yield entry;
  }
  for (; other.done !== true; other = others.next()) yield other.value;
}
