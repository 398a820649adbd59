/** Runs database work and converts its errors to failures. */
import { fromDatabase } from '../models/database-errors.ts';
import { mongo } from '../models/mongoose.ts';

/** @throws Failure as `fromDatabase` describes */
export async function withDbErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** Whether a write failed because another one has written the same key. */
export const isTaken = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 11000;
