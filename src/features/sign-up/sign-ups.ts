/** Sign-up: `open` creates users who may sign in at once, `verified` users who first follow the link of a mail. */
import type { SessionClient } from '../../auth/contract.ts';
import { createUser } from '../../auth/create-user.ts';
import type { LoginResult } from '../../auth/sessions/contract.ts';
import { type AuthCore, type BuiltInMail, type Core, digest, type Row, signInFirst } from '../../core.ts';
import { newIncarnation } from '../../models/built-in/incarnation.ts';
import { isTaken } from '../../models/database-errors.ts';
import type { KnownUser } from '../../policy/principal.ts';
import { knownAddressMail } from './mails.ts';
import { type SignIn, signInOf, type Verification, verification } from './verification.ts';

/** Maximum attempts to agree with other servers that register the same address. */
const attempts = 3;

/** A user who signs up. The fields are checked. */
export interface NewUser {
  readonly id: string;
  /** Empty for one who gives none. */
  readonly email: string;
  /** The email and what the user signs in with, by the names of the fields. */
  readonly names: Row;
  /** The hash. */
  readonly password: string;
  /** Other fields of the user model. */
  readonly fields: Row;
}

/** @throws the error, unless it is that a unique value is taken */
function falseIfTaken(error: unknown): false {
  if (isTaken(error)) return false;
  throw error;
}

/** How a user is created. */
interface Creation extends Pick<SessionClient, 'progress'> {
  readonly incarnation?: string;
}

interface MailToUser {
  readonly to: KnownUser;
  readonly mail: BuiltInMail;
}

/** Sign-up, a service of the feature. */
export const signUps = (core: Core): SignUps => new SignUps(core.auth, core.services.of(verification), signInOf(core));

class SignUps {
  constructor(
    private readonly core: AuthCore,
    private readonly verification: Verification,
    private readonly signIn: SignIn,
  ) {}

  /** Whether a user has signed up and not yet verified the address. */
  async mustVerifyEmail(id: string): Promise<boolean> {
    return (await this.core.reconcileAccount(id))?.mustVerifyEmail === true;
  }

  /** Creates a user and signs in. @throws Mongoose's and the driver's errors for values that are not valid or unique */
  async open(user: NewUser, client: SessionClient): Promise<LoginResult> {
    await this.#create(user, { progress: client.progress });
    const now = await this.core.reconcileAccount(user.id);
    if (now === undefined) throw signInFirst();
    return this.signIn(now, { ...client, method: 'signup' });
  }

  /**
   * Registers a user in the background, and sends a mail: to verify the address or, where it has an account already, to state that. Over
   * the limits of mails nothing happens. It works on one address at a time, and sends the mail after that, so that a slow mail server
   * delays no sign-up.
   */
  verified(user: NewUser, address: string): void {
    const { background, shares, notifier, loginThrottle } = this.core;
    background.run('a sign-up', async () => {
      if (!(await loginThrottle.tryConsume('mail', address, user.email))) return;
      const mail = await shares.keyedMutex(`sign-up ${digest(user.email)}`, () => this.#register(user));
      if (mail !== undefined) notifier.send(mail.to, mail.mail);
    });
  }

  /** Creates the user, or replaces the password of one who waits for verification. @returns the mail; undefined for none */
  async #register(user: NewUser): Promise<MailToUser | undefined> {
    const { users, reconcileAccount } = this.core;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const known = await users.byEmail(user.email);
      if (known === undefined) {
        if (await this.#createUnverified(user)) return this.#mailTo(user.id);
        continue;
      }
      const now = await reconcileAccount(known.id);
      if (now === undefined) continue;
      if (!now.mustVerifyEmail) return { to: now.user.known, mail: knownAddressMail() };
      if (await users.replaceUnverified(now.user, user).catch(falseIfTaken)) return this.#mailTo(known.id);
    }
    // the address belongs to a deleted user, or another unique value was taken meanwhile
    return undefined;
  }

  /** The link for the present password. Links for earlier ones end with their epoch. */
  async #mailTo(id: string): Promise<MailToUser | undefined> {
    const now = await this.core.reconcileAccount(id);
    this.core.principals.dropUser(id);
    return now === undefined ? undefined : { to: now.user.known, mail: this.verification.mailFor(now) };
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
      await this.#create(user, { incarnation: ref.incarnation });
      return true;
    } catch (error) {
      await accounts.remove(ref);
      return falseIfTaken(error);
    }
  }

  #create({ id: user, fields, names, password }: NewUser, { incarnation, progress }: Creation): Promise<unknown> {
    const by = { user, method: 'signup', progress };
    return createUser(this.core, by, { ...fields, ...names, password }, incarnation);
  }
}
