/** The read positions of open change streams, so that the history keeps unread events. */

/** The read position of one change stream. */
export interface Reader {
  /**
   * Records that the stream has read all events before a number.
   * @param isWaiting the stream waits for the next event and counts as active until the next call
   */
  readTo(next: number, isWaiting?: boolean): void;
  /** Removes the reader. */
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
  /** A lower bound for the positions of all active readers. */
  #lowest = Number.POSITIVE_INFINITY;

  /**
   * @param activeMs milliseconds without a read after which a reader is inactive
   * @param moved called when a reader advances or closes
   */
  constructor(activeMs: number, moved: () => void) {
    this.#activeMs = activeMs;
    this.#moved = moved;
  }

  /** Adds a reader at a position. */
  open(first: number): Reader {
    const place: Place = { next: first, usedAt: performance.now() };
    this.#places.add(place);
    this.#lowest = Math.min(this.#lowest, first);
    return {
      readTo: (next, isWaiting = false) => {
        place.next = next;
        place.usedAt = isWaiting ? Number.POSITIVE_INFINITY : performance.now();
        // the bound excludes inactive readers
        this.#lowest = Math.min(this.#lowest, next);
        this.#moved();
      },
      close: () => {
        if (this.#places.delete(place)) this.#moved();
      },
    };
  }

  /** The lowest position of the active readers; Infinity if there are none. */
  get lowest(): number {
    const activeSince = performance.now() - this.#activeMs;
    this.#lowest = Number.POSITIVE_INFINITY;
    for (const { next, usedAt } of this.#places) {
      if (usedAt > activeSince) this.#lowest = Math.min(this.#lowest, next);
    }
    return this.#lowest;
  }

  /** Whether an active reader has not read an event yet. */
  needs(sequence: number): boolean {
    return sequence >= this.#lowest && sequence >= this.lowest;
  }
}
