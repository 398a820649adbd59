/** All credentials of a request are of one person (attacks: rule 4). */
import type { Principal } from '../policy/principal.ts';
import { badCredentials } from '../errors.ts';

/** @throws 401 when the credentials that were verified before are somebody else's */
export function samePerson({ user }: Principal, id: string | undefined): void {
  if (user !== undefined && user.id !== id) throw badCredentials('the credentials are of different people');
}
