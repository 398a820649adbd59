/** Checks the rules for passwords, and hashes and compares them in at most four worker threads. */
import { availableParallelism } from 'node:os';
import { badValue } from '../../errors.ts';
import type { Settings } from '../../settings/types.ts';
import type { Passwords } from '../contract.ts';
import { HashPool } from './hash-pool.ts';

const maxThreads = 4;
/** bcrypt uses this many bytes; longer passwords are refused instead of truncated. */
const maxBytes = 72;

/** A hash that no password fits, at the cost in force, so that unknown users take as long as known ones. */
const decoyHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'/'.repeat(31)}`;

export function makePasswords(settings: Settings): Passwords {
  const pool = new HashPool(
    Math.min(maxThreads, Math.max(1, availableParallelism())),
    settings.query_limits.max_time_ms,
  );
  return {
    async hash(password, by, path = 'password', task = undefined) {
      const { password_min_length: shortest, bcrypt_cost: cost } = settings;
      if (password.length < shortest)
        throw badValue(
          path,
          'minlength',
          shortest === 1 ? 'must not be empty' : `must have at least ${shortest} characters`,
        );
      if (Buffer.byteLength(password) > maxBytes)
        throw badValue(path, 'maxlength', `must have at most ${maxBytes} bytes`);
      if (password.includes('\0')) throw badValue(path, 'regexp', 'must not contain a NUL character');
      return (await pool.run({ kind: 'hash', by, password, cost }, task)) as string;
    },
    async matches(password, hash, by) {
      const fits = await pool.run({ kind: 'login', by, password, hash: hash ?? decoyHash(settings.bcrypt_cost) });
      return fits === true && hash !== undefined && Buffer.byteLength(password) <= maxBytes;
    },
    close: () => pool.close(),
  };
}
