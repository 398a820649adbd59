/** Verifies credentials, and begins, refreshes and ends sessions. */
import { plainEmail } from '../email.ts';
import { badBody, badCredentials, type Failure, loginFailed, signInFirst } from '../errors.ts';
import { type Principal, principalOf } from '../policy/principal.ts';
import { transaction } from '../write/commit.ts';
import { record } from '../write/record.ts';
import type { Auth, CredentialOwner, LoginResult, Origin } from './contract.ts';
import type { AuthCore } from './core.ts';
import { assertSameUser } from './credentials/identify.ts';
import type { Claims, JwtPurpose } from './credentials/jwt.ts';
import type { FoundPrincipal } from './credentials/principal-cache.ts';
import type { TokenKind } from './credentials/tokens.ts';
import type { FoundSession } from './sessions/sessions.ts';
import { withDbErrors } from './with-db-errors.ts';

export class Authenticator implements Auth {
  constructor(private readonly core: AuthCore) {}

  async byPassword(
    email: unknown,
    password: unknown,
    address: string,
    method: 'password' | 'basic' = 'password',
  ): Promise<Principal> {
    const { loginThrottle, principals } = this.core;
    const account = typeof email === 'string' ? plainEmail(email) : '';
    loginThrottle.refuse(address, account);
    if (typeof email !== 'string' || email.trim() === '' || typeof password !== 'string' || password === '')
      return loginThrottle.attempt(address, account, () => Promise.reject(loginFailed()), method);
    let tried = false;
    const found = principals.of('password', `${account}\0${password}`, () => {
      tried = true;
      const check = (): Promise<FoundPrincipal> => checkPassword(this.core, { account, password, address });
      return loginThrottle.attempt(address, account, check, method);
    });
    // a caller that waited for the same comparison has made a guess too
    return tried
      ? found
      : found.catch((error: Error) => loginThrottle.attempt(address, account, () => Promise.reject(error), method));
  }

  byToken(token: string, address: string): Promise<Principal> {
    return this.core.principals.of('token', token, async () => {
      await genuineOr401(this.core, 'access', token, address);
      return this.#ownerOf(await this.core.sessions.byToken(token));
    });
  }

  bySession(session: string): Promise<Principal> {
    const { principals, sessions } = this.core;
    return principals.of('session', session, async () => this.#ownerOf(await sessions.byId(session)));
  }

  async ofUser(id: string): Promise<Principal | undefined> {
    const user = await this.core.users.byId(id);
    return user && principalOf(user.known, {}, user.own);
  }

  byKey(key: string, address: string): Promise<Principal> {
    const { principals, accounts, accountStateOf } = this.core;
    return principals.of('key', key, async () => {
      await genuineOr401(this.core, 'key', key, address);
      const owner = await accounts.userByKey(key);
      const now = owner === undefined ? undefined : await accountStateOf(owner.id);
      // the key of an earlier user with this id is not valid
      if (owner === undefined || now?.user.incarnation !== owner.incarnation) throw deadToken('key');
      return { principal: principalOf(now.user.known, { method: 'apikey', epoch: now.epoch }, now.user.own) };
    });
  }

  byJwt(jwt: string, address: string): Promise<Principal> {
    return this.core.principals.of('jwt', jwt, async () =>
      this.#bearerOf(await readJwt(this.core, jwt, address, ['login'])),
    );
  }

  onStale(listener: (whose: CredentialOwner) => void): void {
    this.core.principals.onForgotten(listener);
  }

  async login({ user, epoch }: Principal, origin: Origin): Promise<LoginResult> {
    const { accounts, sessions, principals } = this.core;
    if (user === undefined || epoch === undefined) throw signInFirst();
    const { id } = user;
    const begun = await accounts.nextLogin(id, epoch);
    if (begun === undefined) throw loginFailed();
    const session = await withDbErrors(() =>
      transaction({ services: this.core }, ({ unit }) => {
        record(unit, { what: 'login', who: id, whom: id, ...origin });
        return sessions.begin(id, { epoch, serial: begun.serial }, unit.session);
      }),
    );
    await sessions.trim(id);
    principals.forget(id);
    return { user_id: id, apikey: begun.key, ...session };
  }

  async loginByJwt(jwt: unknown, address: string, verified: Principal): Promise<LoginResult> {
    if (typeof jwt !== 'string' || jwt === '') throw badBody('jwt is missing: send it as text');
    const claims = await readJwt(this.core, jwt, address, ['login', 'oauth']);
    const { principal } = await this.#bearerOf(claims);
    assertSameUser(verified, principal.user?.id);
    // a JWT of an OAuth login was part of a URL, so it works once
    if (claims.purpose === 'oauth' && !(await this.core.useOnce(claims.id, claims.expires))) throw deadJwt();
    return this.login(principal, { address, method: claims.purpose === 'oauth' ? 'oauth' : 'jwt' });
  }

  async refresh(token: string, address: string, verified: Principal): Promise<LoginResult> {
    const { principals, sessions, accountStateOf } = this.core;
    await genuineOr401(this.core, 'refresh', token, address);
    const refreshed = await sessions.refresh(token, (user) => assertSameUser(verified, user));
    if (refreshed === undefined) throw deadToken('refresh');
    const { user, epoch, session } = refreshed;
    principals.forget(user);
    if (session === undefined) throw deadToken('refresh');
    const now = await accountStateOf(user);
    if (now?.epoch === epoch) return { user_id: user, ...session };
    await sessions.endAll(user, now?.epoch);
    throw deadToken('refresh');
  }

  async logout({ user, session }: Principal): Promise<void> {
    const { principals, sessions } = this.core;
    if (user === undefined) throw signInFirst();
    await (session === undefined ? sessions.endAll(user.id) : sessions.end(session));
    principals.forget(user.id);
  }

  /** @throws 401 for a session that has ended */
  async #ownerOf(session: FoundSession | undefined): Promise<FoundPrincipal> {
    const now = session === undefined ? undefined : await this.core.accountStateOf(session.user);
    if (session === undefined || now?.epoch !== session.epoch) throw deadToken('access');
    const by = { method: 'token', session: session.id, epoch: now.epoch, expires: session.expires } as const;
    return { principal: principalOf(now.user.known, by, now.user.own), until: session.expires };
  }

