/** The operations of users on their own credentials: a new API key, a JWT, a new password, a new email. */
import {
  badCredentials,
  contested,
  credentialEnded,
  signInFirst,
  unauthorized,
  unauthorizedUnknown,
} from '../errors/errors.ts';
import { modelOf } from '../models/mongoose.ts';
import { loginOf, signInOf } from '../policy/principal.ts';
import { plainEmail } from '../text/email.ts';
import type { EmailProof, FactorCheck, OwnAccount } from './contract.ts';
import type { AuthCore } from './core.ts';
import { provenUser } from './credentials/proven-user.ts';
import { recordEvent } from './events/record-event.ts';
import { notices } from './mails/mails.ts';
import { passwordChanges } from './passwords/new-password.ts';

/** Lets users change their email with their password, and notifies the old address. */
function emailChange(core: AuthCore, proof: EmailProof | undefined): Pick<OwnAccount, 'changeEmail'> {
  const { users, accounts, notifier, registry } = core;
  return {
    async changeEmail(principal, email, password, from) {
      const { user } = principal;
      if (user === undefined) throw signInFirst();
      const known = await provenUser(core, user, password, from.address);
      const next = plainEmail(email);
      const before = known.known.email;
      // it takes an earlier request back
      if (next === before) await accounts.requestEmail(known, undefined);
      if (next === before) return { email: next, email_verified: known.verified };
      // the model file may have validators of its own
      await modelOf(registry.internal('user')).validate({ email: next }, ['email']);
      if (proof !== undefined) {
        await proof.request(known.id, next, from.address);
        return { email: before, email_verified: known.verified, requested: next };
      }
      if (!(await users.setEmail(known, next, false, { ...from, ...signInOf(principal) })))
        throw contested('another request has changed your account');
      notifier.notify(known.known, notices.newEmail());
      return { email: next, email_verified: false };
    },
  };
}

export function makeOwnAccount(core: AuthCore, factorCheck: FactorCheck, proof: EmailProof | undefined): OwnAccount {
  const { principals, users, reconcileAccount, jwts, notifier } = core;
  return {
    ...passwordChanges(core, factorCheck),
    ...emailChange(core, proof),
    async renewKey(principal, from) {
      const { user, epoch } = principal;
      if (user === undefined || epoch === undefined) throw signInFirst();
      const now = await reconcileAccount(user.id);
      if (now?.epoch !== epoch) throw credentialEnded();
      const by = { user: user.id, ...from, ...signInOf(principal) };
      const key = await recordEvent({ services: core }, { what: 'apikey.renewed', whom: user.id, by }, (session) =>
        core.accounts.renewKey(now.user, now, session),
      );
      if (key === undefined) throw contested('the API key is being renewed by another request');
      principals.dropUser(user.id);
      notifier.notify(user, notices.newKey());
      return key;
    },
    async jwtFor(principal, login, from) {
      const { user, admin, epoch, session, by } = principal;
      if (user === undefined || epoch === undefined) throw signInFirst();
      if (users.loginName(login) === users.loginName(loginOf(user)))
        return jwts.sign(session === undefined ? 'granted' : 'login', user.id, epoch, { by });
      if (!admin) throw unauthorized('only an admin may request a JWT for another user');
      const other = await users.byLogin(login);
      if (other === undefined) throw unauthorizedUnknown(users.loginField);
      const now = await reconcileAccount(other.known.id);
      if (now === undefined) throw badCredentials('the user has just been deleted');
      const whom = other.known.id;
      const actor = { user: user.id, ...from, ...signInOf(principal) };
      // of a chain of such JWTs, the admin who began it
      const sign = (): Promise<string> => Promise.resolve(jwts.sign('granted', whom, now.epoch, { by: by ?? user.id }));
      return recordEvent({ services: core }, { what: 'jwt.created', whom, by: actor }, sign);
    },
  };
}
