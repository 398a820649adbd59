/**
 * Schedules the delivery of changes: those that arrive together are delivered together, and the longer delivery takes, the larger
 * the batches become.
 */
import { yieldNow } from '../../async/yield.ts';
import type { SequencedChange } from '../changes/contract.ts';

/**
 * Maximum changes of one round; if more than `maxWaiting` wait, a round delivers all of them without yielding, so that their
 * writers wait.
 */
const [maxPerRound, maxWaiting] = [100, 10_000];
/** Milliseconds of work after which a round yields. */
const sliceMs = 20;
/** The rest after a round: a multiple of the round's duration, up to a maximum in milliseconds. Requests get most of the time. */
const [restFactor, maxRestMs] = [2, 100];

/** The numbered changes that some receivers have not drained yet. */
export interface PendingChanges {
  /** The number of the next change. */
  readonly end: number;
  between(from: number, to: number): readonly SequencedChange[];
}

export interface Batcher extends PendingChanges {
  readonly add: (change: SequencedChange) => void;
}

/** A receiver of changes: `drain` takes the changes up to a number. */
export interface Receiver {
  drain(until: number): void;
}

export function makeBatcher(receivers: Iterable<Receiver>): Batcher {
  let first = 0;
  let changes: SequencedChange[] = [];
  let restsUntil = 0;
  let planned = false;

  /** Drains the changes up to a number to all receivers. @returns milliseconds of work */
  const drainAll = async (until: number, atOnce: boolean): Promise<number> => {
    let [worked, began] = [0, performance.now()];
    for (const receiver of receivers) {
      receiver.drain(until);
      if (atOnce || performance.now() - began < sliceMs) continue;
      worked += performance.now() - began;
      await yieldNow();
      began = performance.now();
    }
    return worked + performance.now() - began;
  };
  const round = async (): Promise<void> => {
    const isOverfull = changes.length > maxWaiting;
    const count = isOverfull ? changes.length : Math.min(changes.length, maxPerRound);
    const worked = await drainAll(first + count, isOverfull);
    changes = changes.slice(count);
    first += count;
    restsUntil = performance.now() + Math.min(maxRestMs, restFactor * worked);
    // no rest while changes are left
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
