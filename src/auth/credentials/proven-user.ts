/** Verifies the password of a user who is already signed in. */
import { loginFailed } from '../../errors/errors.ts';
import type { KnownUser } from '../../policy/principal.ts';
import type { AuthCore } from '../core.ts';
import type { BoundUser } from '../users.ts';

/**
 * Returns the user as stored. A wrong password counts as a failed login.
 * @throws 401 for a wrong password, 429 after too many failures
 */
export function provenUser(core: AuthCore, user: KnownUser, password: unknown, address: string): Promise<BoundUser> {
  const { loginThrottle, reconcileAccount, passwordMatches, users } = core;
  return loginThrottle.attempt(address, users.accountOf(user), async () => {
    const now = await reconcileAccount(user.id);
    const hash = now?.user.hash;
    if (typeof password !== 'string' || !(await passwordMatches(password, hash, address)) || now === undefined)
      throw loginFailed(users.loginField);
    return now.user;
  });
}
