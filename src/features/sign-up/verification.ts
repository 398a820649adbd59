/** Verifies email addresses by the links of mails. */
import type { EmailProof, Login, SessionClient } from '../../auth/contract.ts';
import type { AccountState } from '../../auth/credentials/account-state.ts';
import { invalidLink, mailedLink, userOfLink, withEmail } from '../../auth/mails/link.ts';
import { notices } from '../../auth/mails/mails.ts';
import type { LoginResult } from '../../auth/sessions/contract.ts';
import {
  type AddedPurpose,
  type AuthCore,
  type BuiltInMail,
  conflict,
  type Core,
  type Principal,
  principalOf,
  signInFirst,
} from '../../core.ts';
import { notConfigured, notUnique } from '../../errors/errors.ts';
import { transaction } from '../../write/transaction.ts';
import { verificationMail } from './mails.ts';

/** The JWT in the link of a mail, which verifies an email once. */
export const verificationLink: AddedPurpose = { name: 'verification', seconds: 86_400, provesRequested: true };

/** Begins a session of a user. @throws 401 with a ticket for a user who has a second factor on */
export type SignIn = (now: AccountState, login: Login) => Promise<LoginResult>;

export const signInOf =
  ({ services }: Pick<Core, 'services'>): SignIn =>
  ({ user, epoch, factor }, login) =>
    services.auth.loginByFirstFactor(principalOf(user.known, { factor, epoch }, user.own), login);

/** The verification of emails, a service of the feature. */
export const verification = (core: Core): Verification => new Verification(core.auth, signInOf(core));

/** Lets a changed email count once its link has been opened, where only verified ones sign up. */
export const emailProof = (core: AuthCore): EmailProof | undefined =>
  core.settings.signup === 'verified'
    ? { request: (user, email, address) => requestEmail(core, { user, email, address }) }
    : undefined;

interface Requested {
  readonly user: string;
  readonly email: string;
  readonly address: string;
}

async function requestEmail(core: AuthCore, { user, email, address }: Requested): Promise<void> {
  const { reconcileAccount, accounts, users } = core;
  const now = await reconcileAccount(user);
  if (now === undefined) throw signInFirst();
  if (await users.isOthers(email, user)) throw notUnique(['email']);
  // a request whose mail is not sent changes nothing
  await sendLink(core, withEmail(now, email), address);
  await accounts.requestEmail(now.user, { email, from: now.user.known.email, epoch: now.epoch });
}

/** Sends the link to the email of a user. @throws 429, 500, 503 */
async function sendLink(core: AuthCore, now: AccountState, address: string): Promise<void> {
  const { loginThrottle, settings, notifier } = core;
  const content = mailFor(core, now);
  if (settings.smtp.url === undefined) throw notConfigured('SMTP_URL, the address of the mail server, is not set');
  await loginThrottle.consume('mail', address, now.user.known.email);
  await notifier.deliver(now.user.known, content);
}

/** @throws 500 when `VERIFY_URL` is not set */
function mailFor(core: AuthCore, now: AccountState): BuiltInMail {
  const page = core.settings.verify_url;
  if (page === undefined) throw notConfigured('VERIFY_URL, the address of the page that verifies emails, is not set');
  return verificationMail(mailedLink(core, page, verificationLink, now), verificationLink.seconds);
}

export class Verification {
  constructor(
    private readonly core: AuthCore,
    private readonly signIn: SignIn,
  ) {}

  /** @throws 500 when `VERIFY_URL` is not set */
  mailFor(now: AccountState): BuiltInMail {
    return mailFor(this.core, now);
  }

  /** Sends the link to the address that the caller has asked for or has. @throws 401, 409 when it is verified already, 429, 500 */
  async send({ user }: Principal, address: string): Promise<void> {
    const now = user === undefined ? undefined : await this.core.reconcileAccount(user.id);
    if (now === undefined) throw signInFirst();
    const { requestedEmail } = now;
    if (requestedEmail === undefined && now.user.known.email === '') throw conflict('there is no email to verify');
    if (requestedEmail === undefined && now.user.verified) throw conflict('the email is verified already');
    await sendLink(this.core, requestedEmail === undefined ? now : withEmail(now, requestedEmail), address);
  }

  /** Verifies the address by the JWT of a link, once, and signs in. @throws 401, 409 when another user has it by now, 429 */
  async verify(jwt: string, client: SessionClient): Promise<LoginResult> {
    const { users, reconcileAccount, useOnce, principals } = this.core;
    const { address, progress } = client;
    const { claims, now, email } = await userOfLink(this.core, jwt, verificationLink, address);
    const { user } = now;
    const isRequested = email !== user.known.email;
    // of several links that were sent, one works
    if (user.verified && !isRequested) throw invalidLink();
    // what a hook refuses leaves the link as it was
    await transaction({ services: this.core, unit: undefined, progress }, async ({ unit }) => {
      if (!(await useOnce(claims.id, claims.expires, unit))) throw invalidLink();
      const from = { address, method: 'verification', progress, unit };
      if (!(await (isRequested ? users.setEmail(user, email, true, from) : users.verify(user, { progress, unit }))))
        throw invalidLink();
    });
    principals.dropUser(user.id);
    if (isRequested) await this.#endRequest(user);
    const verified = await reconcileAccount(now.user.id);
    if (verified === undefined) throw invalidLink();
    return this.signIn(verified, { ...client, method: 'verification' });
  }

  /** Ends the request for the email that a user has now, and notifies the old address. */
  async #endRequest(user: AccountState['user']): Promise<void> {
    await this.core.accounts.requestEmail(user, undefined);
    this.core.notifier.notify(user.known, notices.newEmail());
  }
}
