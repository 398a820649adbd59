/** The operations of users on their own credentials: a new API key, a JWT, a new password, a new email. */
import { plainEmail } from '../email.ts';
import { badCredentials, credentialEnded, signInFirst, unauthorized, unauthorizedUnknown } from '../errors.ts';
import type { OwnAccount } from './contract.ts';
import type { AuthCore } from './core.ts';
import { notices } from './mails/mails.ts';
import { emailChange } from './new-email.ts';
import { passwordChanges } from './passwords/new-password.ts';
import { renewKey } from './renew-key.ts';

export function makeOwnAccount(core: AuthCore): OwnAccount {
  const { principals, users, reconcileAccount, jwts, notifier } = core;
  return {
    ...passwordChanges(core),
    ...emailChange(core),
    async renewKey({ user, method, epoch }, address) {
      if (user === undefined || epoch === undefined) throw signInFirst();
      const now = await reconcileAccount(user.id);
      const key = now === undefined ? undefined : await renewKey(core, now.user, epoch, { address, method });
      if (key === undefined) throw credentialEnded();
      principals.dropUser(user.id);
      notifier.notify(user.email, notices.newKey());
      return key;
    },
    async jwtFor({ user, admin, epoch, session }, email) {
      if (user === undefined || epoch === undefined) throw signInFirst();
      if (plainEmail(email) === plainEmail(user.email))
        return jwts.sign(session === undefined ? 'granted' : 'login', user.id, epoch);
      if (!admin) throw unauthorized('only an admin may request a JWT for another user');
      const other = await users.byEmail(email);
      if (other === undefined) throw unauthorizedUnknown();
      const now = await reconcileAccount(other.known.id);
      if (now === undefined) throw badCredentials('the user has just been deleted');
      return jwts.sign('granted', other.known.id, now.epoch);
    },
  };
}
