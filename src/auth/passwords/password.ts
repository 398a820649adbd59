/** Hashes and compares passwords in at most four worker threads, which the processes of a server share out. */
import { availableParallelism } from 'node:os';
import type { Settings } from '../../settings/types.ts';
import type { Passwords } from './contract.ts';
import { HashPool } from './hash-pool.ts';
import { maxBytes, passwordRules } from './rules.ts';

const maxThreads = 4;

/** A hash that no password fits, at the cost in force, so that unknown users take as long as known ones. */
const decoyHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(22)}${'/'.repeat(31)}`;

export function makePasswords(settings: Settings): Passwords {
  const check = passwordRules(settings);
  const pool = new HashPool(
    Math.max(1, Math.ceil(Math.min(maxThreads, availableParallelism()) / settings.workers)),
    settings.query_limits.max_time_ms,
  );
  return {
    async hash(password, by, place = {}, task = undefined) {
      await check(password, place);
      return (await pool.run({ kind: 'hash', by, password, cost: settings.bcrypt_cost }, task)) as string;
    },
    async matches(password, hash, by) {
      const fits = await pool.run({ kind: 'login', by, password, hash: hash ?? decoyHash(settings.bcrypt_cost) });
      return fits === true && hash !== undefined && Buffer.byteLength(password) <= maxBytes;
    },
    close: () => pool.close(),
  };
}
