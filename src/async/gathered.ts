/** Does what concurrent callers want at once. */

/** One or more. */
export type Some<T> = readonly [T, ...T[]];

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (outcome: O | PromiseLike<O>) => void;
  readonly reject: (error: unknown) => void;
}

/** What the next call is for. */
type Gathering<I, O> = [Waiting<I, O>, ...Waiting<I, O>[]];

/**
 * Gathers the items that are given in one turn of the event loop, so that items of concurrent requests cost one call, and one that is
 * alone waits for nothing.
 * @param max items of one call
 * @param run returns what settles each item, in their order; what it throws is the error of all
 * @returns takes an item; those with the same key are run together
 */
export function gathered<K extends object, I, O>(
  max: number,
  run: (key: K, items: Some<I>) => Promise<readonly (() => Promise<O>)[]>,
): (key: K, item: I) => Promise<O> {
  const open = new WeakMap<K, Gathering<I, O>>();

  async function settle(key: K, waiting: Some<Waiting<I, O>>): Promise<void> {
    try {
      const [first, ...others] = waiting;
      const settling = await run(key, [first.item, ...others.map(({ item }) => item)]);
      for (const [at, { resolve, reject }] of waiting.entries()) {
        const outcome = settling[at];
        if (outcome === undefined) reject(new Error('an item has no outcome'));
        else resolve(outcome());
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = open.get(key);
      if (waiting !== undefined && waiting.length < max) return void waiting.push({ item, resolve, reject });
      const begun: Gathering<I, O> = [{ item, resolve, reject }];
      open.set(key, begun);
      setImmediate(() => {
        if (open.get(key) === begun) open.delete(key);
        void settle(key, begun);
      });
    });
}
