/** Credentials → the principal, anonymous when there are none, or 401. */
import { anonymous, type Principal } from '../policy/principal.ts';
import { badCredentials } from '../errors.ts';
import type { Auth } from './contract.ts';
import { isUnknownScheme, methods, type CredentialSource, type MethodName } from './methods.ts';

/**
 * All credentials that are sent must be valid and of one person.
 * @param except the one that the route itself verifies
 * @throws 401 when a credential is not valid, or two are of different people; 429
 */
export async function identify(source: CredentialSource, auth: Auth, except?: MethodName): Promise<Principal> {
  if (isUnknownScheme(source.authorization)) throw badCredentials('this kind of Authorization is not known');
  let principal = anonymous;
  for (const { name, find, verify } of methods) {
    const credential = name === except ? undefined : find(source);
    if (credential === undefined) continue;
    if (typeof credential !== 'string' || credential === '') throw badCredentials('a credential must be text');
    const found = await verify(credential, auth, source.address);
    if (principal.user !== undefined && principal.user.id !== found.user?.id)
      throw badCredentials('the credentials are of different people');
    principal = principal.session === undefined ? found : principal;
  }
  return principal;
}
