/** Runs database work and converts its errors to failures. */
import { fromDatabase } from './database-errors.ts';

/** @throws Failure as `fromDatabase` describes */
export async function withDbErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromDatabase(error);
  }
}
