/** Changes passwords: by the old password, or by the link of a recovery mail or an invitation. */
import { conflict, loginFailed, notConfigured, signInFirst, unknownLogin } from '../../errors/errors.ts';
import { refusePassword } from '../../models/mongoose/password-rules.ts';
import { type Principal, signInOf } from '../../policy/principal.ts';
import type { AccountRequest, FactorCheck, Invitation, OwnAccount } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import type { AccountState } from '../credentials/account-state.ts';
import { provenUser } from '../credentials/proven-user.ts';
import { digest } from '../credentials/tokens.ts';
import { recordEvent } from '../events/record-event.ts';
import type { BuiltInMail } from '../mails/content.ts';
import { invalidLink, mailedLink, userOfLink } from '../mails/link.ts';
import { invitationMail, recoveryMail } from '../mails/mails.ts';

type Parts = Pick<OwnAccount, 'changePassword' | 'recover' | 'reset'>;

export const passwordChanges = (core: AuthCore, factorCheck: FactorCheck): Parts => ({
  async changePassword(principal, current, next, from) {
    const { user } = principal;
    if (user === undefined) throw signInFirst();
    const known = await provenUser(core, user, current, from.address);
    const names = core.users.namesOf(known.known);
    await refusePassword(core.registry.internal('user'), { ...names, password: next }, 'new_password');
    const hash = await core.passwords.hash(next, user.id, { path: 'new_password', names });
    if (!(await core.users.setHash(known, hash, { ...from, ...signInOf(principal) })))
      throw loginFailed(core.users.loginField);
    await endLogins(core, user.id);
  },
  recover: (login, address, caller) => sendRecovery(core, login, address, caller),
  reset: (given, from) => reset(core, factorCheck, given, from),
});

/** The new hash begins a new epoch, which ends all earlier sessions and JWTs. */
async function endLogins({ reconcileAccount, principals }: AuthCore, user: string): Promise<void> {
  await reconcileAccount(user);
  principals.dropUser(user);
}

async function sendRecovery(
  core: AuthCore,
  login: string,
  address: string,
  caller: Principal,
): Promise<Invitation | undefined> {
  const { users, reconcileAccount, loginThrottle, settings, notifier } = core;
  await loginThrottle.consume('recover', address, users.loginName(login));
  const found = await users.byLogin(login);
  const now = found === undefined ? undefined : await reconcileAccount(found.known.id);
  if (now === undefined) throw unknownLogin(users.loginField);
  const page = settings.password_recovery_url;
  const hasEmail = now.user.known.email !== '';
  const isInvited = caller.admin && now.user.hash === undefined;
  const isMailed = page !== undefined && settings.smtp.url !== undefined && settings.background && hasEmail;
  if (isInvited && !isMailed) return handOver(core, now);
  if (!hasEmail) throw conflict('this user has no email: an admin can set a new password');
  if (page === undefined) throw notConfigured('PASSWORD_RECOVERY_URL, the address of the recovery page, is not set');
  if (settings.smtp.url === undefined) throw notConfigured('SMTP_URL, the address of the mail server, is not set');
  const link = mailedLink(core, page, 'recovery', now);
  const seconds = settings.recovery_expiry;
  if (isInvited) return invite(core, now, invitationMail(core.appName, link, seconds));
  await notifier.deliver(now.user.known, recoveryMail(link, seconds));
  return undefined;
}

/** Mails an invitation. Its user exists already: what the mail server refuses is handed over. */
async function invite(core: AuthCore, now: AccountState, mail: BuiltInMail): Promise<Invitation | undefined> {
  await core.accounts.keepInvitation(now.user, undefined);
  if (await core.notifier.tryDeliver(now.user.known, mail)) return undefined;
  return { ...(await handOver(core, now)), mail_failed: true };
}

/** The invitation of a user without a password, for the admin to hand over: it proves nothing about the email. @throws 409 */
async function handOver(core: AuthCore, now: AccountState): Promise<Invitation> {
  const { settings, clock, accounts, consolePath } = core;
  const own = consolePath === undefined ? undefined : `${settings.api_url ?? ''}${consolePath}#/new-password/`;
  const page = settings.password_recovery_url ?? own;
  if (page === undefined)
    throw conflict(
      'there is no page where an invited user sets a password: set PASSWORD_RECOVERY_URL, the address of one, or CONSOLE_ENABLED=true',
    );
  const link = mailedLink(core, page, 'invitation', now);
  await accounts.keepInvitation(now.user, link.slice(page.length));
  return { link, expires: new Date(clock().getTime() + settings.recovery_expiry * 1000) };
}

type Given = Parameters<OwnAccount['reset']>[0];

async function reset(
  core: AuthCore,
  factorCheck: FactorCheck,
  { jwt, password, code }: Given,
  from: AccountRequest,
): Promise<void> {
  const { users, accounts, passwords, userData, tokens } = core;
  const isInvitation = core.jwts.read(jwt)?.purpose === 'invitation';
  const { now } = await userOfLink(core, jwt, isInvitation ? 'invitation' : 'recovery', from.address);
  const { user, epoch } = now;
  // that of an admin ends with the next one, and never replaces a password
  if (isInvitation && (now.invitation !== digest(jwt) || user.hash !== undefined)) throw invalidLink();
  const names = users.namesOf(user.known);
  await refusePassword(core.registry.internal('user'), { ...names, password });
  const hash = await passwords.hash(password, user.id, { names });
  // the last check, so that the code is not used up by a request that fails, and the link not by a wrong code
  await factorCheck.prove(user, code, from.address, async () => {
    // of concurrent requests with links of this epoch, one succeeds
    if (!(await accounts.endEpochByRecovery(user.id, epoch, tokens.fingerprint('password', hash)))) throw invalidLink();
  });
  // another person may have held the account before the email was verified
  if (!user.verified) await userData.removeByRecovery(user.id, 'unverified');
  const origin = { ...from, method: 'recovery' };
  const isSet = isInvitation ? users.setHash(user, hash, origin) : users.recover(user, hash, origin);
  if (!(await isSet)) throw invalidLink();
  // keys end with the epoch of the old password, which signs in until now; if this fails, the next use of the account does the same
  await endLogins(core, user.id);
  await recordEvent(
    { services: core },
    { what: 'apikey.renewed', whom: user.id, by: { user: user.id, ...origin } },
    () => Promise.resolve(true),
  );
  await userData.removeByRecovery(user.id, 'always');
}
