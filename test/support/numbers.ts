/** Random numbers that a seed decides, so that a failure can be repeated. */

/** Whole numbers below 2 ** 32, the same for the same seed (mulberry32). */
function wordsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Numbers from 0 to 1. */
export function numbersFrom(seed: number): () => number {
  const next = wordsFrom(seed);
  return () => next() / 2 ** 32;
}

/** Whole numbers from 0 up to a limit. */
export function randomFrom(seed: number): (below: number) => number {
  const next = wordsFrom(seed);
  return (below) => next() % below;
}
