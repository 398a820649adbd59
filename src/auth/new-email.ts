/** Lets users change their email with their password, and notifies the old address. */
import { plainEmail } from '../email.ts';
import { loginFailed, signInFirst } from '../errors.ts';
import { modelOf } from '../models/mongoose.ts';
import { signInOf } from '../policy/principal.ts';
import type { OwnAccount } from './contract.ts';
import type { AuthCore } from './core.ts';
import { provenUser } from './credentials/proven-user.ts';
import { notices } from './mails/mails.ts';

export function emailChange(core: AuthCore): Pick<OwnAccount, 'changeEmail'> {
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
