/** The interfaces of identities for the rest of the server; those of passwords and of lists of sessions are in their folders. */
import type { Types } from 'mongoose';
import type { Failure } from '../errors/errors.ts';
import type { RecoveryEnd } from '../models/built-in/internal-model.ts';
import type { KnownUser, Origin, Principal, SignIn } from '../policy/principal.ts';
import type { Author, UnitOfWork, WriteProgress } from '../write/contract.ts';
import type { LoginResult } from './sessions/contract.ts';

/** The owner of credentials that may no longer be valid: a user, a session, a stored key, or all users. */
export type CredentialOwner =
  { readonly user: string } | { readonly session: string } | { readonly key: string } | 'all';

/** Where a request comes from, as far as `TRUST_PROXY` lets headers state it. */
export interface ClientAddress {
  /** The address by which callers are counted: an IPv6 network (/56) counts as one. */
  readonly address: string;
  /** The address itself; empty where there is none, as behind a proxy that states none. */
  readonly ip: string;
}

/** What the writes of a request have sent, so that its time limit ends them; undefined for what has no time limit. */
interface Timed {
  readonly progress?: WriteProgress | undefined;
}

/** A request that changes an account. */
export interface AccountRequest extends Timed {
  readonly address: string;
}

/** Who does something: the id of a user, or undefined for an anonymous caller, and where the request comes from. */
export interface Actor extends Origin, Timed {
  readonly user: string | undefined;
}

/**
 * Verifies credentials and manages sessions. Failures are counted by address and by account: every method with an address throws
 * 401 for an invalid credential and 429 after too many failures.
 */
