/** The links of mails: pages of the application with a JWT, which proves that its reader receives mail at the address. */
import { badCredentials, type Failure } from '../../errors/errors.ts';
import type { AuthCore } from '../core.ts';
import type { AccountState } from '../credentials/account-state.ts';
import { type AddedPurpose, type Claims, type JwtPurpose, purposeName } from '../credentials/jwt.ts';

/** @param page the address that the JWT is appended to */
export function mailedLink(
  { jwts, tokens }: Pick<AuthCore, 'jwts' | 'tokens'>,
  page: string,
  purpose: JwtPurpose | AddedPurpose,
  { user, epoch }: AccountState,
): string {
  const { id, email } = user.known;
  return page + jwts.sign(purpose, id, epoch, { email: tokens.fingerprint('email', email) });
}

/** The state of a user as it will be with another email, for a link that is sent there. */
export const withEmail = (now: AccountState, email: string): AccountState => ({
  ...now,
  user: { ...now.user, known: { ...now.user.known, email } },
});

/** The user of a link, as they are now, and the email that it was sent to. @throws 401 for a link that is not valid, 429 */
export async function userOfLink(
  { clock, loginThrottle, jwts, reconcileAccount, tokens }: AuthCore,
  jwt: string,
  purpose: JwtPurpose | AddedPurpose,
  address: string,
): Promise<{ readonly claims: Claims; readonly now: AccountState; readonly email: string }> {
  const claims = jwts.read(jwt);
  if (claims === undefined) {
    await loginThrottle.countForgery(address, purposeName(purpose));
    throw invalidLink();
  }
  if (claims.purpose !== purposeName(purpose) || claims.expires <= clock()) throw invalidLink();
  const now = await reconcileAccount(claims.user);
  if (now === undefined || now.epoch !== claims.epoch) throw invalidLink();
  // the link proves only that its reader receives mail at the address that it was sent to
  const provesRequested = typeof purpose === 'object' && purpose.provesRequested === true;
  const email = [now.user.known.email, ...(provesRequested ? [now.requestedEmail] : [])].find(
    (one) => one !== undefined && tokens.isFingerprint('email', one, claims.email),
  );
  if (email === undefined) throw invalidLink();
  return { claims, now, email };
}

export const invalidLink = (): Failure => badCredentials('the link is not valid, has expired or has been used');
