/** Verifies credentials, and begins, refreshes and ends sessions. */
import { badBody, loginFailed, signInFirst } from '../errors/errors.ts';
import { type Principal, principalOf } from '../policy/principal.ts';
import { transaction } from '../write/transaction.ts';
import type {
  Auth,
  AuthMethod,
  ClientAddress,
  CredentialOwner,
  FactorCheck,
  Holder,
  Login,
  SessionClient,
  StoredKeys,
  Substitute,
} from './contract.ts';
import type { AuthCore } from './core.ts';
import { invalidJwt, invalidToken, readJwt, refuseUnverified, requireGenuine } from './credentials/genuine.ts';
import { assertSameUser } from './credentials/identify.ts';
import type { Claims } from './credentials/jwt.ts';
import { methods } from './credentials/methods.ts';
import type { FoundPrincipal } from './credentials/principal-cache.ts';
import { claimsToBe, digest, tokenKinds } from './credentials/tokens.ts';
import { latestByUser } from './last-use.ts';
import type { LoginResult } from './sessions/contract.ts';
import type { FoundSession } from './sessions/session-row.ts';

export class Authenticator implements Auth {
  readonly methods: readonly AuthMethod[];

  /** @param storedKeys those of features @param added the methods of features */
  constructor(
    private readonly core: AuthCore,
    private readonly factorCheck: FactorCheck,
    private readonly storedKeys: readonly StoredKeys[],
    added: readonly AuthMethod[],
  ) {
    this.methods = [...methods, ...added];
  }

  async byPassword(
    login: unknown,
    password: unknown,
    address: string,
    method: 'password' | 'basic' = 'password',
  ): Promise<Principal> {
    const { loginThrottle, principals, users } = this.core;
    const account = typeof login === 'string' ? users.loginName(login) : '';
    await loginThrottle.checkBlocked(address, account);
    if (account === '' || typeof password !== 'string' || password === '')
      return loginThrottle.attempt(address, account, () => Promise.reject(loginFailed(users.loginField)), method);
    let tried = false;
    const found = principals.get('password', `${account}\0${password}`, () => {
      tried = true;
      const check = (): Promise<FoundPrincipal> => checkPassword(this.core, { account, password, address });
      return loginThrottle.attempt(address, account, check, method);
    });
    // a caller that waited for the same comparison has made a guess too
    const principal = await (tried
      ? found
      : found.catch((error: Error) => loginThrottle.attempt(address, account, () => Promise.reject(error), method)));
    this.#refuseWithoutFactor(principal);
    return principal;
  }

  async byToken(token: string, address: string): Promise<Principal> {
    const { principals, sessions } = this.core;
    const principal = await principals.get('token', token, async () => {
      await requireGenuine(this.core, tokenKinds.access, token, address);
      return this.#principalOfSession(await sessions.byToken(token));
    });
    if (principal.session !== undefined) sessions.uses.record(principal.session);
    return principal;
  }

