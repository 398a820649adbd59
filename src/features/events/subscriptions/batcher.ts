/**
 * Schedules the delivery of changes: those that arrive together are delivered together, and the longer delivery takes, the larger
 * the batches become.
 */
import { yieldNow } from '../../../async/yield.ts';
import type { SequencedChange } from '../../../realtime/changes/contract.ts';

/**
 * Maximum changes of one batch; if more than `maxWaiting` wait, a batch delivers all of them without yielding, so that their
 * writers wait.
 */
const [maxPerBatch, maxWaiting] = [100, 10_000];
/** Milliseconds of work after which a batch yields. */
const sliceMs = 20;
/** The rest after a batch: a multiple of its duration, up to a maximum in milliseconds. Requests get most of the time. */
const [restFactor, maxRestMs] = [2, 100];

/** The numbered changes that some receivers have not drained yet. */
export interface PendingChanges {
  /** The number of the next change. */
  readonly end: number;
  between(from: number, to: number): readonly SequencedChange[];
}

/** A receiver of changes: `drain` takes the changes up to a number. */
export interface Receiver {
  drain(until: number): void;
}

/** Delivers changes in batches: one is planned when the first change arrives, and delivers what has arrived by then. */
export class Batcher implements PendingChanges {
  /** The number of the first change that is kept. */
  #first = 0;
  #changes: SequencedChange[] = [];
  /** The end of the rest after the last batch, by `performance.now()`. */
  #restsUntil = 0;
  #isPlanned = false;

  constructor(private readonly receivers: Iterable<Receiver>) {}

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
    if (rest < 1) setImmediate(() => void this.#deliverBatch());
    else setTimeout(() => void this.#deliverBatch(), rest);
  }

  async #deliverBatch(): Promise<void> {
    const isOverfull = this.#changes.length > maxWaiting;
    const count = isOverfull ? this.#changes.length : Math.min(this.#changes.length, maxPerBatch);
    const worked = await this.#drainAll(this.#first + count, isOverfull);
    this.#changes = this.#changes.slice(count);
    this.#first += count;
    this.#restsUntil = performance.now() + Math.min(maxRestMs, restFactor * worked);
    // no rest while changes are left
    if (this.#changes.length > 0) setImmediate(() => void this.#deliverBatch());
    else this.#isPlanned = false;
  }

  /** Drains the changes up to a number to all receivers. @returns milliseconds of work */
  async #drainAll(until: number, atOnce: boolean): Promise<number> {
    let [worked, began] = [0, performance.now()];
    for (const receiver of this.receivers) {
      receiver.drain(until);
      if (atOnce || performance.now() - began < sliceMs) continue;
      worked += performance.now() - began;
      await yieldNow();
      began = performance.now();
    }
    return worked + performance.now() - began;
  }
}
