/**
 * Decides which command runs next. Commands share one thread: each runs for a slice and then waits for its next turn.
 * One waiting command runs per turn of the event loop, so that what has arrived meanwhile is served in between. Of the
 * waiting ones, that which has run least goes first.
 */

/** By how many milliseconds of waiting one millisecond of running is made up for. */
const waitingPerRunning = 50;
/** The maximum of it: a command that has waited for longer is not overtaken by new ones, so that none starves. */
const maxHeadStart = 2000;

interface Waiter {
  /** The lowest goes first. It does not change while a command waits: waiting counts as having run less. */
  readonly rank: number;
  readonly resume: () => void;
}

export class Scheduler {
  /** By rank. */
  readonly #waiting: Waiter[] = [];
  /** When the first of the commands began that have arrived in this turn of the event loop. */
  #arrivals: number | undefined;
  /** Whether this turn has a command that waited, or of which one step may take long. */
  #isClaimed = false;
  #isPlanned = false;

  /** Registers a new command, which begins at once. */
  arrive(): void {
    if (this.#arrivals !== undefined) return;
    this.#arrivals = performance.now();
    this.#plan();
  }

  /** Milliseconds for which the commands that have arrived in this turn of the event loop have run. */
  arrivalsMs(now: number): number {
    return this.#arrivals === undefined ? 0 : now - this.#arrivals;
  }

  /** Begins a command of which one step may take long. @returns false if it has to wait, because another runs or waits */
  claim(): boolean {
    if (this.#isClaimed || this.#waiting.length > 0) return false;
    this.#isClaimed = true;
    this.#plan();
    return true;
  }

  /** Waits for a turn of the event loop. @param usedMs milliseconds that the command has run */
  turn(usedMs: number): Promise<void> {
    const rank = performance.now() + Math.min(usedMs * waitingPerRunning, maxHeadStart);
    return new Promise((resume) => {
      this.#waiting.splice(this.#placeOf(rank), 0, { rank, resume });
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#isPlanned = false;
    this.#arrivals = undefined;
    this.#isClaimed = next !== undefined;
    if (next === undefined) return;
    this.#plan();
    next.resume();
  }

  /** Behind all that have the same rank. */
  #placeOf(rank: number): number {
    let from = 0;
    let to = this.#waiting.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#waiting[middle]?.rank ?? 0) <= rank) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
