/** The operations of users on their own credentials: a new API key, a JWT, a new password, a new email. */
import { plainEmail } from '../email.ts';
import { badCredentials, credentialEnded, signInFirst, unauthorized, unauthorizedUnknown } from '../errors.ts';
import { signInOf } from '../policy/principal.ts';
import type { FactorCheck, OwnAccount } from './contract.ts';
import type { AuthCore } from './core.ts';
import { recorded } from './events/recorded.ts';
import { notices } from './mails/mails.ts';
import { emailChange } from './new-email.ts';
import { passwordChanges } from './passwords/new-password.ts';
import { renewKey } from './renew-key.ts';

export function makeOwnAccount(core: AuthCore, factorCheck: FactorCheck): OwnAccount {
  const { principals, users, reconcileAccount, jwts, notifier } = core;
  return {
    ...passwordChanges(core, factorCheck),
    ...emailChange(core),
    async renewKey(principal, address) {
      const { user, epoch } = principal;
      if (user === undefined || epoch === undefined) throw signInFirst();
      const now = await reconcileAccount(user.id);
      const key =
        now === undefined ? undefined : await renewKey(core, now.user, epoch, { address, ...signInOf(principal) });
      if (key === undefined) throw credentialEnded();
      principals.dropUser(user.id);
      notifier.notify(user, notices.newKey());
      return key;
    },
    async jwtFor(principal, email, address) {
      const { user, admin, epoch, session, by } = principal;
      if (user === undefined || epoch === undefined) throw signInFirst();
      if (plainEmail(email) === plainEmail(user.email))
        return jwts.sign(session === undefined ? 'granted' : 'login', user.id, epoch, { by });
      if (!admin) throw unauthorized('only an admin may request a JWT for another user');
      const other = await users.byEmail(email);
      if (other === undefined) throw unauthorizedUnknown();
      const now = await reconcileAccount(other.known.id);
      if (now === undefined) throw badCredentials('the user has just been deleted');
      const whom = other.known.id;
      const actor = { user: user.id, address, ...signInOf(principal) };
      // of a chain of such JWTs, the admin who began it
      const sign = (): Promise<string> => Promise.resolve(jwts.sign('granted', whom, now.epoch, { by: by ?? user.id }));
      return recorded({ services: core }, { what: 'jwt.created', whom, by: actor }, sign);
    },
  };
}
