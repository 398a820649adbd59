/** Credentials, sessions, passwords and groups, as the rest of the server uses them. Interfaces only: any place may import them. */
import type { ClientSession, Types } from 'mongoose';
import type { Principal } from '../policy/principal.ts';
import type { ParameterTree } from '../query/params.ts';

/** The passwords of one request, hashed one after the other. */
export interface HashTask {
  /** How many are still to be hashed, this one included. */
  readonly left: number;
  /** When the last of them has to be done, as `performance.now()` tells the time. */
  readonly until: number;
}

/** Password hashes, made and compared in worker threads. */
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
  jwtFor(principal: Principal, email: string): Promise<string>;
  /** @throws 401 when the current password is wrong, 400 for a bad new one */
  changePassword(principal: Principal, current: unknown, next: string, address: string): Promise<void>;
  /**
   * Sets one's own email, which is unverified then, and tells the old address. Sessions, keys and JWTs go on; recovery links that
   * were sent to the old address end.
   * @throws 400 for an invalid email, 401 when the password is wrong, 409 when another user has the email, 429; Mongoose's errors of validation
   */
  changeEmail(principal: Principal, email: string, password: unknown, address: string): Promise<OwnEmail>;
  /** Sends the recovery mail. @throws 400, 404, 429, 500 */
  recover(email: string, address: string): Promise<void>;
  /** Sets a new password by the JWT of a recovery mail, once, and renews the API key. @throws 400, 401 */
  reset(jwt: string, password: string, address: string): Promise<void>;
}

interface OwnEmail {
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
