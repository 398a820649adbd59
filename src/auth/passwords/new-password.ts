/** How users change their password: knowing the old one, or by the link of a recovery mail. */
import { plainEmail } from '../../email.ts';
import { badCredentials, loginFailed, notConfigured, signInFirst, unknownEmail } from '../../errors.ts';
import type { Mail, OwnAccount } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import { provenUser } from '../credentials/proven-user.ts';
import { recoveryMail } from './recovery-mail.ts';

type Parts = Pick<OwnAccount, 'changePassword' | 'recover' | 'reset'>;

export function passwordChanges(core: AuthCore, mail: Mail): Parts {
  const { users, accounts, standing, guesses, jwts, passwords, principals, settings, tokens } = core;
  /** The new hash has begun a new epoch: all that was made before is over. */
  const settle = async (user: string): Promise<void> => {
    await standing(user);
    principals.forget(user);
  };
  return {
    async changePassword({ user }, current, next, address) {
      if (user === undefined) throw signInFirst();
      const known = await provenUser(core, user, current, address);
      const hash = await passwords.hash(next, user.id, 'new_password');
      if (!(await users.setHash(known, hash))) throw loginFailed();
      await settle(user.id);
    },
    async recover(email, address) {
      await guesses.spend('recover', address, plainEmail(email));
      const found = await users.byEmail(email);
      const now = found === undefined ? undefined : await standing(found.known.id);
      if (now === undefined) throw unknownEmail();
      const page = settings.password_recovery_url;
      if (page === undefined) throw notConfigured('no recovery page is set (PASSWORD_RECOVERY_URL)');
      if (settings.smtp.url === undefined) throw notConfigured('no mail server is set (SMTP_URL)');
      const { email: to, id } = now.user.known;
      const jwt = jwts.sign('recovery', id, now.epoch, tokens.mark('email', to));
      await mail.send({ to, ...recoveryMail(page + jwt, settings.recovery_expiry) });
    },
    async reset(jwt, password, address) {
      const dead = badCredentials('the link is not valid, has expired or was used');
      const claims = jwts.read(jwt);
      if (claims === undefined) {
        await guesses.wrong(address);
        throw dead;
      }
      const now = await standing(claims.user);
      if (claims.purpose !== 'recovery' || claims.expires <= core.clock() || now?.epoch !== claims.epoch) throw dead;
      // the link proves that its reader has the address that it was sent to, and no other
      if (claims.email !== tokens.mark('email', now.user.known.email)) throw dead;
      const hash = await passwords.hash(password, claims.user);
      // of all who come with links of this epoch, one goes on
      if (!(await accounts.claim(claims.user, claims.epoch))) throw dead;
      if (!(await users.recover(now.user, hash))) throw dead;
      await accounts.renewKey(now.user);
      await settle(claims.user);
    },
  };
}
