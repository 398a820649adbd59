/** Credentials → the principal, anonymous when there are none, or 401. All credentials of a request must be valid and of one user. */
import { badCredentials } from '../../errors.ts';
import { anonymous, type Principal } from '../../policy/principal.ts';
import type { Auth } from '../contract.ts';
import { type CredentialSource, isUnknownScheme, type MethodName, methods } from './methods.ts';

/**
 * @param except the method that the operation itself verifies
 * @throws 401 when a credential is not valid, or two are of different users; 429
 */
export async function identify(source: CredentialSource, auth: Auth, except?: MethodName): Promise<Principal> {
  if (isUnknownScheme(source.authorization)) throw badCredentials('this kind of Authorization is not known');
  return verifyAll(
    methods.flatMap(({ name, find, verify }) => {
      const credential = name === except ? undefined : find(source);
      return credential === undefined ? [] : [() => verify(credentialText(credential), auth, source.address)];
    }),
  );
}

/**
 * Verifies credentials in their order. A principal with a session is preferred, so that it ends with the session.
 * @throws 401 when two are of different users
 */
export async function verifyAll(credentials: readonly (() => Promise<Principal>)[]): Promise<Principal> {
  let principal = anonymous;
  for (const verify of credentials) {
    const found = await verify();
    assertSameUser(principal, found.user?.id);
    principal = principal.session === undefined ? found : principal;
  }
  return principal;
}

/** @throws 401 when the credentials that were verified before are another user's */
export function assertSameUser({ user }: Principal, id: string | undefined): void {
  if (user !== undefined && user.id !== id) throw badCredentials('the credentials are of different people');
}

/** @throws 401 */
export function credentialText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw badCredentials('a credential must be text');
  return value;
}