  bySession(session: string): Promise<Principal> {
    const { principals, sessions } = this.core;
    return principals.get('session', session, async () => this.#principalOfSession(await sessions.byId(session)));
  }

  async principalOfUser(id: string): Promise<Principal | undefined> {
    const user = await this.core.users.byId(id);
    return user && principalOf(user.known, undefined, user.own);
  }

  byKey(key: string, from: ClientAddress): Promise<Principal> {
    const stored = this.storedKeys.find(({ kind }) => claimsToBe(kind, key));
    if (stored !== undefined) return stored.principalOf(key, from);
    return this.core.principals.get('key', key, async () => {
      await requireGenuine(this.core, tokenKinds.key, key, from.address);
      return this.#principalOfKey(digest(key));
    });
  }

  async lastKeyUses(users: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const all = await Promise.all(this.storedKeys.map((keys) => keys.lastUses(users)));
    return latestByUser(all.flatMap((uses) => [...uses]));
  }

  isKey(text: string): boolean {
    return [tokenKinds.key, ...this.storedKeys.map(({ kind }) => kind)].some((kind) => claimsToBe(kind, text));
  }

  byJwt(jwt: string, address: string): Promise<Principal> {
    return this.core.principals.get('jwt', jwt, async () => {
      const claims = await readJwt(this.core, jwt, address, ['login', 'granted']);
      const found = await this.#principalOfJwt(claims);
      if (claims.purpose !== 'login') this.#refuseWithoutFactor(found.principal);
      return found;
    });
  }

  async byHolder({ id, user, epoch, holder = {} }: Substitute, from: ClientAddress): Promise<Principal> {
    const { method, session, key, digest: secret, until, by } = holder;
    if (session !== undefined) return this.bySession(session);
    if (key !== undefined) {
      const stored = this.storedKeys.find(({ kind }) => kind.method === method);
      if (stored === undefined) throw invalidToken(tokenKinds.key);
      return stored.principalBy(key, secret ?? '', from);
    }
    if (method === 'apikey')
      return this.core.principals.get('key by digest', secret ?? '', () => this.#principalOfKey(secret ?? ''));
    const find = (): Promise<FoundPrincipal> => this.#principalInEpoch(user, epoch, { method, until, by });
    const principal = await this.core.principals.get('substitute', id, find);
    // it was made before the second factor was switched on
    if (method === 'basic') this.#refuseWithoutFactor(principal);
    return principal;
  }

  onStale(listener: (whose: CredentialOwner) => void): void {
    this.core.principals.onStale(listener);
  }

  async login({ user, epoch, factor, by }: Principal, { method, ...client }: Login): Promise<LoginResult> {
    const { accounts, sessions, principals, knownAddresses, users } = this.core;
    if (user === undefined || epoch === undefined) throw signInFirst();
    const { id } = user;
    const begun = await accounts.nextLogin(id, epoch, factor === 'on');
    if (begun === undefined) throw loginFailed(users.loginField);
    // a password check records it too, but its cached result may be from another address; other methods have not recorded it
    await knownAddresses.record(user, begun.addresses, client.address);
    const { progress } = client;
    const session = await transaction({ services: this.core, progress }, ({ unit }) => {
      this.core.accountEvents.record(unit, { what: 'login', who: id, whom: id, address: client.address, method, by });
      return sessions.begin(id, { epoch, serial: begun.serial, by }, client, unit.session);
    });
    await sessions.endOldest(id);
    principals.dropUser(id);
    return { user_id: id, apikey: begun.key, ...session };
  }

  async loginByFirstFactor(principal: Principal, login: Login): Promise<LoginResult> {
    this.#refuseWithoutFactor(principal);
    return this.login(principal, login);
  }

  async loginByJwt(jwt: unknown, client: SessionClient, verified: Principal): Promise<LoginResult> {
    if (typeof jwt !== 'string' || jwt === '') throw badBody('jwt is missing: send it as text');
    const { jwts, useOnce } = this.core;
    const claims = await readJwt(this.core, jwt, client.address, ['login', 'granted', ...jwts.signingInOnce]);
    const { principal } = await this.#principalOfJwt(claims);
    assertSameUser(verified, principal.user?.id);
    const signsInOnce = jwts.signingInOnce.includes(claims.purpose);
    if (signsInOnce && !(await useOnce(claims.id, claims.expires))) throw invalidJwt();
    if (claims.purpose !== 'login') this.#refuseWithoutFactor(principal);
    return this.login(principal, { ...client, method: signsInOnce ? claims.purpose : 'jwt' });
  }

  async refresh(token: string, address: string, verified: Principal): Promise<LoginResult> {
    const { principals, sessions, reconcileAccount } = this.core;
    await requireGenuine(this.core, tokenKinds.refresh, token, address);
    const refreshed = await sessions.refresh(token, (user) => assertSameUser(verified, user));
    if (refreshed === undefined) throw invalidToken(tokenKinds.refresh);
    const { user, epoch, session } = refreshed;
    principals.dropUser(user);
    if (session === undefined) throw invalidToken(tokenKinds.refresh);
    const now = await reconcileAccount(user);
    if (now?.epoch === epoch) return { user_id: user, ...session };
    await sessions.endAll(user, now?.epoch);
    throw invalidToken(tokenKinds.refresh);
  }

  async logout({ user, session }: Principal): Promise<void> {
    const { principals, sessions } = this.core;
    if (user === undefined) throw signInFirst();
    await (session === undefined ? sessions.endAll(user.id) : sessions.end(session));
    principals.dropUser(user.id);
  }

  /** @throws 401 with a ticket for a user who has a second factor on, and has given only a first one */
  #refuseWithoutFactor({ user, epoch, factor }: Principal): void {
    if (factor !== 'on' || user === undefined || epoch === undefined) return;
    throw this.factorCheck.refusal(user.id, epoch);
  }

  /** @throws 401 for a session that has ended */
  async #principalOfSession(session: FoundSession | undefined): Promise<FoundPrincipal> {
    const now = session === undefined ? undefined : await this.core.reconcileAccount(session.user);
    if (session === undefined || now?.epoch !== session.epoch) throw invalidToken(tokenKinds.access);
    refuseUnverified(now);
    const { id, expires, until, by } = session;
    const signIn = { method: 'token', session: id, factor: now.factor, epoch: now.epoch, expires, by } as const;
    return { principal: principalOf(now.user.known, signIn, now.user.own), credentialExpires: until };
  }

