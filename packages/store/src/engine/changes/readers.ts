/** How far open change streams have read, so that the history keeps what they have not read yet. */

/** How far one change stream has read. */
export interface Reader {
  /**
   * The stream has read all events before a number.
   * @param isWaiting the stream waits for the next event, and counts as active until the next call
   */
  readTo(next: number, isWaiting?: boolean): void;
  /** The stream is closed. */
  close(): void;
}

interface Place {
  next: number;
  /** By `performance.now()`; Infinity while the stream waits for events. */
  usedAt: number;
}

/** The open change streams of a store. */
export class Readers {
  readonly #activeMs: number;
  readonly #moved: () => void;
  readonly #places = new Set<Place>();
  /** No active reader is before this number; it may be lower than necessary. */
  #lowest = Number.POSITIVE_INFINITY;

  /**
   * @param activeMs milliseconds without a read after which a reader is no longer active
   * @param moved called when a reader has read more, or is closed
   */
  constructor(activeMs: number, moved: () => void) {
    this.#activeMs = activeMs;
    this.#moved = moved;
  }

  /** Adds a reader whose first event has a number. */
  open(first: number): Reader {
    const place: Place = { next: first, usedAt: performance.now() };
    this.#places.add(place);
    this.#lowest = Math.min(this.#lowest, first);
    return {
      readTo: (next, isWaiting = false) => {
        place.next = next;
        place.usedAt = isWaiting ? Number.POSITIVE_INFINITY : performance.now();
        // a reader that was not active is not in the bound
        this.#lowest = Math.min(this.#lowest, next);
        this.#moved();
      },
      close: () => {
        if (this.#places.delete(place)) this.#moved();
      },
    };
  }

  /** Whether an active reader has not read an event yet. */
  needs(sequence: number): boolean {
    if (sequence < this.#lowest) return false;
    const activeSince = performance.now() - this.#activeMs;
    this.#lowest = Number.POSITIVE_INFINITY;
    for (const { next, usedAt } of this.#places) {
      if (usedAt > activeSince) this.#lowest = Math.min(this.#lowest, next);
    }
    return sequence >= this.#lowest;
  }
}