export interface Auth {
  /** The user behind what they sign in with, such as an email, and a password. @throws also 401 with a ticket for a user with a second factor */
  byPassword(login: unknown, password: unknown, address: string, method?: 'password' | 'basic'): Promise<Principal>;
  byToken(token: string, address: string): Promise<Principal>;
  /** Whether a text claims to be a key. */
  isKey(text: string): boolean;
  /** The user behind their permanent key, or behind a stored one. */
  byKey(key: string, from: ClientAddress): Promise<Principal>;
  byJwt(jwt: string, address: string): Promise<Principal>;
  /**
   * The caller that a credential was made for which stands for another one.
   * @param substitute of the JWT of a feature, which has verified it @throws 401 when the credential that it stands for has ended
   */
  byHolder(substitute: Substitute, from: ClientAddress): Promise<Principal>;
  /** The methods by which requests sign in: those of the core, and those of features. */
  readonly methods: readonly AuthMethod[];
  /** The user of a session that has neither ended nor expired, even if its token has been replaced. @throws 401 */
  bySession(session: string): Promise<Principal>;
  /** The principal that an active user is when signed in, without a session; undefined for no such user. */
  principalOfUser(id: string): Promise<Principal | undefined>;
  /** When keys of users, other than the permanent ones, were last used, by the ids of the users. */
  lastKeyUses(users: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** Subscribes to changes of rights and logins: cached principals of the owner are stale and must be verified again. */
  onStale(listener: (whose: CredentialOwner) => void): void;
  /** Ends earlier sessions beyond the allowed number and begins a new one. */
  login(principal: Principal, login: Login): Promise<LoginResult>;
  /** The same for a user who has given a first factor only. @throws also 401 with a ticket for one with a second factor */
  loginByFirstFactor(principal: Principal, login: Login): Promise<LoginResult>;
  /** Logs in by a login JWT. @param verified the principal of the request's other credentials; 401 if it is another user */
  loginByJwt(jwt: unknown, client: SessionClient, verified: Principal): Promise<LoginResult>;
  /** Replaces the tokens of a session; the result has no API key. @param verified as for `loginByJwt` */
  refresh(token: string, address: string, verified: Principal): Promise<LoginResult>;
  /** Ends the caller's session, or all of their sessions if they signed in without a token. */
  logout(principal: Principal): Promise<void>;
}

/**
 * The parts of a request that may contain credentials. They are `unknown` because callers can send any value; only strings are
 * credentials.
 */
export interface CredentialSource extends ClientAddress {
  readonly authorization: string | undefined;
  readonly keyHeader: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether keys and JWTs may be in the address. */
  readonly takesUrlCredentials: boolean;
  /** Whether the operation opens a stream or a connection, which lasts. */
  readonly opensStream: boolean;
  /** Whether the operation takes keys as bearer tokens, too. */
  readonly takesKeysAsBearer?: boolean;
}

/** A way of signing in, and the part of a request that it reads. */
export interface AuthMethod {
  readonly name: string;
  /** It is a part of the address, which `URL_CREDENTIALS` may forbid. */
  readonly isInUrl?: true;
  /** The parameter that has it, for a method that is not asked without. */
  readonly parameter?: string;
  /** The credential that the request sends by this method, if any. */
  readonly find: (source: CredentialSource) => unknown;
  /** @throws 401, 429 */
  readonly verify: (credential: string, auth: Auth, source: CredentialSource) => Promise<Principal>;
}

/** The credential that another one stands for, without its secret. */
export interface Holder {
  readonly method?: SignIn['method'] | undefined;
  readonly session?: string | undefined;
  /** The id of a stored key. */
  readonly key?: string | undefined;
  /** The digest of a key. */
  readonly digest?: string | undefined;
  /** When it expires, in milliseconds. */
  readonly until?: number | undefined;
  /** Id of the admin who acts as the user. */
  readonly by?: string | undefined;
}

/** A credential that stands for another one. */
export interface Substitute {
  readonly id: string;
  readonly user: string;
  /** The user's session epoch when it was created. */
  readonly epoch: number;
  readonly holder?: Holder | undefined;
}

/** A kind of tokens or keys. */
export interface TokenKind {
  /** The name for which it is sealed. */
  readonly name: string;
  readonly prefix: string;
  /** The id of a document precedes the random bits. */
  readonly hasId: boolean;
  /** The method of signing in, for the events of accounts. */
  readonly method: string;
  /** What a caller reads whose token is refused. */
  readonly refusal: string;
}

/** Keys besides the permanent ones of users: those of a feature, which keeps a document for each. */
export interface StoredKeys {
  /** With the id of the document; `method` is that of their principals. */
  readonly kind: TokenKind;
  /** The user behind a text that claims to be a key of this kind. @throws 401, 429 */
  principalOf(key: string, from: ClientAddress): Promise<Principal>;
  /** The same by the id of a key and the digest of its secret. @throws 401 */
  principalBy(id: string, digest: string, from: ClientAddress): Promise<Principal>;
  /** When keys of users were last used, by the ids of the users. */
  lastUses(users: readonly string[]): Promise<ReadonlyMap<string, Date>>;
}

/** The operations of users on their own credentials. */
export interface OwnAccount {
  /** Replaces the API key. */
  renewKey(principal: Principal, from: AccountRequest): Promise<string>;
  /** A JWT that signs in as the user who signs in with `login`: the caller, or any user if the caller is an admin, which is recorded. @throws 400, 403, 404 */
  jwtFor(principal: Principal, login: string, from: AccountRequest): Promise<string>;
  /** @throws 401 when the current password is wrong, 400 for a bad new one */
  changePassword(principal: Principal, current: unknown, next: string, from: AccountRequest): Promise<void>;
  /**
   * Sets the caller's email, which is then unverified, and notifies the old address. Sessions, keys and JWTs remain valid;
   * recovery links that were sent to the old address end. Where emails must be verified (`EmailProof`), the old one stays until the
   * link of the mail to the new one is opened.
   * @throws 400 for an invalid email, 401 when the password is wrong, 409 when another user has the email, 429;
   * Mongoose's errors of validation
   */
  changeEmail(principal: Principal, email: string, password: unknown, from: AccountRequest): Promise<OwnEmail>;
  /**
   * Sends the recovery mail; where an admin asks for a user without a password, the invitation.
   * @returns the invitation for the admin to hand over, where it is not mailed
   * @throws 400, 404, 409 for a user without an email or a server without a page for new passwords, 429, 500, 503 for a mail that is refused
   */
  recover(login: string, address: string, caller: Principal): Promise<Invitation | undefined>;
  /**
   * Sets a new password by the JWT of a recovery mail or an invitation, once, and renews the API key. A user with a second factor also needs a code.
   * @throws 400, 401, 429
   */
  reset(
    given: { readonly jwt: string; readonly password: string; readonly code: unknown },
    from: AccountRequest,
  ): Promise<void>;
}

/** The link of an invitation, for an admin to hand over. */
export interface Invitation {
  /** Of the page where the user sets a password. Without `API_URL` that of the console is a path of this server. */
  readonly link: string;
  readonly expires: Date;
  /** The mail server has refused the mail, or was too slow. */
  readonly mail_failed?: true;
}

/** A user who may have a second factor on. */
export interface FactorHolder {
  readonly id: string;
  readonly incarnation: string;
  readonly known: KnownUser;
}

/**
 * What checks second factors: a feature. Without one, a user whose account has a factor is refused where it would be needed, so
 * that the password alone never becomes enough.
 */
export interface FactorCheck {
  /** The failure for a user whose factor is on, and who has given a first one only. @param epoch of the user's sessions */
  refusal(user: string, epoch: number): Failure;
  /**
   * Requires a code, or a recovery code, of a user whose factor is on. The code is used up only when `claim` has succeeded.
   * @param claim takes what the code is for, such as a link, and throws for all but one of concurrent requests
   * @throws 401 without the right code, 429, and what `claim` throws
   */
  prove(user: FactorHolder, code: unknown, address: string, claim: () => Promise<void>): Promise<void>;
}

/** The client that begins a session. */
export interface SessionClient extends ClientAddress, Timed {
  /** The User-Agent header. */
  readonly agent: string | undefined;
}

/** A login: its client, and how the user signs in, for the audit log. */
export interface Login extends SessionClient {
  readonly method: string;
}

interface OwnEmail {
  readonly email: string;
  readonly email_verified: boolean;
  /** The email that counts once the link of the mail to it is opened. */
  readonly requested?: string;
}

/** Where users must prove that an email is theirs before they get it: a feature. */
export interface EmailProof {
  /**
   * Sends the link to the email that a user has asked for, and keeps the request once the mail is sent.
   * @param user the id @throws 401 for no such user, 409 when another user has it, 429, 500, 503
   */
  request(user: string, email: string, address: string): Promise<void>;
}

/** Who removes users, in which unit of work, and whether subscribers are not notified. */
interface Remover extends Author {
  readonly unit?: UnitOfWork | undefined;
  readonly progress?: WriteProgress | undefined;
  readonly silent: boolean;
}

/** The data that the server stores about users besides their documents, such as accounts and sessions. */
export interface UserData {
  /** Removes the data of users whose documents are deleted permanently. @param remover of the documents; the server itself by default */
  removeAll(users: readonly Types.ObjectId[], remover?: Remover): Promise<void>;
  /** Removes what a user loses when a recovery mail sets their password (`OfUsers`). */
  removeByRecovery(user: string, ends: RecoveryEnd): Promise<void>;
}

/** Changes users' groups by one atomic update and publishes the change. @returns undefined when the user does not exist */
export interface Groups {
  of(user: string): Promise<readonly string[] | undefined>;
  change(user: string, update: GroupsUpdate, by: Actor): Promise<readonly string[] | undefined>;
}

/** A change of groups: names to add, to remove, or to replace all groups with. */
export type GroupsUpdate = { readonly [how in 'add' | 'remove' | 'replace']?: readonly string[] };

/** Sends mails. @throws Failure 503 when the mail cannot be sent in time, 500 without a mail server */
export interface Mail {
  send(mail: {
    /** One address, or several. */
    readonly to: string | readonly string[];
    readonly subject: string;
    readonly text: string;
    readonly html?: string;
  }): Promise<void>;
}
