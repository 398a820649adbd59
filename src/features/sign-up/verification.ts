/** Verifies email addresses by the links of mails. */
import type { Login, SessionClient } from '../../auth/contract.ts';
import type { AuthCore } from '../../auth/core.ts';
import type { AccountState } from '../../auth/credentials/account-state.ts';
import type { AddedPurpose } from '../../auth/credentials/jwt.ts';
import type { BuiltInMail } from '../../auth/mails/content.ts';
import { invalidLink, mailedLink, userOfLink } from '../../auth/mails/link.ts';
import type { LoginResult } from '../../auth/sessions/contract.ts';
import { conflict, notConfigured, signInFirst } from '../../errors.ts';
import { type Principal, principalOf } from '../../policy/principal.ts';
import type { Core } from '../feature.ts';
import { verificationMail } from './mails.ts';

/** The JWT in the link of a mail, which verifies an email once. */
export const verificationLink: AddedPurpose = { name: 'verification', seconds: 86_400 };

/** Begins a session of a user. @throws 401 with a ticket for a user who has a second factor on */
export type SignIn = (now: AccountState, login: Login) => Promise<LoginResult>;

export const signInOf =
  ({ services }: Pick<Core, 'services'>): SignIn =>
  ({ user, epoch, factor }, login) =>
    services.auth.loginByFirstFactor(principalOf(user.known, { factor, epoch }, user.own), login);

/** The verification of emails, a service of the feature. */
export const verification = (core: Core): Verification => new Verification(core.auth, signInOf(core));

export class Verification {
  constructor(
    private readonly core: AuthCore,
    private readonly signIn: SignIn,
  ) {}

  /** @throws 500 when `VERIFY_URL` is not set */
  mailFor(now: AccountState): BuiltInMail {
    const page = this.core.settings.verify_url;
    if (page === undefined) throw notConfigured('VERIFY_URL, the address of the page that verifies emails, is not set');
    return verificationMail(mailedLink(this.core, page, verificationLink, now), verificationLink.seconds);
  }

  /** Sends the link to the caller's address. @throws 401, 409 when it is verified already, 429, 500 */
  async send({ user }: Principal, address: string): Promise<void> {
    const { reconcileAccount, loginThrottle, settings, notifier } = this.core;
    const now = user === undefined ? undefined : await reconcileAccount(user.id);
    if (now === undefined) throw signInFirst();
    const { known, verified } = now.user;
    if (verified) throw conflict('the email is verified already');
    const content = this.mailFor(now);
    if (settings.smtp.url === undefined) throw notConfigured('SMTP_URL, the address of the mail server, is not set');
    await loginThrottle.consume('mail', address, known.email);
    await notifier.deliver(known, content);
  }

  /** Verifies the address by the JWT of a link, once, and signs in. @throws 401, 429 */
  async verify(jwt: string, client: SessionClient): Promise<LoginResult> {
    const { users, reconcileAccount, useOnce, principals } = this.core;
    const { claims, now } = await userOfLink(this.core, jwt, verificationLink, client.address);
    // of several links that were sent, one works
    if (now.user.verified || !(await useOnce(claims.id, claims.expires))) throw invalidLink();
    if (!(await users.verify(now.user))) throw invalidLink();
    principals.dropUser(now.user.id);
    const verified = await reconcileAccount(now.user.id);
    if (verified === undefined) throw invalidLink();
    return this.signIn(verified, { ...client, method: 'verification' });
  }
}
