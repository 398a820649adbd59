/** What two sequences have in common, in its order. Pure. */

/** A pair of positions at which two sequences have the same member. */
export type Pair = readonly [from: number, to: number];

/** Comparisons at most, so that the longest sequences take some milliseconds. */
const maxCells = 250_000;

/**
 * The longest common subsequence of two sequences, without a limit on what both begin and end with.
 * @returns the positions of its members; undefined where the sequences are too long to be compared
 */
export function longestCommon(from: readonly string[], to: readonly string[]): readonly Pair[] | undefined {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const [one, other] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  if (one.length * other.length > maxCells) return undefined;
  return [
    ...Array.from({ length: start }, (_, at): Pair => [at, at]),
    ...between(one, other).map(([a, b]): Pair => [a + start, b + start]),
    ...Array.from({ length: end }, (_, at): Pair => [from.length - end + at, to.length - end + at]),
  ];
}

/** By the table of the lengths that the ends of both sequences have in common. */
function between(from: readonly string[], to: readonly string[]): Pair[] {
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  const lengthAt = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = from.length - 1; a >= 0; a -= 1)
    for (let b = to.length - 1; b >= 0; b -= 1)
      lengths[a * width + b] =
        from[a] === to[b] ? lengthAt(a + 1, b + 1) + 1 : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1));
  const pairs: Pair[] = [];
  let [a, b] = [0, 0];
  while (a < from.length && b < to.length) {
    if (from[a] === to[b]) pairs.push([a++, b++]);
    else if (lengthAt(a + 1, b) >= lengthAt(a, b + 1)) a += 1;
    else b += 1;
  }
  return pairs;
}
