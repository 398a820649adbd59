/** Who a credential belongs to, and what a login gives. */
import { principalOf, type Principal } from '../policy/principal.ts';
import { badBody, badCredentials, loginFailed, signInFirst, type Failure } from '../errors.ts';
import type { Auth, LoginResult } from './contract.ts';
import type { AuthCore } from './core.ts';
import { assertSameUser } from './credentials/identify.ts';
import type { Claims, JwtPurpose } from './credentials/jwt.ts';
import type { FoundPrincipal } from './credentials/principal-cache.ts';
import type { FoundSession } from './sessions/sessions.ts';
import type { TokenKind } from './credentials/tokens.ts';
import { plainEmail } from '../email.ts';

export function makeAuth(core: AuthCore): Auth {
  const { principals, sessions, accounts, standing, clock } = core;
  const login = async ({ user, epoch }: Principal): Promise<LoginResult> => {
    if (user === undefined || epoch === undefined) throw signInFirst();
    const begun = await accounts.nextLogin(user.id, epoch);
    if (begun === undefined) throw loginFailed();
    const session = await sessions.begin(user.id, epoch, begun.serial);
    principals.forget(user.id);
    return { user_id: user.id, apikey: begun.key, ...session };
  };
  return {
    ...credentials(core),
    login,
    async loginByJwt(jwt, address, verified) {
      if (typeof jwt !== 'string' || jwt === '') throw badBody('send jwt');
      const claims = await readJwt(core, jwt, address, ['login', 'oauth']);
      const { principal } = await bearerOf(core, claims);
      assertSameUser(verified, principal.user?.id);
      // what a browser brought back from a provider has stood in an address line
      if (claims.purpose === 'oauth' && !(await core.useOnce(claims.id, claims.expires))) throw deadJwt();
      return login(principal);
    },
    async refresh(token, address, verified) {
      await genuineOr401(core, 'refresh', token, address);
      const refreshed = await sessions.refresh(token, (user) => assertSameUser(verified, user));
      if (refreshed === undefined) throw deadToken('refresh');
      const { user, epoch, session } = refreshed;
      principals.forget(user);
      if (session === undefined) throw deadToken('refresh');
      const now = await standing(user);
      if (now?.epoch === epoch) return { user_id: user, ...session };
      await sessions.endAll(user, now?.epoch);
      throw deadToken('refresh');
    },
    async logout({ user, session }) {
      if (user === undefined) throw signInFirst();
      await (session === undefined ? sessions.endAll(user.id) : sessions.end(session));
      principals.forget(user.id);
    },
  };

  function credentials(parts: AuthCore): Omit<Auth, 'login' | 'loginByJwt' | 'refresh' | 'logout'> {
    return {
      async byPassword(email, password, address) {
        const given = typeof email === 'string' && typeof password === 'string' && email.trim() !== '';
        const account = typeof email === 'string' ? plainEmail(email) : '';
        parts.guesses.refuse(address, account);
        if (!given || password === '')
          return parts.guesses.attempt(address, account, () => Promise.reject(loginFailed()));
        let tried = false;
        const found = principals.of('password', `${account}\0${password}`, () => {
          tried = true;
          return parts.guesses.attempt(address, account, () => checkPassword(parts, { account, password, address }));
        });
        // whoever only waits for the same comparison has guessed as well
        return tried
          ? found
          : found.catch((error: Error) => parts.guesses.attempt(address, account, () => Promise.reject(error)));
      },
      byToken: (token, address) =>
        principals.of('token', token, async () => {
          await genuineOr401(parts, 'access', token, address);
          return ownerOf(await sessions.byToken(token));
        }),
      bySession: (session) => principals.of('session', session, async () => ownerOf(await sessions.byId(session))),
      byKey: (key, address) =>
        principals.of('key', key, async () => {
          await genuineOr401(parts, 'key', key, address);
          const owner = await accounts.userByKey(key);
          const now = owner === undefined ? undefined : await standing(owner.id);
          // the key of an earlier user with this id is not valid
          if (owner === undefined || now?.user.incarnation !== owner.incarnation) throw deadToken('key');
          return { principal: principalOf(now.user.known, undefined, now.epoch, now.user.own) };
        }),
      byJwt: (jwt, address) =>
        principals.of('jwt', jwt, async () => bearerOf(parts, await readJwt(parts, jwt, address, ['login']))),
      onDoubt: (listener) => principals.onForgotten(listener),
    };
  }

  /** @throws 401 for a session that is over */
  async function ownerOf(session: FoundSession | undefined): Promise<FoundPrincipal> {
    const now = session === undefined ? undefined : await standing(session.user);
    if (session === undefined || now?.epoch !== session.epoch) throw deadToken('access');
    return { principal: principalOf(now.user.known, session.id, now.epoch, now.user.own), until: session.expires };
  }

  /** @throws 401 for a JWT that is over */
  async function bearerOf(parts: AuthCore, { user, epoch, expires }: Claims): Promise<FoundPrincipal> {
    const now = expires > clock() ? await parts.standing(user) : undefined;
    if (now?.epoch !== epoch) throw deadJwt();
    return { principal: principalOf(now.user.known, undefined, epoch, now.user.own), until: expires };
  }
}

/** An unknown user takes as long as a wrong password, and is told the same. */
async function checkPassword(
  { users, matches, standing }: AuthCore,
  { account, password, address }: Readonly<Record<'account' | 'password' | 'address', string>>,
): Promise<FoundPrincipal> {
  const user = await users.byEmail(account);
  if (!(await matches(password, user?.hash, address)) || user === undefined) throw loginFailed();
  const now = await standing(user.known.id);
  // changed while it was being compared
  if (now === undefined || now.user.hash !== user.hash) throw loginFailed();
  return { principal: principalOf(now.user.known, undefined, now.epoch, now.user.own) };
}

const names: Readonly<Record<TokenKind, string>> = {
  access: 'the token',
  refresh: 'the refresh token',
  key: 'the API key',
};
const deadToken = (kind: TokenKind): Failure => badCredentials(`${names[kind]} is not valid or has expired`);
const deadJwt = (): Failure => badCredentials('the JWT is not valid or has expired');

/** What this server never made is a guess, and counts. @throws 401, 429 */
async function genuineOr401({ tokens, guesses }: AuthCore, kind: TokenKind, text: string, from: string): Promise<void> {
  if (tokens.genuine(kind, text)) return;
  await guesses.wrong(from);
  throw deadToken(kind);
}

async function readJwt(
  { jwts, guesses }: AuthCore,
  text: string,
  address: string,
  purposes: readonly JwtPurpose[],
): Promise<Claims> {
  const claims = jwts.read(text);
  if (claims === undefined) await guesses.wrong(address);
  if (claims === undefined || !purposes.includes(claims.purpose)) throw deadJwt();
  return claims;
}
