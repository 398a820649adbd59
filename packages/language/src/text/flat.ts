/** Postings as numbers in one array. */

/** Document numbers in ascending order, each followed by its score. */
export type Flat = number[];

/** The position of the first posting from a document number on. */
export function placeIn(flat: Flat, sequence: number): number {
  if ((flat[flat.length - 2] ?? -1) < sequence) return flat.length;
  let [low, high] = [0, flat.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((flat[middle * 2] ?? 0) >= sequence) high = middle;
    else low = middle + 1;
  }
  return 2 * low;
}
