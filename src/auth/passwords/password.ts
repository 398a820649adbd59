/** Hashes and compares passwords in at most four worker threads, which the processes of a server share out. */
import { availableParallelism } from 'node:os';
import { badValue } from '../../errors/errors.ts';
import { hashFault } from '../../models/password-hashes.ts';
import type { Settings } from '../../settings/types.ts';
import { plainEmail } from '../../text/email.ts';
import type { PasswordContext, Passwords } from './contract.ts';
import { HashPool } from './hash-pool.ts';

/** bcrypt uses this many bytes; longer passwords are refused instead of truncated. */
const maxBytes = 72;

/** @throws 400 for a password that breaks a rule */
type CheckPassword = (password: string, place: PasswordContext) => Promise<void>;

function passwordRules(settings: Settings): CheckPassword {
  const { password_min_length: shortest, password_common: allowsCommon, production } = settings;
  const isCommon = commonPasswords();
  return async (password, { path = 'password', names = {} }) => {
    const fault = hashFault(password);
    if (fault !== undefined) throw badValue(path, 'hash', fault);
    if (password.length < shortest)
      throw badValue(
        path,
        'minlength',
        shortest === 1 ? 'must not be empty' : `must have at least ${shortest} characters`,
      );
    if (Buffer.byteLength(password) > maxBytes)
      throw badValue(path, 'maxlength', `must have at most ${maxBytes} bytes`);
    if (password.includes('\0')) throw badValue(path, 'regexp', 'must not contain a NUL character');
    if (!production) return;
    for (const [field, name] of Object.entries(names))
      if (typeof name === 'string' && plainEmail(password) === plainEmail(name))
        throw badValue(path, field, `must not be the ${field}`);
    if (!allowsCommon && (await isCommon(password)))
      throw badValue(path, 'common', 'is one of the 10,000 most common passwords: choose another one');
  };
}

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

/** How many of them are refused. */
const refused = 10_000;

/** @returns whether a password is one of them, in any letter case. The list is loaded at the first call. */
function commonPasswords(): (password: string) => Promise<boolean> {
  let list: Promise<ReadonlySet<string>> | undefined;
  return async (password) => (await (list ??= load())).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, refused));
}
