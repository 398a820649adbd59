/** Lets users change their email with their password, and notifies the old address. */
import { plainEmail } from '../email.ts';
import { loginFailed, signInFirst } from '../errors.ts';
import type { Log } from '../log.ts';
import { modelOf } from '../models/mongoose.ts';
import type { Mail, OwnAccount } from './contract.ts';
import type { AuthCore } from './core.ts';
import { provenUser } from './credentials/proven-user.ts';
import { emailChangedMail } from './email-changed-mail.ts';

export function emailChange(core: AuthCore, mail: Mail, log: Log): Pick<OwnAccount, 'changeEmail'> {
  const { users, settings, registry } = core;
  /** Sends the notice in the background: a mail server that refuses it does not undo the change. */
  const notify = (to: string): void => {
    if (settings.smtp.url === undefined) return;
    mail.send({ to, ...emailChangedMail() }).catch((error: unknown) => {
      log.error('the mail about a changed email could not be sent', error);
    });
  };
  return {
    async changeEmail({ user, method }, email, password, address) {
      if (user === undefined) throw signInFirst();
      const known = await provenUser(core, user, password, address);
      const next = plainEmail(email);
      const before = known.known.email;
      if (next === before) return { email: next, email_verified: known.verified };
      // the model file may have validators of its own
      await modelOf(registry.internal('user')).validate({ email: next }, ['email']);
      if (!(await users.setEmail(known, next, { address, method }))) throw loginFailed();
      notify(before);
      return { email: next, email_verified: false };
    },
  };
}
