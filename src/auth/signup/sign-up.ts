/** Sign-up: `open` creates users who may sign in at once, `verified` users who first follow the link of a mail. */
import { signInFirst } from '../../errors.ts';
import { newIncarnation } from '../../models/built-in/incarnation.ts';
import { isTaken } from '../../models/database-errors.ts';
import type { LoginResult, NewUser, SessionClient, SignUp } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import { createUser } from '../create-user.ts';
import { digest } from '../credentials/tokens.ts';
import type { MailContent } from '../mails/content.ts';
import { knownAddressMail } from '../mails/mails.ts';
import type { SignIn, Verification } from './verification.ts';

/** Maximum attempts to agree with other servers that register the same address. */
const attempts = 3;

export class SignUps implements Pick<SignUp, 'open' | 'verified'> {
  constructor(
    private readonly core: AuthCore,
    private readonly verification: Verification,
    private readonly signIn: SignIn,
  ) {}

  async open(user: NewUser, client: SessionClient): Promise<LoginResult> {
    await this.#create(user);
    const now = await this.core.reconcileAccount(user.id);
    if (now === undefined) throw signInFirst();
    return this.signIn(now, { ...client, method: 'signup' });
  }

  /** Works on one address at a time, and sends the mail after that, so that a slow mail server delays no sign-up. */
  verified(user: NewUser, address: string): void {
    const { background, keyedMutex, notifier, loginThrottle } = this.core;
    background.run('a sign-up', async () => {
      if (!(await loginThrottle.tryConsume('mail', address, user.email))) return;
      const mail = await keyedMutex(`sign-up ${digest(user.email)}`, () => this.#register(user));
      if (mail !== undefined) notifier.send(user.email, mail);
    });
  }

  /** Creates the user, or replaces the password of one who waits for verification. @returns the mail; undefined for none */
  async #register(user: NewUser): Promise<MailContent | undefined> {
    const { users, reconcileAccount } = this.core;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const known = await users.byEmail(user.email);
      if (known === undefined) {
        if (await this.#createUnverified(user)) return this.#mailTo(user.id);
        continue;
      }
      const now = await reconcileAccount(known.id);
      if (now === undefined) continue;
      if (!now.mustVerifyEmail) return knownAddressMail();
      if (await users.replaceUnverified(now.user, user.password)) return this.#mailTo(known.id);
    }
    // the address belongs to a deleted user, or another unique value was taken meanwhile
    return undefined;
  }

  /** The link for the present password. Links for earlier ones end with their epoch. */
  async #mailTo(id: string): Promise<MailContent | undefined> {
    const now = await this.core.reconcileAccount(id);
    this.core.principals.dropUser(id);
    return now === undefined ? undefined : this.verification.mailFor(now);
  }

  /**
   * Creates a user who cannot sign in yet. The account, which records this, exists before the user.
   * @returns false when a unique value is taken
   */
  async #createUnverified(user: NewUser): Promise<boolean> {
    const { accounts, tokens } = this.core;
    const ref = { id: user.id, incarnation: newIncarnation() };
    const passwordFingerprint = tokens.fingerprint('password', user.password);
    await accounts.createUnverified(ref, { passwordFingerprint, unverifiedEmail: user.email });
    try {
      await this.#create(user, ref.incarnation);
      return true;
    } catch (error) {
      await accounts.remove(ref);
      if (isTaken(error)) return false;
      throw error;
    }
  }

  #create({ id, fields, email, password }: NewUser, incarnation?: string): Promise<unknown> {
    return createUser(this.core, { id, origin: { method: 'signup' } }, { ...fields, email, password }, incarnation);
  }
}
