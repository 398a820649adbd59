/** Distinguishes tokens, keys and JWTs that a server with this secret has created from guesses, which the throttle counts. */
import { badCredentials, emailNotVerified, type Failure } from '../../errors/errors.ts';
import type { TokenKind } from '../contract.ts';
import type { LoginThrottle } from '../throttle/login-throttle.ts';
import type { AccountState } from './account-state.ts';
import type { Claims, Jwts } from './jwt.ts';
import type { Tokens } from './tokens.ts';

/** What counts guesses. */
interface Guarded {
  readonly loginThrottle: LoginThrottle;
}

export const invalidToken = ({ refusal }: TokenKind): Failure => badCredentials(refusal);

/** A credential that this server did not create is a guess, and counts as one. @throws 401, 429 */
export async function requireGenuine(
  { tokens, loginThrottle }: Guarded & { readonly tokens: Tokens },
  kind: TokenKind,
  text: string,
  from: string,
): Promise<void> {
  if (tokens.isGenuine(kind, text)) return;
  await loginThrottle.countForgery(from, kind.method);
  throw invalidToken(kind);
}

export const invalidJwt = (): Failure => badCredentials('the JWT is not valid or has expired');

/** The claims of a JWT with one of the purposes, expired or not. @throws 401, 429 */
export async function readJwt(
  { jwts, loginThrottle }: Guarded & { readonly jwts: Jwts },
  text: string,
  address: string,
  purposes: readonly string[],
): Promise<Claims> {
  const claims = jwts.read(text);
  if (claims === undefined) await loginThrottle.countForgery(address, 'jwt');
  if (claims === undefined || !purposes.includes(claims.purpose)) throw invalidJwt();
  return claims;
}

/** @throws 401 for a user who has signed up and not yet verified the address, in every way of signing in */
export function refuseUnverified({ mustVerifyEmail }: AccountState): void {
  if (mustVerifyEmail) throw emailNotVerified();
}
