/** A merge sort that pauses between steps. */

const runLength = 2048;
const mergeSlice = 4096;

/** Sorts a list; the sort is stable. `pause` is called between the steps. */
export async function mergeSort<T>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<void>,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < list.length; at += runLength) {
    runs.push(list.slice(at, at + runLength).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, pause));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<void>,
): Promise<readonly T[]> {
  const [end, start] = [a.at(-1), b[0]];
  if (end === undefined || start === undefined || compare(end, start) <= 0) return a.concat(b);
  const merged: T[] = [];
  let left = 0;
  let right = 0;
  for (;;) {
    const [first, second] = [a[left], b[right]];
    if (first === undefined || second === undefined) break;
    if (compare(first, second) <= 0) {
      merged.push(first);
      left += 1;
    } else {
      merged.push(second);
      right += 1;
    }
    if (merged.length % mergeSlice === 0) await pause();
  }
  return merged.concat(a.slice(left), b.slice(right));
}
