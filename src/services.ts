/** What a request may reach, as interfaces (types only). `server.ts` makes them, `read`, `write`, `auth` and `events` implement them. */
import type { ClientSession, Connection } from 'mongoose';
import type { Principal } from './access/principal.ts';
import type { ParameterTree } from './language/tree.ts';
import type { Log } from './log.ts';
import type { ModelEntry } from './registry/entry.ts';
import type { Registry } from './registry/registry.ts';
import type { DossierConfig } from './settings/config-file.ts';
import type { Settings } from './settings/types.ts';

/** One change of one document, as the writers tell it. */
export interface Change {
  readonly event: 'post' | 'put' | 'del';
  readonly model: ModelEntry;
  readonly id: string;
  /** The document before and after, as stored; undefined where there is none or it was not read. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  readonly user: string | undefined;
  /** `_silence` was asked for: caches and sessions hear of it, subscribers do not. */
  readonly silent: boolean;
  /** The change was heard from the database: another server made it, or a function of a model. */
  readonly origin?: 'elsewhere';
}

/** Changes inside one server. */
export interface Bus {
  publish(changes: readonly Change[]): void;
  /** `hears` tells whether the listener wants to know how the documents of a model were before. */
  subscribe(listener: (changes: readonly Change[]) => void, hears?: (model: ModelEntry) => boolean): () => void;
  /** Whether somebody wants to know how the documents of a model were before. */
  wantsBefore(model: ModelEntry): boolean;
  /** A function of a model has run: it may have written anything, and nobody knows what. */
  touched(model: ModelEntry): void;
  onTouched(listener: (model: ModelEntry) => void): () => void;
}

/** Changes that are made elsewhere, heard from the database. */
export interface Others {
  /** Whether the database tells of them at all. */
  readonly supported: boolean;
  /** From when this is done on they are published on the bus. */
  need(): Promise<void>;
}

/** A read's answer: JSON as bytes, with the headers that belong to it. */
export interface Reading {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers of reads, kept until a model that they were made of changes. */
export interface AnswerCache {
  /** The answer kept under a key, else the one that `make` makes; `x-cache` says which. */
  through(key: string, models: readonly ModelEntry[], make: () => Promise<Reading>): Promise<Reading>;
  /** Hits, misses, answers kept, and bytes of keys and answers. */
  stats(): Readonly<Record<'hits' | 'misses' | 'keys' | 'ksize' | 'vsize', number>>;
  clear(): void;
}

/** Estimated sizes of collections, at most a second old. */
export interface Sizes {
  of(model: ModelEntry): Promise<number>;
}

/** Password hashes, made and compared in worker threads. */
export interface Passwords {
  /** @throws Failure 400 when the password is too short or over 72 bytes, 503 when too many wait */
  hash(password: string): Promise<string>;
  /** Takes as long for a user who does not exist (`hash` undefined) as for one who does. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  close(): Promise<void>;
}

/** What a login answers with. */
export interface LoginResult {
  readonly user_id: string;
  readonly apikey?: string;
  readonly token: string;
  readonly token_expires: string;
  readonly refresh_token: string;
  readonly refresh_token_expires: string;
}

/**
 * Who a credential belongs to, and sessions. Failures are counted by address and by account; every method that is given an address
 * throws 401 for what is wrong and 429 for too many failures.
 */
export interface Auth {
  /** The user behind an email and a password. */
  byPassword(email: unknown, password: unknown, address: string): Promise<Principal>;
  byToken(token: string, address: string): Promise<Principal>;
  byKey(key: string, address: string): Promise<Principal>;
  byJwt(jwt: string, address: string): Promise<Principal>;
  /** The user of a session that has neither ended nor expired, whatever its token is by now. @throws 401 */
  bySession(session: string): Promise<Principal>;
  /** Tells whose rights or logins may have changed: what is kept of them has to be asked for again. Undefined means anybody's. */
  onDoubt(listener: (user: string | undefined) => void): void;
  /** Ends earlier sessions beyond the allowed number and begins a new one. */
  login(principal: Principal): Promise<LoginResult>;
  /** The same by a JWT that was made for it. */
  loginByJwt(jwt: unknown, address: string): Promise<LoginResult>;
  /** The successors of a session's tokens; without the API key. */
  refresh(token: string, address: string): Promise<LoginResult>;
  /** Ends the session of the caller, or all of theirs when they did not come with a token. */
  logout(principal: Principal): Promise<void>;
}

/** What users do with their own credentials. */
export interface OwnAccount {
  /** A new API key in the place of the old one. */
  renewKey(principal: Principal): Promise<string>;
  /** A JWT that signs in as the user of this email: oneself, or anybody for an admin. @throws 400, 403, 404 */
  jwtFor(principal: Principal, email: unknown): Promise<string>;
  /** @throws 401 when the current password is wrong, 400 for a bad new one */
  changePassword(principal: Principal, current: unknown, next: unknown, address: string): Promise<void>;
  /** Sends the recovery mail. @throws 400, 404, 429, 500 */
  recover(email: unknown, address: string): Promise<void>;
  /** Sets a new password by the JWT of a recovery mail, once, and renews the API key. @throws 400, 401 */
  reset(jwt: unknown, password: unknown, address: string): Promise<void>;
}

/** Logging in at other providers. */
export interface OAuth {
  /** Where the browser goes, and the cookie that binds the way back to it. @throws 404 for an unknown provider */
  start(provider: string): Promise<OAuthStep>;
  /** Where the browser goes on its way back: never fails but for an unknown provider. */
  finish(provider: string, query: ParameterTree, cookies: string | undefined): Promise<OAuthStep>;
}

export interface OAuthStep {
  readonly url: string;
  readonly cookie: string | undefined;
}

/** Users' groups, changed by one atomic update and told to the bus. @returns undefined when there is no such user */
export interface Groups {
  of(user: string): Promise<readonly string[] | undefined>;
  change(user: string, update: GroupsUpdate, by: string | undefined): Promise<readonly string[] | undefined>;
}

/** How groups change: added to, taken from, or put in the place of those that are there. */
export type GroupsUpdate = { readonly [how in 'add' | 'remove' | 'replace']?: readonly string[] };

/** Mails. @throws Failure 500 when the mail cannot be sent in time */
export interface Mail {
  send(mail: {
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    readonly html: string;
  }): Promise<void>;
}

export interface Services {
  readonly settings: Settings;
  readonly config: DossierConfig;
  readonly registry: Registry;
  readonly connection: Connection;
  readonly log: Log;
  readonly bus: Bus;
  readonly others: Others;
  readonly sizes: Sizes;
  /** Undefined when the cache is switched off. */
  readonly cache: AnswerCache | undefined;
  readonly passwords: Passwords;
  readonly auth: Auth;
  readonly account: OwnAccount;
  readonly oauth: OAuth;
  readonly groups: Groups;
  /** What `/setup` wants as x-setup-token; undefined where it wants none. */
  readonly setupToken: string | undefined;
  readonly clock: () => Date;
  /** Runs work of one name one after the other, inside this server. */
  readonly oneAtATime: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Runs work in a transaction where the database has them, else plainly. */
  readonly inTransaction: <T>(work: (session: ClientSession | undefined) => Promise<T>) => Promise<T>;
}
