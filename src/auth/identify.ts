/** Credentials → the principal, anonymous when there are none, or 401. */
import { anonymous, type Principal } from '../access/principal.ts';
import { badCredentials } from '../errors.ts';
import type { Auth } from '../services.ts';
import { isUnknownScheme, methods, type CredentialSource } from './methods.ts';

/** @throws 401 when a credential is not valid, or two are of different people */
export async function identify(source: CredentialSource, auth: Auth): Promise<Principal> {
  if (isUnknownScheme(source.authorization)) throw badCredentials('this kind of Authorization is not known');
  let principal = anonymous;
  for (const { find, verify } of methods) {
    const credential = find(source);
    if (credential === undefined) continue;
    if (typeof credential !== 'string' || credential === '') throw badCredentials('a credential must be text');
    const found = await verify(credential, auth);
    if (principal.user !== undefined && principal.user.id !== found.user?.id)
      throw badCredentials('the credentials are of different people');
    principal = principal.session === undefined ? found : principal;
  }
  return principal;
}
