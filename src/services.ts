/** What a request may reach, as interfaces (types only). `server.ts` makes them, `read`, `write`, `auth` and `events` implement them. */
import type { ClientSession, Connection } from 'mongoose';
import type { KnownUser, Principal } from './access/principal.ts';
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
  /** From now on they are published on the bus. */
  need(): void;
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

/** Logins, tokens and keys. */
export interface Auth {
  /** The user behind an email and a password. @throws Failure 401 */
  byPassword(email: unknown, password: unknown): Promise<Principal>;
  byToken(token: string): Promise<Principal>;
  byKey(key: string): Promise<Principal>;
  /** Ends earlier sessions beyond the allowed number and begins a new one. */
  login(user: KnownUser): Promise<LoginResult>;
  /** Ends the session of the caller, or all of theirs when they did not come with a token. */
  logout(principal: Principal): Promise<void>;
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
  readonly passwords: Passwords;
  readonly auth: Auth;
  /** What `/setup` wants as x-setup-token; undefined where it wants none. */
  readonly setupToken: string | undefined;
  readonly clock: () => Date;
  /** Runs work of one name one after the other, inside this server. */
  readonly oneAtATime: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Runs work in a transaction where the database has them, else plainly. */
  readonly inTransaction: <T>(work: (session: ClientSession | undefined) => Promise<T>) => Promise<T>;
}
