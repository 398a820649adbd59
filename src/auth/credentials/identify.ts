/**
 * Identifies the principal of a request: anonymous without credentials, 401 for invalid ones. All credentials must be valid and
 * belong to one user.
 */
import { badCredentials } from '../../errors/errors.ts';
import { anonymousPrincipal, type Principal } from '../../policy/principal.ts';
import type { Auth, CredentialSource } from '../contract.ts';
import { isUnknownScheme, type MethodName } from './methods.ts';

/**
 * @param except the method that the operation itself verifies
 * @throws 401 when a credential is not valid, or two are of different users; 429
 */
export async function identify(source: CredentialSource, auth: Auth, except?: MethodName): Promise<Principal> {
  if (isUnknownScheme(source.authorization))
    throw badCredentials('the scheme of the Authorization header is not supported');
  if (
    !source.takesUrlCredentials &&
    auth.methods.some(({ isInUrl, find }) => isInUrl === true && find(source) !== undefined)
  )
    throw badCredentials('keys and JWTs in the address are switched off: send a header, or a ticket to open a stream');
  let principal = anonymousPrincipal;
  for (const { name, parameter, find, verify } of auth.methods) {
    if (name === except || (parameter !== undefined && source.parameters[parameter] === undefined)) continue;
    const credential = find(source);
    if (credential !== undefined)
      principal = combinedPrincipal(principal, await verify(credentialText(credential), auth, source));
  }
  return principal;
}

/**
 * Verifies credentials in order. @throws 401 when two are of different users
 */
export async function verifyAll(credentials: readonly (() => Promise<Principal>)[]): Promise<Principal> {
  let principal = anonymousPrincipal;
  for (const verify of credentials) {
    principal = combinedPrincipal(principal, await verify());
  }
  return principal;
}

/**
 * Of two principals, the one that a request or a connection with both runs as: scopes restrict it as a whole; otherwise a
 * principal with a session is preferred, so that it ends with the session.
 * @throws 401 for two users, and for two keys with scopes
 */
export function combinedPrincipal(one: Principal, other: Principal): Principal {
  assertSameUser(one, other.user?.id);
  if (one.scopes !== undefined && other.scopes !== undefined && one.key !== other.key)
    throw badCredentials('send one key with scopes only');
  if (one.scopes !== undefined) return one;
  return other.scopes !== undefined || one.session === undefined ? other : one;
}

/** @throws 401 when the credentials verified before belong to another user */
export function assertSameUser({ user }: Principal, id: string | undefined): void {
  if (user !== undefined && user.id !== id) throw badCredentials('the credentials belong to different users');
}

/** @throws 401 */
export function credentialText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw badCredentials('a credential must be a non-empty string');
  return value;
}
