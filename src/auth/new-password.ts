/** How users change their password: knowing the old one, or by the link of a recovery mail. */
import { badBody, badCredentials, badValue, loginFailed, notConfigured, signInFirst, unknownEmail } from '../errors.ts';
import type { Mail, OwnAccount } from '../services.ts';
import type { AuthCore } from './core.ts';
import { recoveryMail } from './recovery-mail.ts';
import { plainEmail } from './users.ts';

type Parts = Pick<OwnAccount, 'changePassword' | 'recover' | 'reset'>;

export function passwordChanges(core: AuthCore, mail: Mail): Parts {
  const { users, accounts, standing, guesses, jwts, passwords, principals, matches, settings } = core;
  /** The new hash has begun a new epoch: all that was made before is over. */
  const settle = async (user: string): Promise<void> => {
    await standing(user);
    principals.forget(user);
  };
  return {
    async changePassword({ user }, current, next, address) {
      if (user === undefined) throw signInFirst();
      const checked = textOf('new_password', next);
      const before = await guesses.attempt(address, plainEmail(user.email), async () => {
        const hash = (await users.byId(user.id))?.hash;
        if (typeof current !== 'string' || !(await matches(current, hash, address)) || hash === undefined)
          throw loginFailed();
        return hash;
      });
      const hash = await passwords.hash(checked, user.id, 'new_password');
      if (!(await users.setHash(user.id, hash, before))) throw loginFailed();
      await settle(user.id);
    },
    async recover(email, address) {
      if (typeof email !== 'string' || !/^\s*[^\s@,;<>]+@[^\s@,;<>]+\s*$/.test(email)) throw badBody('send one email');
      await guesses.spend('recover', address, plainEmail(email));
      const found = await users.byEmail(email);
      const now = found === undefined ? undefined : await standing(found.known.id);
      if (now === undefined) throw unknownEmail();
      const page = settings.password_recovery_url;
      if (page === undefined) throw notConfigured('no recovery page is set (PASSWORD_RECOVERY_URL)');
      if (settings.smtp.url === undefined) throw notConfigured('no mail server is set (SMTP_URL)');
      const { email: to, id } = now.user.known;
      await mail.send({ to, ...recoveryMail(page + jwts.sign('recovery', id, now.epoch), settings.jwt_expiry) });
    },
    async reset(jwt, password, address) {
      const dead = badCredentials('the link is not valid, has expired or was used');
      if (typeof jwt !== 'string') throw badBody('send jwt and password');
      const claims = jwts.read(jwt);
      if (claims === undefined) {
        await guesses.wrong(address);
        throw dead;
      }
      const now = await standing(claims.user);
      if (claims.purpose !== 'recovery' || claims.expires <= core.clock() || now?.epoch !== claims.epoch) throw dead;
      const hash = await passwords.hash(textOf('password', password), claims.user);
      // of all who come with links of this epoch, one goes on
      if (!(await accounts.claim(claims.user, claims.epoch))) throw dead;
      if (!(await users.setHash(claims.user, hash))) throw dead;
      await accounts.renewKey(claims.user);
      await settle(claims.user);
    },
  };
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') throw badValue(name, 'String', 'must be text');
  return value;
}
