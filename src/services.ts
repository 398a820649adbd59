/** What a request may reach, as interfaces (types only). `server.ts` makes them, `read`, `write`, `auth` and `events` implement them. */
import type { ClientSession, Connection, Types } from 'mongoose';
import type { Principal } from './policy/principal.ts';
import type { EncodedJson } from './policy/shaped.ts';
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
  /** Told as one change, though the document may have been written several times between `before` and `after`. */
  readonly joined?: true;
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

/** A change with its position: its place in the one order in which all changes are told. */
export interface Placed extends Change {
  readonly position: string;
}

/** Which changes somebody asks for: those of a model, or of one document. */
export interface Scope {
  readonly model: ModelEntry;
  readonly id: string | undefined;
}

/** Changes in one order: as they happen, and as far back as they are known. */
export interface Feed {
  /** Whether the database tells of what other servers write. */
  readonly shared: boolean;
  /** From when this is done on everything is told. */
  need(): Promise<void>;
  /** The position behind everything that has been told. */
  position(): string;
  /** `missed` is told when changes have been lost. */
  listen(listener: { tell(change: Placed): void; missed(): void }): () => void;
  /** @throws 410 when the position is unknown or the history does not reach back to it, 503 when too many ask */
  since(position: string, scope: Scope): Promise<Past>;
}

/** The changes after a position. */
export interface Past {
  /** Those that listeners have been told of before this call; whoever listens from now on misses none and hears none twice. @throws 410 */
  untilNow(): AsyncIterable<Placed> | Iterable<Placed>;
  close(): Promise<void>;
}

/** What is told of a change. */
export interface News {
  readonly position: string;
  /** `{event, modelname, item, user_id, position}` as JSON. */
  readonly json: string;
  /** The same in UTF-8. */
  readonly bytes: Buffer;
}

/** Why somebody is told no more. */
export type Ending = 'signed out' | 'too slow' | 'missed' | 'stopping';

/** The way to one who hears of changes. */
export interface Outlet {
  send(news: readonly News[]): void;
  /** More than `maxUnsent` bytes wait to be sent: nothing is to be added until there is room. */
  readonly isFull: boolean;
  /** Resolves when most of what was sent is on its way, or nobody is there any more. */
  room(): Promise<void>;
  /** Shows that the server is there, at every heartbeat. @param position up to which everything has been told */
  beat(position: string): void;
  end(why: Ending): void;
  /** Says which subscriptions have been ended because their filters cost too much. */
  drop(subscriptions: readonly string[]): void;
}

/** What somebody wants to hear of; the filter has been checked. */
export interface Wish extends Scope {
  readonly filter: Readonly<Record<string, unknown>> | undefined;
  /** The position after which it begins; from now on without one. */
  readonly since: string | undefined;
}

/** One who hears of changes: who they are, and what they subscribe to. What is done for them is done one after the other. */
export interface Listener {
  readonly principal: Principal;
  /** Takes a principal, verified again whenever their rights may have changed; subscriptions of somebody else end. @throws 429 */
  signIn(principal: Principal, verify: () => Promise<Principal>): void;
  /** The principal as they are now; undefined when that cannot be told. A credential that no longer holds ends it all. */
  verified(): Promise<Principal | undefined>;
  enqueue(work: () => Promise<void> | void): void;
  /** @returns the key of the subscription @throws 400, 401, 403, 410, 503 */
  subscribe(wish: Wish): Promise<string>;
  /** Ends the subscriptions that the test names. @returns their keys */
  unsubscribe(names: (subscription: Scope & { readonly key: string }) => boolean): readonly string[];
  /** Is told nothing more, and forgotten. */
  leave(): void;
}

/** All who hear of changes. */
export interface Live {
  /** @throws 429 when the address or the user has too many open connections to open another one */
  admit(address: string, user: string | undefined): void;
  /** @param streamsOf whose event streams are counted together @throws 400 when they are too many, 429 */
  join(outlet: Outlet, address: string, streamsOf?: string): Listener;
  /** Ends everybody's listening, and lets nobody join any more. */
  end(): void;
}