  /** @param key the digest of a permanent key @throws 401 */
  async #principalOfKey(key: string): Promise<FoundPrincipal> {
    const { accounts, reconcileAccount } = this.core;
    const owner = await accounts.userByKey(key);
    const now = owner === undefined ? undefined : await reconcileAccount(owner.id);
    // the key of an earlier user with this id is not valid, nor one that has just been replaced by a recovery
    if (owner === undefined || now?.user.incarnation !== owner.incarnation || now.resets !== owner.resets)
      throw invalidToken(tokenKinds.key);
    refuseUnverified(now);
    const by = { method: 'apikey', digest: key, factor: now.factor, epoch: now.epoch } as const;
    return { principal: principalOf(now.user.known, by, now.user.own) };
  }

  /** @throws 401 for a JWT that has expired or ended */
  #principalOfJwt({ user, epoch, expires, by }: Claims): Promise<FoundPrincipal> {
    return this.#principalInEpoch(user, epoch, { method: 'jwt', until: expires.getTime(), by });
  }

  /** A user in an epoch. @throws 401 when it has ended, or the time of the credential has */
  async #principalInEpoch(user: string, epoch: number, { method, until, by }: Holder): Promise<FoundPrincipal> {
    const isInTime = until === undefined || until > this.core.clock().getTime();
    const now = isInTime ? await this.core.reconcileAccount(user) : undefined;
    if (now?.epoch !== epoch) throw invalidJwt();
    refuseUnverified(now);
    const expires = until === undefined ? undefined : new Date(until);
    const signIn = { ...(method === undefined ? {} : { method }), factor: now.factor, epoch, expires, by };
    const principal = principalOf(now.user.known, signIn, now.user.own);
    return { principal, ...(expires === undefined ? {} : { credentialExpires: expires }) };
  }
}

/** An unknown user takes as long as a wrong password and gets the same answer. */
async function checkPassword(
  { users, passwordMatches, reconcileAccount, knownAddresses }: AuthCore,
  { account, password, address }: Readonly<Record<'account' | 'password' | 'address', string>>,
): Promise<FoundPrincipal> {
  const user = await users.byLogin(account);
  if (!(await passwordMatches(password, user?.hash, address)) || user === undefined)
    throw loginFailed(users.loginField);
  const now = await reconcileAccount(user.known.id);
  // the password changed during the comparison
  if (now === undefined || now.user.hash !== user.hash) throw loginFailed(users.loginField);
  refuseUnverified(now);
  // a password alone does not show that the user was here
  if (now.factor !== 'on') await knownAddresses.record(now.user.known, now.addresses, address);
  const by = { method: 'basic', factor: now.factor, epoch: now.epoch } as const;
  return { principal: principalOf(now.user.known, by, now.user.own) };
}
