/** How many processes use a database now: each holds a lease while it counts requests. */
import { randomUUID } from 'node:crypto';
import type { DatabaseRows } from './database-rows.ts';

/** Milliseconds between two signs of life, and those after which a process without them is gone. */
const beatMs = 5000;
const goneMs = 3 * beatMs;

const prefix = 'process ';

/** Processes that are counted at least: one that joins is known to the others only after their next sign of life. */
const minCount = 2;

export class Presence {
  readonly #id = randomUUID();
  readonly #key = prefix + this.#id;
  #count = minCount;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void>;
  #isClosed = false;

  /** @param onBeat receives whether the database has answered */
  constructor(
    private readonly rows: Pick<DatabaseRows, 'take' | 'free' | 'leases'>,
    private readonly onBeat: (isThere: boolean) => void,
  ) {
    this.#beating = this.#beat();
  }

  /** The number of processes at the last sign of life, this one included; at least two. */
  get count(): number {
    return this.#count;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.rows.free(this.#key, this.#id).catch(() => undefined);
  }

  async #beat(): Promise<void> {
    try {
      await this.rows.take(this.#key, this.#id, goneMs);
      this.#count = Math.max(minCount, await this.rows.leases(prefix));
      this.onBeat(true);
    } catch {
      this.onBeat(false);
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void (this.#beating = this.#beat()), beatMs).unref();
  }
}
