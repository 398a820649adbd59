/** A time limit for promises that have none of their own. */

/**
 * Waits for a promise up to a time limit. The work continues after that unless `onTimeout` stops it.
 * @param milliseconds the time limit
 * @param onTimeout creates what ends the returned promise when the limit is reached: an error, or a promise that it follows
 */
export function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  onTimeout: () => Error | Promise<T>,
): Promise<T> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      const end = onTimeout();
      if (end instanceof Error) failed(end);
      else done(end);
    }, milliseconds);
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(timer);
        settle(value);
      };
    work.then(end(done), end(failed));
  });
}
