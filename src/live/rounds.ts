/** When changes are told: those that come together go out together, and the more it costs to tell them, the more of them do. */
import type { Placed } from '../services.ts';

/** Changes that are told before anybody else has a turn; with more than may wait all are, so that those who write them wait. */
const [mostAtOnce, mostWaiting] = [100, 10_000];
/** How long it rests after a round: so many times as long as that took, and milliseconds at most. Requests keep most of the time. */
const [restShare, longestRest] = [2, 100];

/** The changes that have come, by their numbers, as long as not everybody has taken them. */
export interface Line {
  /** The number that the next change will have. */
  readonly end: number;
  between(from: number, to: number): readonly Placed[];
}

export interface Rounds extends Line {
  readonly add: (change: Placed) => void;
}

/** @param tell has everybody take the changes up to a number */
export function makeRounds(tell: (until: number) => void): Rounds {
  let first = 0;
  let changes: Placed[] = [];
  let restsUntil = 0;

  const round = (): void => {
    const began = performance.now();
    const count = changes.length > mostWaiting ? changes.length : Math.min(changes.length, mostAtOnce);
    tell(first + count);
    changes = changes.slice(count);
    first += count;
    const ended = performance.now();
    restsUntil = ended + Math.min(longestRest, restShare * (ended - began));
    // no rest while some are left over
    if (changes.length > 0) setImmediate(round);
  };
  const plan = (): void => {
    const rest = restsUntil - performance.now();
    if (rest < 1) setImmediate(round);
    else setTimeout(round, rest);
  };
  return {
    get end() {
      return first + changes.length;
    },
    between: (from, to) => changes.slice(Math.max(0, from - first), Math.max(0, to - first)),
    add(change) {
      if (changes.length === 0) plan();
      changes.push(change);
    },
  };
}