  /** @throws 401 for a JWT that has expired or ended */
  async #bearerOf({ user, epoch, expires }: Claims): Promise<FoundPrincipal> {
    const now = expires > this.core.clock() ? await this.core.accountStateOf(user) : undefined;
    if (now?.epoch !== epoch) throw deadJwt();
    return { principal: principalOf(now.user.known, { method: 'jwt', epoch, expires }, now.user.own), until: expires };
  }
}

/** An unknown user takes as long as a wrong password and gets the same answer. */
async function checkPassword(
  { users, matches, accountStateOf }: AuthCore,
  { account, password, address }: Readonly<Record<'account' | 'password' | 'address', string>>,
): Promise<FoundPrincipal> {
  const user = await users.byEmail(account);
  if (!(await matches(password, user?.hash, address)) || user === undefined) throw loginFailed();
  const now = await accountStateOf(user.known.id);
  // the password changed during the comparison
  if (now === undefined || now.user.hash !== user.hash) throw loginFailed();
  return { principal: principalOf(now.user.known, { method: 'basic', epoch: now.epoch }, now.user.own) };
}

const names: Readonly<Record<TokenKind, string>> = {
  access: 'the token',
  refresh: 'the refresh token',
  key: 'the API key',
};
/** The methods of the audit log. */
const methodOf: Readonly<Record<TokenKind, string>> = { access: 'token', refresh: 'token', key: 'apikey' };
const deadToken = (kind: TokenKind): Failure => badCredentials(`${names[kind]} is not valid or has expired`);
const deadJwt = (): Failure => badCredentials('the JWT is not valid or has expired');

/** A credential that this server did not create is a guess, and counts as one. @throws 401, 429 */
async function genuineOr401(
  { tokens, loginThrottle }: AuthCore,
  kind: TokenKind,
  text: string,
  from: string,
): Promise<void> {
  if (tokens.genuine(kind, text)) return;
  await loginThrottle.wrong(from, methodOf[kind]);
  throw deadToken(kind);
}

async function readJwt(
  { jwts, loginThrottle }: AuthCore,
  text: string,
  address: string,
  purposes: readonly JwtPurpose[],
): Promise<Claims> {
  const claims = jwts.read(text);
  if (claims === undefined) await loginThrottle.wrong(address, 'jwt');
  if (claims === undefined || !purposes.includes(claims.purpose)) throw deadJwt();
  return claims;
}
