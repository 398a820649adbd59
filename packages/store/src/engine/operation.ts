/** A running command: its time limit, its interruption, and when it yields to others. */
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import type { Scheduler } from './scheduler.ts';

/**
 * While several steps together take less than this many milliseconds, the clock is read only every few steps, up to a
 * maximum.
 */
const shortSteps = 0.5;
const maxStride = 16;
/** Slices that the commands which arrive in one turn of the event loop may take together. */
const slicesOfArrivals = 4;
/** Milliseconds that a command is presumed to run if one of its steps may take long. */
const presumedMs = 20;

const expired = (): StoreError => new StoreError(50, 'operation exceeded time limit');
const interrupted = (): StoreError => new StoreError(11601, 'operation was interrupted');

/** What a command is, and who sent it. */
export interface Origin {
  /** The name of its row in the command table. */
  readonly name: string;
  /** What it works on: `db.collection`, or `db.$cmd` if no collection is named. */
  readonly ns: string;
  /** The command as its client sent it, without document sequences. */
  readonly command: Doc;
  readonly client: Sender;
}

/** A connection as `currentOp` reports it. */
export interface Sender {
  readonly id: number;
  /** The address of the client. */
  readonly address: string;
  /** How the client described itself in its first `hello`. */
  readonly metadata: Doc | undefined;
}

/** Longest time of a timer in milliseconds. */
const maxTimer = 2 ** 31 - 1;

/** A running command. */
export class Operation {
  readonly id: number;
  readonly origin: Origin;
  readonly startedAt = Date.now();
  readonly #scheduler: Scheduler;
  readonly #begun = performance.now();
  readonly #sliceMs: number;
  #deadline = Number.POSITIVE_INFINITY;
  /** When its time slice began, and the milliseconds of the slices before. */
  #sliceStart = performance.now();
  #usedMs = 0;
  /** The steps until the next clock reading, the current stride, and the time of the last reading. */
  #stepsLeft = 0;
  #stride = 1;
  #lookedAt = this.#sliceStart;
  #interrupted = false;
  #yieldCount = 0;
  readonly #onInterrupt = new Set<() => void>();

  constructor(id: number, origin: Origin, scheduler: Scheduler, sliceMs: number) {
    this.id = id;
    this.origin = origin;
    this.#scheduler = scheduler;
    this.#sliceMs = sliceMs;
    scheduler.arrive();
  }

  get name(): string {
    return this.origin.name;
  }

  /** The time since its start, in microseconds. */
  get microseconds(): number {
    return Math.round((performance.now() - this.#begun) * 1000);
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
   * Waits for an event, an interruption, or the end of a time.
   * @param listen subscribes to the event; the returned function unsubscribes
   */
  wait(milliseconds: number, listen: (callback: () => void) => () => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, Math.min(milliseconds, maxTimer));
      const stopListening = listen(done);
      const stopEnd = this.onInterrupt(done);
      function done(): void {
        clearTimeout(timer);
        stopListening();
        stopEnd();
        resolve();
      }
    });
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
   * Whether the command has run for its time slice, or those that have arrived together for several. Call it after
   * each step. While steps are short, it does not read the clock each time: reading it costs as much as examining a
   * small document.
   */
  due(): boolean {
    if (this.#stepsLeft > 0) {
      this.#stepsLeft -= 1;
      return false;
    }
    const now = performance.now();
    this.#stride = now - this.#lookedAt < shortSteps ? Math.min(this.#stride * 2, maxStride) : 1;
    this.#lookedAt = now;
    const over =
      now - this.#sliceStart > this.#sliceMs || this.#scheduler.arrivalsMs(now) > this.#sliceMs * slicesOfArrivals;
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

  /** Waits until it may begin. A command calls it first if one of its steps may take long. */
  async enter(): Promise<void> {
    this.#usedMs = presumedMs;
    if (this.#scheduler.claim()) return;
    await this.#scheduler.turn(this.#usedMs);
    this.resume();
    this.checkTime();
  }

  /** Yields to everything that has arrived meanwhile, and to commands that have run less. */
  async yieldNow(): Promise<void> {
    this.#usedMs += performance.now() - this.#sliceStart;
    await this.#scheduler.turn(this.#usedMs);
    this.#yieldCount += 1;
    this.resume();
    this.checkTime();
  }

  /** Yields if the time slice is over. Call it between two batches of work. */
  async yield(): Promise<void> {
    if (this.due()) await this.yieldNow();
  }
}
