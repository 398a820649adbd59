/** Passwords that fitted a moment ago, bound to their hash, so that Basic does not cost a bcrypt comparison on every request. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Passwords } from '../contract.ts';

/** Milliseconds for which a positive answer is remembered. */
const rememberedFor = 60_000;
const maxEntries = 10_000;

/** The same as `passwords.matches`, but for what is remembered. Negative answers are never remembered. */
export function makeVerified(passwords: Passwords, elapsed: () => number): Passwords['matches'] {
  const secret = randomBytes(32);
  const until = new Map<string, number>();
  return async (password, hash, by) => {
    if (hash === undefined) return passwords.matches(password, hash, by);
    const key = createHmac('sha256', secret).update(`${hash}\0${password}`).digest('base64url');
    const now = elapsed();
    if ((until.get(key) ?? 0) > now) return true;
    const fits = await passwords.matches(password, hash, by);
    if (until.size >= maxEntries) until.clear();
    if (fits) until.set(key, now + rememberedFor);
    else until.delete(key);
    return fits;
  };
}