/** A read's answer: JSON as bytes, with the headers that belong to it. */
export interface Reading {
  readonly body: EncodedJson;
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
/** The passwords of one request, hashed one after the other. */
export interface HashTask {
  /** How many are still to be hashed, this one included. */
  readonly left: number;
  /** When the last of them has to be done, as `performance.now()` tells the time. */
  readonly until: number;
}

export interface Passwords {
  /**
   * @param by whose work it is, a user's id or an address: each caller has a share of the threads
   * @param path what the password is called in a fault; `password` where nothing else is said
   * @throws Failure 400 when the password is too short or over 72 bytes, 503 at once when it would take too long
   */
  hash(password: string, by: string, path?: string, task?: HashTask): Promise<string>;
  /**
   * Takes as long for a user who does not exist (`hash` undefined) as for one who does. It goes before all hashing.
   * @param by whose work it is, an address @throws 503 at once when it would take too long
   */
  matches(password: string, hash: string | undefined, by: string): Promise<boolean>;
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

/** Whose credentials may no longer hold: those of a user, of a session, or of everybody. */
export type Doubted = { readonly user: string } | { readonly session: string } | 'everybody';

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
  /** Tells whose rights or logins may have changed: what is kept of them has to be asked for again. */
  onDoubt(listener: (whose: Doubted) => void): void;
  /** Ends earlier sessions beyond the allowed number and begins a new one. */
  login(principal: Principal): Promise<LoginResult>;
  /** The same by a JWT that was made for it. @param verified whom the request's other credentials are of: 401 when of another */
  loginByJwt(jwt: unknown, address: string, verified: Principal): Promise<LoginResult>;
  /** The successors of a session's tokens; without the API key. @param verified as of `loginByJwt` */
  refresh(token: string, address: string, verified: Principal): Promise<LoginResult>;
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
  /**
   * Sets one's own email, which is unverified then, and tells the old address. Sessions, keys and JWTs go on; recovery links that
   * were sent to the old address end.
   * @throws 400 for what is no email, 401 when the password is wrong, 409 when somebody has it, 429; Mongoose's errors of validation
   */
  changeEmail(principal: Principal, email: unknown, password: unknown, address: string): Promise<OwnEmail>;
  /** Sends the recovery mail. @throws 400, 404, 429, 500 */
  recover(email: unknown, address: string): Promise<void>;
  /** Sets a new password by the JWT of a recovery mail, once, and renews the API key. @throws 400, 401 */
  reset(jwt: unknown, password: unknown, address: string): Promise<void>;
}

export interface OwnEmail {
  readonly email: string;
  readonly email_verified: boolean;
}

/** What the server keeps of users besides their documents: accounts, sessions, identities. */
export interface Logins {
  /** Removes all of it, of users whose documents go for good. */
  remove(users: readonly Types.ObjectId[], session: ClientSession | undefined): Promise<void>;
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

/** Does work when it is its turn. @throws 503 when that takes too long, or the signal is aborted first */
export type Share = <T>(signal: AbortSignal, work: () => Promise<T> | T) => Promise<T>;

/** Kinds of work that would take all connections to the database if they could. */
export type ShareName = 'lists' | 'pipelines';

export interface Services {
  readonly settings: Settings;
  readonly config: DossierConfig;
  readonly registry: Registry;
  readonly connection: Connection;
  readonly log: Log;
  readonly bus: Bus;
  readonly feed: Feed;
  readonly live: Live;
  readonly sizes: Sizes;
  /** Undefined when the cache is switched off. */
  readonly cache: AnswerCache | undefined;
  readonly passwords: Passwords;
  readonly auth: Auth;
  readonly account: OwnAccount;
  readonly oauth: OAuth;
  readonly groups: Groups;
  readonly logins: Logins;
  /** What `/setup` wants as x-setup-token; undefined where it wants none. */
  readonly setupToken: string | undefined;
  readonly clock: () => Date;
  /** Each kind of heavy work has a share of the connections to the database; the rest is left for everything else. */
  readonly shares: Readonly<Record<ShareName, Share>>;
  /**
   * Runs work of one name one after the other, inside this server.
   * @throws 503 for work that waits too long, or behind work that finds the database away
   */
  readonly oneAtATime: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Where browsers and other programs reach this server: `API_URL`, or where it listens. */
  readonly publicUrl: () => string;
  /** Runs work in a transaction where the database has them, else plainly. */
  readonly inTransaction: <T>(work: (session: ClientSession | undefined) => Promise<T>) => Promise<T>;
}
