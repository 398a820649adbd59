/** Verifies the second factor of a user whose password, link or ticket has been verified. */
import type { FactorHolder } from '../../auth/contract.ts';
import type { UserRef } from '../../auth/credentials/accounts.ts';
import { refuseUnverified } from '../../auth/credentials/genuine.ts';
import { assertSameUser } from '../../auth/credentials/identify.ts';
import type { Claims } from '../../auth/credentials/jwt.ts';
import type { BoundUser } from '../../auth/users.ts';
import { type Principal, principalOf } from '../../core.ts';
import { secondFactorNeeded, wrongCode } from '../../errors/errors.ts';
import type { Factors } from './factors.ts';
import { codeTicket, type FactorParts } from './parts.ts';

interface Given {
  readonly code: unknown;
  /** Takes what the code is for; throws where another request has it. */
  readonly claim?: () => Promise<void>;
}

/**
 * Requires a code, or a recovery code, of a user whose second factor is on. A wrong one counts as a failed login.
 * @throws 401 without the right code, 429 after too many failures
 */
export async function proveFactor(
  { factors, loginThrottle, users }: FactorParts,
  user: FactorHolder,
  { code, claim = () => Promise.resolve() }: Given,
  address: string,
): Promise<void> {
  if (!(await factors.isOn(user))) return claim();
  if (code === undefined) throw secondFactorNeeded();
  const use = (): Promise<void> => useCode(factors, user, code, claim);
  await loginThrottle.attempt(address, users.accountOf(user.known), use, 'code');
}

/** Claims before the code is used up, so that of two requests for one thing the loser keeps its code, such as the last recovery code. */
async function useCode(factors: Factors, user: UserRef, code: unknown, claim: () => Promise<void>): Promise<void> {
  if (!(await factors.isRight(user, code))) throw wrongCode();
  await claim();
  if (!(await factors.accept(user, code))) throw wrongCode();
}

/**
 * The user of a ticket, by the ticket and a code. A ticket that was forged and a wrong code count as failed logins.
 * @param verified the principal of the request's other credentials
 * @throws 401 alike for a bad ticket and a wrong code, 429 after too many failures
 */
export async function principalOfTicket(
  core: FactorParts,
  { ticket, code }: Readonly<Record<'ticket' | 'code', string>>,
  address: string,
  verified: Principal,
): Promise<Principal> {
  const { jwts, loginThrottle, reconcileAccount, clock, users } = core;
  const claims = jwts.read(ticket);
  if (claims === undefined) await loginThrottle.countForgery(address, codeTicket.name);
  if (claims?.purpose !== codeTicket.name || claims.expires <= clock()) throw wrongCode();
  const now = await reconcileAccount(claims.user);
  if (now?.epoch !== claims.epoch) throw wrongCode();
  refuseUnverified(now);
  assertSameUser(verified, claims.user);
  await loginThrottle.attempt(
    address,
    users.accountOf(now.user.known),
    () => exchange(core, claims, now.user, code),
    'code',
  );
  return principalOf(now.user.known, { factor: 'on', epoch: now.epoch }, now.user.own);
}

async function exchange(
  { factorTickets, factors }: FactorParts,
  ticket: Claims,
  user: BoundUser,
  code: string,
): Promise<void> {
  if (!(await factorTickets.takeTry(ticket))) throw wrongCode();
  await useCode(factors, user, code, async () => {
    if (!(await factorTickets.use(ticket))) throw wrongCode();
  });
}
