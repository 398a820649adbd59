/** When changes are told: those that come together go out together, and the more it costs to tell them, the more of them do. */
import { yieldNow } from '../../async/yield.ts';
import type { SequencedChange } from '../changes/contract.ts';

/** Changes that are told before anybody else has a turn; with more than may wait all are, so that those who write them wait. */
const [maxAtOnce, maxWaiting] = [100, 10_000];
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

/** Takes changes up to a number of the line. */
export interface Hearer {
  hear(until: number): void;
}

/** Delivers changes in rounds: one is planned when the first change comes, and works off what has come by then. */
export class Batcher implements Line {
  /** The number of the first change that is kept. */
  #first = 0;
  #changes: SequencedChange[] = [];
  /** The end of the rest after the last round, by `performance.now()`. */
  #restsUntil = 0;
  #isPlanned = false;

  constructor(private readonly hearers: Iterable<Hearer>) {}

  get end(): number {
    return this.#first + this.#changes.length;
  }

  between(from: number, to: number): readonly SequencedChange[] {
    return this.#changes.slice(Math.max(0, from - this.#first), Math.max(0, to - this.#first));
  }

  add(change: SequencedChange): void {
    this.#changes.push(change);
    if (!this.#isPlanned) this.#plan();
  }

  #plan(): void {
    this.#isPlanned = true;
    const rest = this.#restsUntil - performance.now();
    if (rest < 1) setImmediate(() => void this.#round());
    else setTimeout(() => void this.#round(), rest);
  }

  async #round(): Promise<void> {
    const tooMany = this.#changes.length > maxWaiting;
    const count = tooMany ? this.#changes.length : Math.min(this.#changes.length, maxAtOnce);
    const worked = await this.#deliver(this.#first + count, tooMany);
    this.#changes = this.#changes.slice(count);
    this.#first += count;
    this.#restsUntil = performance.now() + Math.min(longestRest, restShare * worked);
    // no rest while some are left over
    if (this.#changes.length > 0) setImmediate(() => void this.#round());
    else this.#isPlanned = false;
  }

  /** Lets everybody take the changes up to a number. @returns milliseconds of work */
  async #deliver(until: number, inOneGo: boolean): Promise<number> {
    let [worked, began] = [0, performance.now()];
    for (const hearer of this.hearers) {
      hearer.hear(until);
      if (inOneGo || performance.now() - began < sliceMs) continue;
      worked += performance.now() - began;
      await yieldNow();
      began = performance.now();
    }
    return worked + performance.now() - began;
  }
}
