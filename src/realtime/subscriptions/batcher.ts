/** When changes are told: those that come together go out together, and the more it costs to tell them, the more of them do. */
import { yieldNow } from '../../async/yield.ts';
import type { SequencedChange } from '../changes/contract.ts';

/** Changes that are told before anybody else has a turn; with more than may wait all are, so that those who write them wait. */
const [mostAtOnce, mostWaiting] = [100, 10_000];
/** Milliseconds that a round works before others have a turn in its middle. */
const sliceMs = 20;
/** How long it rests after a round: so many times as long as that took, and milliseconds at most. Requests keep most of the time. */
const [restShare, longestRest] = [2, 100];

/** The changes that have come, by their numbers, as long as not everybody has taken them. */
export interface Line {
  /** The number that the next change will have. */
  readonly end: number;
  between(from: number, to: number): readonly SequencedChange[];
}

export interface Rounds extends Line {
  readonly add: (change: SequencedChange) => void;
}

/** Takes changes up to a number of the line. */
export interface Hearer {
  hear(until: number): void;
}

export function makeRounds(hearers: Iterable<Hearer>): Rounds {
  let first = 0;
  let changes: SequencedChange[] = [];
  let restsUntil = 0;
  let planned = false;

  /** Everybody takes the changes up to a number. @returns milliseconds of work */
  const tell = async (until: number, inOneGo: boolean): Promise<number> => {
    let [worked, began] = [0, performance.now()];
    for (const hearer of hearers) {
      hearer.hear(until);
      if (inOneGo || performance.now() - began < sliceMs) continue;
      worked += performance.now() - began;
      await yieldNow();
      began = performance.now();
    }
    return worked + performance.now() - began;
  };
  const round = async (): Promise<void> => {
    const tooMany = changes.length > mostWaiting;
    const count = tooMany ? changes.length : Math.min(changes.length, mostAtOnce);
    const worked = await tell(first + count, tooMany);
    changes = changes.slice(count);
    first += count;
    restsUntil = performance.now() + Math.min(longestRest, restShare * worked);
    // no rest while some are left over
    if (changes.length > 0) setImmediate(() => void round());
    else planned = false;
  };
  const plan = (): void => {
    planned = true;
    const rest = restsUntil - performance.now();
    if (rest < 1) setImmediate(() => void round());
    else setTimeout(() => void round(), rest);
  };
  return {
    get end() {
      return first + changes.length;
    },
    between: (from, to) => changes.slice(Math.max(0, from - first), Math.max(0, to - first)),
    add(change) {
      changes.push(change);
      if (!planned) plan();
    },
  };
}
