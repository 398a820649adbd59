/** A time limit for promises that have none of their own. */

/**
 * Waits for a promise up to a time limit. The work continues after that unless `onTimeout` stops it.
 * @param milliseconds the time limit
 * @param onTimeout creates the error with which the returned promise rejects when the limit is reached
 */
export function withTimeout<T>(milliseconds: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(onTimeout()), milliseconds);
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(timer);
        settle(value);
      };
    work.then(end(done), end(failed));
  });
}
