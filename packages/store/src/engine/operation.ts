/** One command under way: its time limit, whether it was ended from outside, and when it gives way to others. */
import { StoreError } from 'dossier-language/errors';

/** Steps shorter than this together, in milliseconds, are counted more than one at a time; at most so many. */
const shortSteps = 0.5;
const mostSteps = 16;

const expired = (): StoreError => new StoreError(50, 'operation exceeded time limit');
const interrupted = (): StoreError => new StoreError(11601, 'operation was interrupted');

/** A command's clock. */
export class Operation {
  readonly id: number;
  readonly name: string;
  readonly ns: string;
  readonly startedAt = Date.now();
  readonly #sliceMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  #sliceStart = performance.now();
  /** Steps until the next look at the clock, as many as were between the last two looks, and when the last one was. */
  #stepsLeft = 0;
  #stride = 1;
  #lookedAt = this.#sliceStart;
  #ended = false;
  #pauses = 0;
  readonly #onEnd = new Set<() => void>();

  constructor(id: number, name: string, ns: string, sliceMs: number) {
    this.id = id;
    this.name = name;
    this.ns = ns;
    this.#sliceMs = sliceMs;
  }

  /** Sets the command's time limit; 0 is none. */
  limitTime(maxTimeMS: number): void {
    if (maxTimeMS > 0) this.#deadline = performance.now() + maxTimeMS;
  }

  /** Milliseconds that are left of the limit; Infinity without one. */
  get left(): number {
    return this.#deadline - performance.now();
  }

  /** Goes on with what another command has left of its limit. */
  goOn(left: number): void {
    this.#deadline = performance.now() + left;
  }

  /** Ends the command at its next check. */
  end(): void {
    this.#ended = true;
    for (const callback of this.#onEnd) callback();
    this.#onEnd.clear();
  }

  /** Calls back when the command is ended from outside; the answer takes the callback away again. */
  onEnd(callback: () => void): () => void {
    this.#onEnd.add(callback);
    return () => this.#onEnd.delete(callback);
  }

  /**
   * Called in the middle of a long step; the clock is looked at after it.
   * @throws StoreError 50 when the time is over, 11601 when the command was ended
   */
  checkTime(): void {
    this.#stepsLeft = 0;
    if (this.#ended) throw interrupted();
    if (performance.now() > this.#deadline) throw expired();
  }

  /**
   * Whether the command has worked long enough to let others go first; asked after each step of its work. While steps
   * are short, the clock, which costs as much as looking at a small document, is not looked at after each.
   */
  due(): boolean {
    if (this.#stepsLeft > 0) {
      this.#stepsLeft -= 1;
      return false;
    }
    const now = performance.now();
    this.#stride = now - this.#lookedAt < shortSteps ? Math.min(this.#stride * 2, mostSteps) : 1;
    this.#lookedAt = now;
    const over = now - this.#sliceStart > this.#sliceMs;
    this.#stepsLeft = over ? 0 : this.#stride - 1;
    return over;
  }

  /** How often others could go first. */
  get pauses(): number {
    return this.#pauses;
  }

  /** Begins to work after a wait. */
  resume(): void {
    this.#sliceStart = performance.now();
  }

  /** Lets everything that has arrived in the meantime go first. */
  async giveWay(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#pauses += 1;
    this.#sliceStart = performance.now();
    this.checkTime();
  }

  /** Gives way when it is due; called between two batches of work. */
  async yield(): Promise<void> {
    if (this.due()) await this.giveWay();
  }
}
