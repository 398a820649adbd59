/** A time that all servers of a database agree on, although their clocks differ. */

import type { SharedClock } from './contract.ts';

/** Milliseconds after which the database is asked again: monotonic clocks differ too, by less than 0.1 %. */
const maxAgeMs = 60_000;
/** Maximum milliseconds of an answer that replaces an earlier one: the time may be wrong by half of it. */
const maxTripMs = 1000;

/** The database's clock, carried on by the monotonic clock of this process. */
export class DatabaseClock implements SharedClock {
  /** The database's time less the monotonic one. */
  #offset: number | undefined;
  #measuredAt = -Infinity;
  #measuring: Promise<void> | undefined;

  /** @param ask asks the database for its time @param elapsed monotonic milliseconds */
  constructor(
    private readonly ask: () => Promise<Date>,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  async now(): Promise<number> {
    if (this.elapsed() - this.#measuredAt > maxAgeMs)
      await (this.#measuring ??= this.#measure().finally(() => (this.#measuring = undefined)));
    return this.estimate();
  }

  estimate(): number {
    return this.#offset === undefined ? Date.now() : this.elapsed() + this.#offset;
  }

  async #measure(): Promise<void> {
    const sent = this.elapsed();
    try {
      const time = (await this.ask()).getTime();
      const received = this.elapsed();
      if (this.#offset !== undefined && received - sent > maxTripMs) return;
      this.#offset = time - (sent + received) / 2;
      this.#measuredAt = received;
    } catch (error) {
      // the monotonic clock continues without the database
      if (this.#offset === undefined) throw error;
    }
  }
}

/** A clock that a program gives is taken for that of all its servers. @param clock the time */
export const programClock = (clock: () => Date): SharedClock => ({
  now: () => Promise.resolve(clock().getTime()),
  estimate: () => clock().getTime(),
});
