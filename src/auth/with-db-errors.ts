/** Work with the database, its errors turned into failures. */
import { fromDatabase } from '../models/database-errors.ts';
import { mongo } from '../models/mongoose.ts';

/** @throws Failure for what the database's error means to a caller */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** Whether a write failed because somebody else had written the same key. */
export const isTaken = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 11000;
