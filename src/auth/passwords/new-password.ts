/** Changes passwords: by the old password, or by the link of a recovery mail. */
import { plainEmail } from '../../email.ts';
import { badCredentials, loginFailed, notConfigured, signInFirst, unknownEmail } from '../../errors.ts';
import type { Mail, OwnAccount } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import { provenUser } from '../credentials/proven-user.ts';
import { recoveryMail } from './recovery-mail.ts';

type Parts = Pick<OwnAccount, 'changePassword' | 'recover' | 'reset'>;

export function passwordChanges(core: AuthCore, mail: Mail): Parts {
  const { users, accounts, accountStateOf, loginThrottle, jwts, passwords, principals, settings, tokens } = core;
  /** The new hash begins a new epoch, which ends all earlier sessions and JWTs. */
  const settle = async (user: string): Promise<void> => {
    await accountStateOf(user);
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
      await loginThrottle.spend('recover', address, plainEmail(email));
      const found = await users.byEmail(email);
      const now = found === undefined ? undefined : await accountStateOf(found.known.id);
      if (now === undefined) throw unknownEmail();
      const page = settings.password_recovery_url;
      if (page === undefined)
        throw notConfigured('PASSWORD_RECOVERY_URL, the address of the recovery page, is not set');
      if (settings.smtp.url === undefined) throw notConfigured('SMTP_URL, the address of the mail server, is not set');
      const { email: to, id } = now.user.known;
      const jwt = jwts.sign('recovery', id, now.epoch, tokens.fingerprint('email', to));
      await mail.send({ to, ...recoveryMail(page + jwt, settings.recovery_expiry) });
    },
    async reset(jwt, password, address) {
      const dead = badCredentials('the link is not valid, has expired or has been used');
      const claims = jwts.read(jwt);
      if (claims === undefined) {
        await loginThrottle.wrong(address);
        throw dead;
      }
      const now = await accountStateOf(claims.user);
      if (claims.purpose !== 'recovery' || claims.expires <= core.clock() || now?.epoch !== claims.epoch) throw dead;
      // the link proves only that its reader receives mail at the address that it was sent to
      if (claims.email !== tokens.fingerprint('email', now.user.known.email)) throw dead;
      const hash = await passwords.hash(password, claims.user);
      // of concurrent requests with links of this epoch, one succeeds
      if (!(await accounts.claim(claims.user, claims.epoch))) throw dead;
      if (!(await users.recover(now.user, hash))) throw dead;
      await accounts.renewKey(now.user);
      await settle(claims.user);
    },
  };
}
