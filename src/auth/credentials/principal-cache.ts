/**
 * Caches principals by a digest of the credential, so that most requests need no lookup. A change of a user, session or key
 * removes its principals at once on this server, and on other servers when the change stream reports the change. Without a change
 * stream, entries are stale for at most their time to live.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Principal } from '../../policy/principal.ts';
import type { CredentialOwner } from '../contract.ts';

/** Milliseconds for which a principal is used without reading the database. */
export const principalTtlMs = 4000;
const maxEntries = 10_000;

interface Entry {
  /** The time at which the entry expires, in milliseconds of `elapsed`. */
  readonly until: number;
  /** The time at which the credential expires, by the clock. */
  readonly ends: number;
  readonly principal: Promise<Principal>;
  /** The user and the session; empty during the lookup. */
  readonly owners: readonly string[];
}

export interface PrincipalCache {
  /** The principal of a credential. Concurrent requests share one lookup. */
  of(kind: string, credential: string, find: () => Promise<FoundPrincipal>): Promise<Principal>;
  /** Removes the principals of a user and all lookups in progress. */
  forget(user: string): void;
  /** Removes the principals of a session and all lookups in progress. */
  forgetSession(session: string): void;
  clear(): void;
  /** Subscribes to removals. */
  onForgotten(listener: (whose: CredentialOwner) => void): void;
}

/** A principal and the time (`until`) at which its credential expires. */
export interface FoundPrincipal {
  readonly principal: Principal;
  readonly until?: Date;
}

/** The remaining time of each principal's credential, by the clock of its cache. */
const timesLeft = new WeakMap<Principal, () => number>();

/** Milliseconds until the credential of a principal expires; Infinity if it does not expire. */
export const timeLeft = (principal: Principal): number => timesLeft.get(principal)?.() ?? Infinity;

const userOwner = (id: string): string => `user ${id}`;
const sessionOwner = (id: string): string => `session ${id}`;

/** @param elapsed monotonic time for the expiry of entries, which a clock that is set back would prolong */
export function makePrincipalCache(clock: () => Date, elapsed: () => number): PrincipalCache {
  const secret = randomBytes(32).toString('base64url');
  const known = new Map<string, Entry>();
  const pending = new Set<string>();
  const byOwner = new Map<string, Set<string>>();
  const listeners: ((whose: CredentialOwner) => void)[] = [];
  const drop = (key: string): void => {
    const owners = known.get(key)?.owners ?? [];
    known.delete(key);
    pending.delete(key);
    for (const owner of owners) {
      const keys = byOwner.get(owner);
      keys?.delete(key);
      if (keys?.size === 0) byOwner.delete(owner);
    }
  };
  const forgetOwner = (owner: string, whose: CredentialOwner): void => {
    for (const key of [...pending, ...(byOwner.get(owner) ?? [])]) drop(key);
    for (const listener of listeners) listener(whose);
  };
  const empty = (): void => [known, pending, byOwner].forEach((all) => all.clear());
  /** Stores the result of a lookup, unless entries have been removed since it began. */
  const keep = (key: string, entry: Entry, { principal, until }: FoundPrincipal): void => {
    if (known.get(key) !== entry) return;
    drop(key);
    const { user, session } = principal;
    if (user === undefined) return;
    const owners = [userOwner(user.id), ...(session === undefined ? [] : [sessionOwner(session)])];
    known.set(key, { ...entry, ends: until?.getTime() ?? Infinity, owners });
    for (const owner of owners) byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(key));
  };
  const ending = ({ principal, until }: FoundPrincipal): Principal => {
    if (until !== undefined) timesLeft.set(principal, () => until.getTime() - clock().getTime());
    return principal;
  };
  return {
    of(kind, credential, find) {
      const key = hash('sha256', `${secret}\0${kind}\0${credential}`, 'base64url');
      const now = elapsed();
      const entry = known.get(key);
      if (entry !== undefined && entry.until > now && entry.ends > clock().getTime()) return entry.principal;
      drop(key);
      if (known.size >= maxEntries) empty();
      const found = find();
      const fresh = { until: now + principalTtlMs, ends: Infinity, principal: found.then(ending), owners: [] };
      known.set(key, fresh);
      pending.add(key);
      found.then(
        (result) => keep(key, fresh, result),
        () => void (known.get(key) === fresh && drop(key)),
      );
      return fresh.principal;
    },
    forget: (user) => forgetOwner(userOwner(user), { user }),
    forgetSession: (session) => forgetOwner(sessionOwner(session), { session }),
    clear() {
      empty();
      for (const listener of listeners) listener('all');
    },
    onForgotten: (listener) => void listeners.push(listener),
  };
}
