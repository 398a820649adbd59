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

export class PrincipalCache {
  readonly #secret = randomBytes(32).toString('base64url');
  readonly #known = new Map<string, Entry>();
  /** The keys of what is being looked up. */
  readonly #pending = new Set<string>();
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #listeners: ((whose: Doubted) => void)[] = [];

  /** @param elapsed by which a belief ends: a clock that is set back would make it last */
  constructor(
    private readonly clock: () => Date,
    private readonly elapsed: () => number,
  ) {}

  /** The principal of a credential, found once for all requests that ask at the same time. */
  of(kind: string, credential: string, find: () => Promise<FoundPrincipal>): Promise<Principal> {
    const key = hash('sha256', `${this.#secret}\0${kind}\0${credential}`, 'base64url');
    const now = this.elapsed();
    const entry = this.#known.get(key);
    if (entry !== undefined && entry.until > now && entry.ends > this.clock().getTime()) return entry.principal;
    this.#drop(key);
    if (this.#known.size >= maxEntries) this.#empty();
    return this.#lookUp(key, now, find());
  }

  /** Forgets the principals of a user, and whatever is being looked up. */
  forget(user: string): void {
    this.#forgetOwner(userOwner(user), { user });
  }

  /** The same for a session. */
  forgetSession(session: string): void {
    this.#forgetOwner(sessionOwner(session), { session });
  }

  clear(): void {
    this.#empty();
    for (const listener of this.#listeners) listener('everybody');
  }

  /** Calls back whenever principals are forgotten. */
  onForgotten(listener: (whose: Doubted) => void): void {
    this.#listeners.push(listener);
  }

  #lookUp(key: string, now: number, found: Promise<FoundPrincipal>): Promise<Principal> {
    const principal = found.then((result) => this.#ending(result));
    const entry = { until: now + believedFor, ends: Infinity, principal, owners: [] };
    this.#known.set(key, entry);
    this.#pending.add(key);
    found.then(
      (result) => this.#keep(key, entry, result),
      () => {
        if (this.#known.get(key) === entry) this.#drop(key);
      },
    );
    return principal;
  }

  #ending({ principal, until }: FoundPrincipal): Principal {
    if (until !== undefined) timesLeft.set(principal, () => until.getTime() - this.clock().getTime());
    return principal;
  }

  /** Keeps what a look-up found, unless something was forgotten since it began. */
  #keep(key: string, entry: Entry, { principal, until }: FoundPrincipal): void {
    if (this.#known.get(key) !== entry) return;
    this.#drop(key);
    const { user, session } = principal;
    if (user === undefined) return;
    const owners = [userOwner(user.id), ...(session === undefined ? [] : [sessionOwner(session)])];
    this.#known.set(key, { ...entry, ends: until?.getTime() ?? Infinity, owners });
    for (const owner of owners) this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(key));
  }

  #forgetOwner(owner: string, whose: Doubted): void {
    for (const key of [...this.#pending, ...(this.#byOwner.get(owner) ?? [])]) this.#drop(key);
    for (const listener of this.#listeners) listener(whose);
  }

  #drop(key: string): void {
    const owners = this.#known.get(key)?.owners ?? [];
    this.#known.delete(key);
    this.#pending.delete(key);
    for (const owner of owners) {
      const keys = this.#byOwner.get(owner);
      keys?.delete(key);
      if (keys?.size === 0) this.#byOwner.delete(owner);
    }
  }

  #empty(): void {
    this.#known.clear();
    this.#pending.clear();
    this.#byOwner.clear();
  }
}
