/** Random choices that a seed decides. */
import { randomFrom } from '../numbers.ts';

export interface Random {
  /** A whole number from 0 up to a limit. */
  below(limit: number): number;
  oneOf<T>(all: readonly T[]): T;
  /** True once in so many times. */
  once(inTimes: number): boolean;
  /** Up to `limit` members. */
  list<T>(limit: number, make: () => T): T[];
}

export function choicesFrom(seed: number): Random {
  const below = randomFrom(seed);
  return {
    below,
    oneOf: <T>(all: readonly T[]): T => all[below(all.length)] as T,
    once: (inTimes) => below(inTimes) === 0,
    list: (limit, make) => Array.from({ length: below(limit + 1) }, make),
  };
}
