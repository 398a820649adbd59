/** All credentials of a request must belong to one user (docs/authentication.md, "Credentials"). */
import type { Principal } from '../access/principal.ts';
import { badCredentials } from '../errors.ts';

/** @throws 401 when the credentials that were verified before are somebody else's */
export function samePerson({ user }: Principal, id: string | undefined): void {
  if (user !== undefined && user.id !== id) throw badCredentials('the credentials are of different people');
}
