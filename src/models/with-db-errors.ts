/** Converts the database's errors where they would be taken for others; elsewhere what answers a caller does it (`http/failures.ts`). */
import { fromDatabase } from './database-errors.ts';

/** @throws Failure as `fromDatabase` describes */
export async function withDbErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromDatabase(error);
  }
}
