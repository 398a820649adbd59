/** Changes passwords: by the old password, or by the link of a recovery mail. */
import { plainEmail } from '../../email.ts';
import { badCredentials, type Failure, loginFailed, notConfigured, signInFirst, unknownEmail } from '../../errors.ts';
import type { Mail, OwnAccount } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import { provenUser } from '../credentials/proven-user.ts';
import { renewKey } from '../renew-key.ts';
import type { BoundUser } from '../users.ts';
import { recoveryMail } from './recovery-mail.ts';

type Parts = Pick<OwnAccount, 'changePassword' | 'recover' | 'reset'>;

export const passwordChanges = (core: AuthCore, mail: Mail): Parts => ({
  async changePassword({ user, method }, current, next, address) {
    if (user === undefined) throw signInFirst();
    const known = await provenUser(core, user, current, address);
    const hash = await core.passwords.hash(next, user.id, 'new_password');
    if (!(await core.users.setHash(known, hash, { address, method }))) throw loginFailed();
    await endLogins(core, user.id);
  },
  recover: (email, address) => sendRecovery(core, mail, email, address),
  reset: (jwt, password, address) => reset(core, jwt, password, address),
});

/** The new hash begins a new epoch, which ends all earlier sessions and JWTs. */
async function endLogins({ accountStateOf, principals }: AuthCore, user: string): Promise<void> {
  await accountStateOf(user);
  principals.forget(user);
}

async function sendRecovery(core: AuthCore, mail: Mail, email: string, address: string): Promise<void> {
  const { users, accountStateOf, loginThrottle, jwts, settings, tokens } = core;
  await loginThrottle.spend('recover', address, plainEmail(email));
  const found = await users.byEmail(email);
  const now = found === undefined ? undefined : await accountStateOf(found.known.id);
  if (now === undefined) throw unknownEmail();
  const page = settings.password_recovery_url;
  if (page === undefined) throw notConfigured('PASSWORD_RECOVERY_URL, the address of the recovery page, is not set');
  if (settings.smtp.url === undefined) throw notConfigured('SMTP_URL, the address of the mail server, is not set');
  const { email: to, id } = now.user.known;
  const jwt = jwts.sign('recovery', id, now.epoch, tokens.fingerprint('email', to));
  await mail.send({ to, ...recoveryMail(page + jwt, settings.recovery_expiry) });
}

async function reset(core: AuthCore, jwt: string, password: string, address: string): Promise<void> {
  const { users, accounts, passwords } = core;
  const { user, epoch } = await recoveryOf(core, jwt, address);
  const hash = await passwords.hash(password, user.id);
  // of concurrent requests with links of this epoch, one succeeds
  if (!(await accounts.claim(user.id, epoch))) throw deadLink();
  const origin = { address, method: 'recovery' };
  if (!(await users.recover(user, hash, origin))) throw deadLink();
  await renewKey(core, user, origin);
  await endLogins(core, user.id);
}

/** The user of a recovery link, and the epoch in which it was sent. @throws 401 for a link that is not valid, 429 */
async function recoveryOf(core: AuthCore, jwt: string, address: string): Promise<{ user: BoundUser; epoch: number }> {
  const { clock, loginThrottle, jwts, accountStateOf, tokens } = core;
  const claims = jwts.read(jwt);
  if (claims === undefined) {
    await loginThrottle.wrong(address, 'recovery');
    throw deadLink();
  }
  const now = await accountStateOf(claims.user);
  if (claims.purpose !== 'recovery' || claims.expires <= clock() || now?.epoch !== claims.epoch) throw deadLink();
  // the link proves only that its reader receives mail at the address that it was sent to
  if (claims.email !== tokens.fingerprint('email', now.user.known.email)) throw deadLink();
  return { user: now.user, epoch: now.epoch };
}

const deadLink = (): Failure => badCredentials('the link is not valid, has expired or has been used');
