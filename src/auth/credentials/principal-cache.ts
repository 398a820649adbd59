/**
 * Principals that were found a moment ago, by a digest of the credential, so that a request needs no look-up. A change to a user,
 * session or key makes this server forget theirs at once, and other servers when the database's change stream tells them; the time
 * bound is how long they may lag without it.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Principal } from '../../policy/principal.ts';
import type { Doubted } from '../contract.ts';

/** Milliseconds for which a principal is believed without asking the database. */
export const believedFor = 4000;
const maxEntries = 10_000;

interface Entry {
  /** The end of the belief, in milliseconds of `elapsed`. */
  readonly until: number;
  /** The end of the credential, by the clock. */
  readonly ends: number;
  readonly principal: Promise<Principal>;
  /** The user and the session that it belongs to; none while the principal is being looked up. */
  readonly owners: readonly string[];
}

export interface Principals {
  /** The principal of a credential, found once for all requests that ask at the same time. */
  of(kind: string, credential: string, find: () => Promise<FoundPrincipal>): Promise<Principal>;
  /** Forgets the principals of a user, and whatever is being looked up. */
  forget(user: string): void;
  /** The same for a session. */
  forgetSession(session: string): void;
  clear(): void;
  /** Calls back whenever principals are forgotten. */
  onForgotten(listener: (whose: Doubted) => void): void;
}

/** `until`: when the credential itself ends. */
export interface FoundPrincipal {
  readonly principal: Principal;
  readonly until?: Date;
}

/** When the credentials of principals end, by the clock of those who found them. */
const timesLeft = new WeakMap<Principal, () => number>();

/** Milliseconds for which the credential behind a principal still holds; Infinity for one without an end. */
export const timeLeft = (principal: Principal): number => timesLeft.get(principal)?.() ?? Infinity;

const userOwner = (id: string): string => `user ${id}`;
const sessionOwner = (id: string): string => `session ${id}`;

/** @param elapsed by which a belief ends: a clock that is set back would make it last */
export function makePrincipals(clock: () => Date, elapsed: () => number): Principals {
  const secret = randomBytes(32).toString('base64url');
  const known = new Map<string, Entry>();
  const pending = new Set<string>();
  const byOwner = new Map<string, Set<string>>();
  const listeners: ((whose: Doubted) => void)[] = [];
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
  const forgetOwner = (owner: string, whose: Doubted): void => {
    for (const key of [...pending, ...(byOwner.get(owner) ?? [])]) drop(key);
    for (const listener of listeners) listener(whose);
  };
  const empty = (): void => [known, pending, byOwner].forEach((all) => all.clear());
  /** Keeps what a look-up found, unless something was forgotten since it began. */
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
      const fresh = { until: now + believedFor, ends: Infinity, principal: found.then(ending), owners: [] };
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
      for (const listener of listeners) listener('everybody');
    },
    onForgotten: (listener) => void listeners.push(listener),
  };
}
