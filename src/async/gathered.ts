/** Does what concurrent callers want at once. */

/** One or more. */
export type Some<T> = readonly [T, ...T[]];

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (outcome: O | PromiseLike<O>) => void;
  readonly reject: (error: unknown) => void;
}

/** @returns what settles each item, in their order; what it throws is the error of all */
type Run<I, O> = (items: Some<I>) => Promise<readonly (() => Promise<O>)[]>;

export interface GatheringOptions {
  /** Maximum items of one call. */
  readonly max: number;
  /** Milliseconds for which a call with fewer items waits until another one ends; 0 waits for none. */
  readonly maxWaitMs?: () => number;
}

/** The items of one key. */
class Gathering<I, O> {
  /** What the next call is for. */
  #next: Waiting<I, O>[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: GatheringOptions,
    private readonly run: Run<I, O>,
  ) {}

  add(one: Waiting<I, O>): void {
    const { max, maxWaitMs } = this.options;
    const next = this.#next;
    next.push(one);
    if (next.length >= max) return this.#start(next);
    if (next.length > 1) return;
    setImmediate(() => {
      if (next !== this.#next) return;
      const wait = this.#running === 0 ? 0 : (maxWaitMs?.() ?? 0);
      if (wait === 0) this.#start(next);
      else this.#timer = setTimeout(() => this.#start(next), wait);
    });
  }

  /** Begins the next call, unless it has begun. */
  #start(next: Waiting<I, O>[]): void {
    const [first, ...others] = next;
    if (next !== this.#next || first === undefined) return;
    this.#next = [];
    clearTimeout(this.#timer);
    void this.#settle([first, ...others]);
  }

  async #settle(waiting: Some<Waiting<I, O>>): Promise<void> {
    this.#running += 1;
    try {
      const [first, ...others] = waiting;
      const settling = await this.run([first.item, ...others.map(({ item }) => item)]);
      for (const [at, { resolve, reject }] of waiting.entries()) {
        const outcome = settling[at];
        if (outcome === undefined) reject(new Error('an item has no outcome'));
        else resolve(outcome());
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    this.#running -= 1;
    // callers that have been answered may have more
    const next = this.#next;
    setImmediate(() => this.#start(next));
  }
}

/**
 * Gathers the items that are given in one turn of the event loop, so that items of concurrent requests cost one call. Without
 * `maxWaitMs` they wait for nothing else.
 * @param run is called with the items of one key
 * @returns takes an item; those with the same key are run together
 */
export function gatherer<K extends object, I, O>(
  options: GatheringOptions,
  run: (key: K, ...items: Parameters<Run<I, O>>) => ReturnType<Run<I, O>>,
): (key: K, item: I) => Promise<O> {
  const gatherings = new WeakMap<K, Gathering<I, O>>();
  const gatheringOf = (key: K): Gathering<I, O> => {
    const gathering = gatherings.get(key) ?? new Gathering(options, (items) => run(key, items));
    gatherings.set(key, gathering);
    return gathering;
  };
  return (key, item) => new Promise((resolve, reject) => gatheringOf(key).add({ item, resolve, reject }));
}
