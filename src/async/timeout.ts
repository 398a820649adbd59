/** A time limit for promises that have none of their own. */

/**
 * Waits for a promise up to a time limit. The work continues after that unless `onTimeout` stops it.
 * @param milliseconds the time limit
 * @param onTimeout creates the error with which the returned promise rejects when the limit is reached
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
