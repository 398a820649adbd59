/**
 * Whether many connections arrive together. A process accepts them one by one, each in an iteration of the event loop of its own. So a
 * connection waits in the kernel's queue for the work of all before it, a health check too, and no rule of Dossier applies to what waits
 * there. While a burst lasts, its requests wait with no work done for them: the iterations are short, and all connections are accepted
 * soon.
 */

/** Connections within the milliseconds that are no burst yet, such as those of a browser. */
const few = 16;
const windowMs = 100;
/** Milliseconds within which the primary hands a worker its next connection: it waits for the worker's answer before each. */
const handOverMs = 5;

export interface BurstOptions {
  /** Milliseconds that a burst may delay requests. */
  readonly maxMs: number;
  /** Milliseconds since any moment. */
  readonly elapsed: () => number;
  /** Calls back when the next connection would have arrived. */
  readonly later: (look: () => void) => unknown;
}

/** When a process looks for the next connection: one that accepts them itself, or one that the primary hands them. */
export const nextConnection = {
  accepted: (look: () => void): unknown => setImmediate(look),
  handedOver: (look: () => void): unknown => setTimeout(look, handOverMs),
};

export class ConnectionBurst {
  /** Resolves when the burst is over; undefined when there is none. */
  end: Promise<void> | undefined;
  #begun = -Infinity;
  #count = 0;
  #hasAccepted = false;

  constructor(private readonly options: BurstOptions) {}

  /** Called for each new connection. */
  accepted(): void {
    const now = this.options.elapsed();
    if (now - this.#begun > windowMs) {
      this.#begun = now;
      this.#count = 0;
    }
    this.#count += 1;
    this.#hasAccepted = true;
    if (this.#count > few) this.end ??= this.#watch(now);
  }

  /** Looks whether the next connection has arrived, until none has. */
  #watch(begun: number): Promise<void> {
    const { maxMs, elapsed, later } = this.options;
    return new Promise((done) => {
      const look = (): void => {
        if (this.#hasAccepted && elapsed() - begun < maxMs) {
          this.#hasAccepted = false;
          later(look);
          return;
        }
        this.end = undefined;
        done();
      };
      later(look);
    });
  }
}
