/** Lets users set up and remove their second factor, and admins remove that of another user. */
import { plainEmail } from '../../email.ts';
import { conflict, type Failure, signInFirst, unknownDocument, wrongCode } from '../../errors.ts';
import { type Principal, signInOf } from '../../policy/principal.ts';
import type { Actor, SecondFactor } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import { provenUser } from '../credentials/proven-user.ts';
import { recorded } from '../events/recorded.ts';
import { notices } from '../mails/mails.ts';
import type { BoundUser } from '../users.ts';
import { proveFactor } from './prove-factor.ts';
import { otpauthUrl } from './totp.ts';

/** Informs a user of a second factor that was switched on or off. */
type Notify = (user: BoundUser, isOn: boolean) => void;

export function makeSecondFactor(core: AuthCore): SecondFactor {
  const { factors, principals, publicUrl, notifier } = core;
  const notify: Notify = ({ known }, isOn) => notifier.notify(known.email, notices.secondFactor(isOn));
  return {
    async prepare(principal, { password, code }, address) {
      const user = await proven(core, principal, { password, code }, address);
      const secret = await factors.prepare(user);
      return { secret, otpauth_url: otpauthUrl(secret, new URL(publicUrl()).hostname, user.known.email) };
    },
    async confirm(principal, code, address) {
      const { user, codes } = await confirm(core, principal, code, address);
      principals.dropUser(user.id);
      notify(user, true);
      return codes;
    },
    async remove(principal, given, address) {
      const user = await proven(core, principal, given, address);
      const by = { user: user.id, address, ...signInOf(principal) };
      if (!(await switchOff(core, user, by))) throw isOff();
      principals.dropUser(user.id);
      notify(user, false);
    },
    async removeOf(id, by) {
      notify(await removeOf(core, id, by), false);
    },
  };
}

/** @returns the user, and the recovery codes @throws 401, 409, 429 */
async function confirm(
  core: AuthCore,
  principal: Principal,
  code: string,
  address: string,
): Promise<{ readonly user: BoundUser; readonly codes: readonly string[] }> {
  const { reconcileAccount, factors, loginThrottle } = core;
  const { user } = principal;
  const now = user === undefined ? undefined : await reconcileAccount(user.id);
  if (now === undefined) throw signInFirst();
  const { id, known } = now.user;
  if (!(await factors.isPrepared(now.user))) throw conflict('there is no secret to confirm: POST /login/mfa first');
  const event = { what: 'factor.enabled', whom: id, by: { user: id, address, ...signInOf(principal) } } as const;
  const confirmed = async (): Promise<readonly string[]> => {
    const codes = await recorded(core, event, (session) => factors.confirm(now.user, code, session));
    if (codes === undefined) throw wrongCode();
    return codes;
  };
  return { user: now.user, codes: await loginThrottle.attempt(address, plainEmail(known.email), confirmed, 'code') };
}

/** The caller, by password and by the second factor if it is on. @throws 401, 429 */
async function proven(
  core: AuthCore,
  { user }: Principal,
  { password, code }: Readonly<Record<'password' | 'code', unknown>>,
  address: string,
): Promise<BoundUser> {
  if (user === undefined) throw signInFirst();
  const known = await provenUser(core, user, password, address);
  await proveFactor(core, known, code, address);
  return known;
}

/**
 * Ends the sessions and JWTs too: the person who has the lost authenticator may be signed in.
 * @throws 404, 409 if the factor is off
 */
async function removeOf(core: AuthCore, id: string, by: Actor): Promise<BoundUser> {
  const { reconcileAccount, accounts, factors, principals, sessions } = core;
  const now = await reconcileAccount(id);
  if (now === undefined) throw unknownDocument('user', id);
  if (!(await factors.isOn(now.user))) throw isOff();
  await sessions.endAll(id, await accounts.endEpoch(id));
  await switchOff(core, now.user, by);
  principals.dropUser(id);
  return now.user;
}

/** @returns false if the factor is off */
const switchOff = (core: AuthCore, user: BoundUser, by: Actor): Promise<boolean> =>
  recorded(core, { what: 'factor.disabled', whom: user.id, by }, (session) => core.factors.remove(user, session));

const isOff = (): Failure => conflict('no second factor is switched on');
