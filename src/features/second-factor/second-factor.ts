/** Lets users set up and remove their second factor, and admins remove that of another user. */
import type { AccountRequest, Actor, FactorCheck } from '../../auth/contract.ts';
import { provenUser } from '../../auth/credentials/proven-user.ts';
import { notice } from '../../auth/mails/mails.ts';
import type { BoundUser } from '../../auth/users.ts';
import {
  type AuthCore,
  type BuiltInMail,
  conflict,
  type Failure,
  type Principal,
  recordEvent,
  signInFirst,
  unknownDocument,
} from '../../core.ts';
import { secondFactorNeeded, wrongCode } from '../../errors/errors.ts';
import { loginOf, signInOf } from '../../policy/principal.ts';
import { factorDisabled, factorEnabled } from './events.ts';
import { codeTicket, type FactorParts, factorParts } from './parts.ts';
import { principalOfTicket, proveFactor } from './prove-factor.ts';
import { otpauthUrl } from './totp.ts';

/** Informs a user of a second factor that was switched on or off. */
type Notify = (user: BoundUser, isOn: boolean) => void;

/** What proves who a user is, as a caller sent it. */
interface Proof {
  readonly password: unknown;
  /** A code or recovery code; required while a second factor is on. */
  readonly code: unknown;
}

/** Second factors of users. @throws 401 for a wrong password or code, 429 after too many failures */
interface SecondFactor extends FactorCheck {
  /** The user of a ticket, by the ticket and a code. @param verified the principal of the request's other credentials */
  principalOfTicket(
    given: { readonly ticket: string; readonly code: string },
    address: string,
    verified: Principal,
  ): Promise<Principal>;
  /** Creates a secret, which `confirm` puts in force. It is not shown again. */
  prepare(
    principal: Principal,
    proof: Proof,
    address: string,
  ): Promise<{ readonly secret: string; readonly otpauth_url: string }>;
  /** Switches the factor of the new secret on. @returns the recovery codes @throws 409 without a new secret */
  confirm(principal: Principal, code: string, from: AccountRequest): Promise<readonly string[]>;
  /** Switches the caller's factor off. @throws 409 if it is off */
  remove(principal: Principal, proof: Proof, from: AccountRequest): Promise<void>;
  /** Switches the factor of any user off, and ends their sessions and JWTs. @throws 404, 409 if it is off */
  removeOf(user: string, by: Actor): Promise<void>;
}

/** The second factors of a server. */
export function secondFactor(auth: AuthCore): SecondFactor {
  const core = factorParts(auth);
  const { factors, jwts, principals, publicUrl, notifier } = core;
  const notify: Notify = ({ known }, isOn) => notifier.notify(known, switchedNotice(isOn));
  return {
    refusal: (user, epoch) => secondFactorNeeded(jwts.sign(codeTicket, user, epoch)),
    prove: (user, code, address, claim) => proveFactor(core, user, { code, claim }, address),
    principalOfTicket: (given, address, verified) => principalOfTicket(core, given, address, verified),
    async prepare(principal, { password, code }, address) {
      const user = await proven(core, principal, { password, code }, address);
      const secret = await factors.prepare(user);
      return { secret, otpauth_url: otpauthUrl(secret, new URL(publicUrl()).hostname, loginOf(user.known)) };
    },
    async confirm(principal, code, from) {
      const { user, codes } = await confirm(core, principal, code, from);
      principals.dropUser(user.id);
      notify(user, true);
      return codes;
    },
    async remove(principal, given, from) {
      const user = await proven(core, principal, given, from.address);
      const by = { user: user.id, ...from, ...signInOf(principal) };
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
  core: FactorParts,
  principal: Principal,
  code: string,
  from: AccountRequest,
): Promise<{ readonly user: BoundUser; readonly codes: readonly string[] }> {
  const { reconcileAccount, factors, loginThrottle, users } = core;
  const { user } = principal;
  const now = user === undefined ? undefined : await reconcileAccount(user.id);
  if (now === undefined) throw signInFirst();
  const { id, known } = now.user;
  if (!(await factors.isPrepared(now.user))) throw conflict('there is no secret to confirm: POST /login/mfa first');
  const event = { what: factorEnabled, whom: id, by: { user: id, ...from, ...signInOf(principal) } } as const;
  const confirmed = async (): Promise<readonly string[]> => {
    const codes = await recordEvent({ services: core }, event, (session) => factors.confirm(now.user, code, session));
    if (codes === undefined) throw wrongCode();
    return codes;
  };
  return {
    user: now.user,
    codes: await loginThrottle.attempt(from.address, users.accountOf(known), confirmed, 'code'),
  };
}

/** The caller, by password and by the second factor if it is on. @throws 401, 429 */
async function proven(
  core: FactorParts,
  { user }: Principal,
  { password, code }: Proof,
  address: string,
): Promise<BoundUser> {
  if (user === undefined) throw signInFirst();
  const known = await provenUser(core, user, password, address);
  await proveFactor(core, known, { code }, address);
  return known;
}

/**
 * Ends the sessions and JWTs too: the person who has the lost authenticator may be signed in.
 * @throws 404, 409 if the factor is off
 */
async function removeOf(core: FactorParts, id: string, by: Actor): Promise<BoundUser> {
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
const switchOff = (core: FactorParts, user: BoundUser, by: Actor): Promise<boolean> =>
  recordEvent({ services: core }, { what: factorDisabled, whom: user.id, by }, (session) =>
    core.factors.remove(user, session),
  );

const isOff = (): Failure => conflict('no second factor is switched on');

const switchedNotice = (isOn: boolean): BuiltInMail =>
  notice(
    isOn ? 'factor_on' : 'factor_off',
    `The second factor was switched ${isOn ? 'on' : 'off'}`,
    `The second factor of your account was switched ${isOn ? 'on' : 'off'}.`,
  );
