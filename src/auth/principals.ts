/**
 * Principals that were found a moment ago, by a digest of the credential, so that a request needs no look-up. Every change to a
 * user, session or key empties it in this server; the time bound is how long other servers may lag (documented: 5 s).
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Principal } from '../access/principal.ts';

/** Milliseconds for which a principal is believed without asking the database. */
export const believedFor = 5000;
const mostEntries = 10_000;

interface Entry {
  readonly until: number;
  readonly principal: Promise<Principal>;
}

export interface Principals {
  /** The principal of a credential, found once for all requests that ask at the same time. */
  of(kind: string, credential: string, find: () => Promise<FoundPrincipal>): Promise<Principal>;
  clear(): void;
}

/** `until`: when the credential itself ends. */
export interface FoundPrincipal {
  readonly principal: Principal;
  readonly until?: Date;
}

export function makePrincipals(clock: () => Date): Principals {
  const secret = randomBytes(32);
  const known = new Map<string, Entry>();
  let generation = 0;
  return {
    of(kind, credential, find) {
      const key = createHmac('sha256', secret).update(`${kind}\0${credential}`).digest('base64url');
      const now = clock().getTime();
      const entry = known.get(key);
      if (entry !== undefined && entry.until > now) return entry.principal;
      const begun = generation;
      const found = find();
      const principal = found.then((result) => result.principal);
      // followers share the look-up while it runs; what it found is kept only when nothing changed meanwhile
      if (known.size >= mostEntries) known.clear();
      known.set(key, { until: now + believedFor, principal });
      found.then(
        ({ until }) => {
          if (begun !== generation) return void (known.get(key)?.principal === principal && known.delete(key));
          if (until !== undefined && known.get(key)?.principal === principal)
            known.set(key, { until: Math.min(now + believedFor, until.getTime()), principal });
        },
        () => void (known.get(key)?.principal === principal && known.delete(key)),
      );
      return principal;
    },
    clear() {
      generation += 1;
      known.clear();
    },
  };
}
