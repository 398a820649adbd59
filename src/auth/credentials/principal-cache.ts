/**
 * Caches principals by a digest of the credential, so that most requests need no lookup. A change of a user, session or key
 * removes its principals at once on this server and all its workers, and on other servers when the change stream reports the change.
 * Without a change stream, entries are stale for at most their time to live.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Principal } from '../../policy/principal.ts';
import type { SharedState } from '../../shared/contract.ts';
import type { CredentialOwner } from '../contract.ts';

/** Milliseconds for which a principal is used without reading the database. */
export const principalTtlMs = 4000;
const maxEntries = 10_000;

interface Entry {
  /** The time at which the entry expires, in milliseconds of `elapsed`. */
  readonly cachedUntil: number;
  /** The time at which the credential expires, by the clock. */
  readonly credentialExpires: number;
  readonly principal: Promise<Principal>;
  /** The user, and the session or the stored key; empty during the lookup. */
  readonly owners: readonly string[];
}

/** A principal and the time at which its credential expires. */
export interface FoundPrincipal {
  readonly principal: Principal;
  readonly credentialExpires?: Date;
}

/** The remaining time of each principal's credential, by the clock of its cache. */
const timesLeft = new WeakMap<Principal, () => number>();

/** Milliseconds until the credential of a principal expires; Infinity if it does not expire. */
export const timeLeft = (principal: Principal): number => timesLeft.get(principal)?.() ?? Infinity;

type Owner = Exclude<CredentialOwner, 'all'>;
const userOwner = (id: string): string => `user ${id}`;
const sessionOwner = (id: string): string => `session ${id}`;
const keyOwner = (id: string): string => `key ${id}`;

function ownerOf(whose: Owner): string {
  if ('user' in whose) return userOwner(whose.user);
  return 'session' in whose ? sessionOwner(whose.session) : keyOwner(whose.key);
}

export class PrincipalCache {
  readonly #secret = randomBytes(32).toString('base64url');
  readonly #known = new Map<string, Entry>();
  /** The keys of the lookups in progress. */
  readonly #pending = new Set<string>();
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #listeners: ((whose: CredentialOwner) => void)[] = [];

  /**
   * @param elapsed monotonic time for the expiry of entries, which a clock that is set back would prolong
   * @param shared reaches the other processes, each with a cache of its own
   */
  constructor(
    private readonly clock: () => Date,
    private readonly elapsed: () => number,
    private readonly shared: SharedState,
  ) {
    shared.onMessage('principals stale', (whose) => this.dropLocally(whose));
  }

  /** The principal of a credential. Concurrent requests share one lookup. */
  get(kind: string, credential: string, find: () => Promise<FoundPrincipal>): Promise<Principal> {
    const key = hash('sha256', `${this.#secret}\0${kind}\0${credential}`, 'base64url');
    const now = this.elapsed();
    const entry = this.#known.get(key);
    if (entry !== undefined && entry.cachedUntil > now && entry.credentialExpires > this.clock().getTime())
      return entry.principal;
    this.#drop(key);
    if (this.#known.size >= maxEntries) this.#empty();
    return this.#lookUp(key, now, find());
  }

  /** Removes the principals of a user and all lookups in progress. */
  dropUser(user: string): void {
    this.#dropEverywhere({ user });
  }

  /** Removes the principals of a session and all lookups in progress. */
  dropSession(session: string): void {
    this.#dropEverywhere({ session });
  }

  /** Removes the principals of a stored key and all lookups in progress. */
  dropKey(key: string): void {
    this.#dropEverywhere({ key });
  }

  /** Removes principals and lookups of this process only, because the other ones have received the same report. */
  dropLocally(whose: Owner): void {
    for (const key of [...this.#pending, ...(this.#byOwner.get(ownerOf(whose)) ?? [])]) this.#drop(key);
    for (const listener of this.#listeners) listener(whose);
  }

  clear(): void {
    this.#empty();
    for (const listener of this.#listeners) listener('all');
  }

  /** Subscribes to removals. */
  onStale(listener: (whose: CredentialOwner) => void): void {
    this.#listeners.push(listener);
  }

  #lookUp(key: string, now: number, found: Promise<FoundPrincipal>): Promise<Principal> {
    const principal = found.then((result) => this.#recordExpiry(result));
    const entry = { cachedUntil: now + principalTtlMs, credentialExpires: Infinity, principal, owners: [] };
    this.#known.set(key, entry);
    this.#pending.add(key);
    found.then(
      (result) => this.#store(key, entry, result),
      () => {
        if (this.#known.get(key) === entry) this.#drop(key);
      },
    );
    return principal;
  }

  #recordExpiry({ principal, credentialExpires }: FoundPrincipal): Principal {
    if (credentialExpires !== undefined)
      timesLeft.set(principal, () => credentialExpires.getTime() - this.clock().getTime());
    return principal;
  }

  /** Stores the result of a lookup, unless entries have been removed since it began. */
  #store(key: string, entry: Entry, { principal, credentialExpires }: FoundPrincipal): void {
    if (this.#known.get(key) !== entry) return;
    this.#drop(key);
    const { user, session, key: storedKey } = principal;
    if (user === undefined) return;
    const owners = [
      userOwner(user.id),
      ...(session === undefined ? [] : [sessionOwner(session)]),
      ...(storedKey === undefined ? [] : [keyOwner(storedKey)]),
    ];
    this.#known.set(key, { ...entry, credentialExpires: credentialExpires?.getTime() ?? Infinity, owners });
    for (const owner of owners) this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(key));
  }

  #dropEverywhere(whose: Owner): void {
    this.dropLocally(whose);
    void this.shared.broadcast('principals stale', whose);
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
