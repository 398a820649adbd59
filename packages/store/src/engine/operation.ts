/** A running command: its time limit, its interruption, and when it yields to others. */
import { StoreError } from 'dossier-language/errors';

/**
 * While several steps together take less than this many milliseconds, the clock is read only every few steps, up to a
 * maximum.
 */
const shortSteps = 0.5;
const maxStride = 16;

const expired = (): StoreError => new StoreError(50, 'operation exceeded time limit');
const interrupted = (): StoreError => new StoreError(11601, 'operation was interrupted');

/** A running command. */
export class Operation {
  readonly id: number;
  readonly name: string;
  readonly ns: string;
  readonly startedAt = Date.now();
  readonly #sliceMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  #sliceStart = performance.now();
  /** The steps until the next clock reading, the current stride, and the time of the last reading. */
  #stepsLeft = 0;
  #stride = 1;
  #lookedAt = this.#sliceStart;
  #interrupted = false;
  #yieldCount = 0;
  readonly #onInterrupt = new Set<() => void>();

  constructor(id: number, name: string, ns: string, sliceMs: number) {
    this.id = id;
    this.name = name;
    this.ns = ns;
    this.#sliceMs = sliceMs;
  }

  /** Sets the time limit in milliseconds; 0 means none. */
  limitTime(maxTimeMS: number): void {
    if (maxTimeMS > 0) this.#deadline = performance.now() + maxTimeMS;
  }

  /** The remaining milliseconds of the time limit; Infinity without a limit. */
  get remainingMs(): number {
    return this.#deadline - performance.now();
  }

  /** Sets the time limit to the remaining time of an earlier command. */
  setRemaining(remainingMs: number): void {
    this.#deadline = performance.now() + remainingMs;
  }

  /** Interrupts the command at its next check. */
  interrupt(): void {
    this.#interrupted = true;
    for (const callback of this.#onInterrupt) callback();
    this.#onInterrupt.clear();
  }

  /** Subscribes to the interruption; the returned function unsubscribes. */
  onInterrupt(callback: () => void): () => void {
    this.#onInterrupt.add(callback);
    return () => this.#onInterrupt.delete(callback);
  }

  /**
   * Call it during a long step: it checks the time limit and makes the next `due` read the clock.
   * @throws StoreError 50 after the time limit, 11601 after an interruption
   */
  checkTime(): void {
    this.#stepsLeft = 0;
    if (this.#interrupted) throw interrupted();
    if (performance.now() > this.#deadline) throw expired();
  }

  /**
   * Whether the command has run for its time slice. Call it after each step. While steps are short, it does not read
   * the clock each time: reading it costs as much as examining a small document.
   */
  due(): boolean {
    if (this.#stepsLeft > 0) {
      this.#stepsLeft -= 1;
      return false;
    }
    const now = performance.now();
    this.#stride = now - this.#lookedAt < shortSteps ? Math.min(this.#stride * 2, maxStride) : 1;
    this.#lookedAt = now;
    const over = now - this.#sliceStart > this.#sliceMs;
    this.#stepsLeft = over ? 0 : this.#stride - 1;
    return over;
  }

  /** How often the command has yielded. */
  get yieldCount(): number {
    return this.#yieldCount;
  }

  /** Starts a new time slice after a wait. */
  resume(): void {
    this.#sliceStart = performance.now();
  }

  /** Yields to everything that has arrived meanwhile. */
  async yieldNow(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#yieldCount += 1;
    this.#sliceStart = performance.now();
    this.checkTime();
  }

  /** Yields if the time slice is over. Call it between two batches of work. */
  async yield(): Promise<void> {
    if (this.due()) await this.yieldNow();
  }
}
