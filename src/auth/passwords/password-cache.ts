/**
 * Caches successful comparisons of passwords with their hashes, so that Basic does not cost a bcrypt comparison on every request.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Passwords } from './contract.ts';

/** Milliseconds for which a match is cached. */
const rememberedFor = 60_000;
const maxEntries = 10_000;

/** As `passwords.matches`, with a cache of matches. Failed comparisons are never cached. */
export function makePasswordCache(passwords: Passwords, elapsed: () => number): Passwords['matches'] {
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
