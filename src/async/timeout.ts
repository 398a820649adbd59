/** A time limit for promises that have none of their own. */

/**
 * Waits for a promise up to a time limit. The work goes on after that, unless `onTimeout` stops it.
 * @param milliseconds the time limit
 * @param onTimeout makes the error that the returned promise rejects with when the limit is reached
 */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
