/** The operations of users on their own credentials: a new API key, a JWT, a new password, a new email. */
import { plainEmail } from '../email.ts';
import {
  badCredentials,
  credentialEnded,
  loginFailed,
  signInFirst,
  unauthorized,
  unauthorizedUnknown,
} from '../errors.ts';
import { modelOf } from '../models/mongoose.ts';
import { signInOf } from '../policy/principal.ts';
import type { FactorCheck, Origin, OwnAccount } from './contract.ts';
import type { AuthCore } from './core.ts';
import { provenUser } from './credentials/proven-user.ts';
import { recorded } from './events/recorded.ts';
import { notices } from './mails/mails.ts';
import { passwordChanges } from './passwords/new-password.ts';
import type { BoundUser } from './users.ts';

/** Lets users change their email with their password, and notifies the old address. */
function emailChange(core: AuthCore): Pick<OwnAccount, 'changeEmail'> {
  const { users, notifier, registry } = core;
  return {
    async changeEmail(principal, email, password, address) {
      const { user } = principal;
      if (user === undefined) throw signInFirst();
      const known = await provenUser(core, user, password, address);
      const next = plainEmail(email);
      const before = known.known.email;
      if (next === before) return { email: next, email_verified: known.verified };
      // the model file may have validators of its own
      await modelOf(registry.internal('user')).validate({ email: next }, ['email']);
      if (!(await users.setEmail(known, next, { address, ...signInOf(principal) }))) throw loginFailed();
      notifier.notify(known.known, notices.newEmail());
      return { email: next, email_verified: false };
    },
  };
}

/** @returns the new key; undefined when the account is gone or the epoch has ended */
const renewKey = (core: AuthCore, user: BoundUser, epoch: number, origin: Origin): Promise<string | undefined> =>
  recorded({ services: core }, { what: 'apikey.renewed', whom: user.id, by: { user: user.id, ...origin } }, (session) =>
    core.accounts.renewKey(user, epoch, session),
  );

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
