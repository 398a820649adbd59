/** When sessions and keys were last used: in memory at once, in the database at most once in an interval. */
/** Maximum entries in memory; beyond it all are dropped, and the next uses are written. */
const maxEntries = 10_000;

interface Use {
  readonly at: number;
  /** When a use was last written. */
  readonly written: number;
}

export class LastUse {
  readonly #uses = new Map<string, Use>();

  /**
   * @param write stores the time of a use
   * @param intervalMs between two writes about one session or key
   */
  constructor(
    private readonly write: (id: string, at: Date) => Promise<unknown>,
    private readonly clock: () => Date,
    private readonly intervalMs: number,
  ) {}

  /** Records a use now. A write, if it is time for one, happens in the background. */
  record(id: string): void {
    const at = this.clock().getTime();
    const written = this.#uses.get(id)?.written ?? -Infinity;
    // the clock may be set back
    const isDue = Math.abs(at - written) >= this.intervalMs;
    if (this.#uses.size >= maxEntries && !this.#uses.has(id)) this.#uses.clear();
    this.#uses.set(id, { at, written: isDue ? at : written });
    if (isDue) this.#write(id, at);
  }

  /** The later of the stored time and the last use that this server has seen. */
  latest(id: string, stored: unknown): Date | undefined {
    const seen = this.#uses.get(id)?.at ?? -Infinity;
    const written = stored instanceof Date ? stored.getTime() : -Infinity;
    const last = Math.max(seen, written);
    return last === -Infinity ? undefined : new Date(last);
  }

  drop(id: string): void {
    this.#uses.delete(id);
  }

  #write(id: string, at: number): void {
    this.write(id, new Date(at)).catch(() => {
      // the next use is written instead
      this.#uses.delete(id);
    });
  }
}

/** The latest time of each user. */
export function latestByUser(uses: Iterable<readonly [user: string, at: Date | undefined]>): ReadonlyMap<string, Date> {
  const latest = new Map<string, Date>();
  for (const [user, at] of uses) {
    const known = latest.get(user);
    if (at !== undefined && (known === undefined || known < at)) latest.set(user, at);
  }
  return latest;
}
