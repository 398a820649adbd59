/** The worker thread that hashes and compares passwords. */
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

/** A task from the main thread: to hash a password, or to compare it to a hash. */
type HashMessage = { readonly id: number; readonly password: string } & (
  { readonly cost: number; readonly hash?: undefined } | { readonly hash: string; readonly cost?: undefined }
);
export interface HashResult {
  readonly id: number;
  readonly result?: string | boolean;
  readonly error?: string;
}

parentPort?.on('message', ({ id, password, cost, hash }: HashMessage) => {
  const answer = (result: HashResult): void => parentPort?.postMessage(result);
  try {
    answer({ id, result: hash === undefined ? bcrypt.hashSync(password, cost) : bcrypt.compareSync(password, hash) });
  } catch (error) {
    answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
