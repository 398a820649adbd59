/** Sends mails in the background: a mail never delays or fails the operation that causes it. */
import type { Background } from '../../async/background.ts';
import { Semaphore } from '../../async/semaphore.ts';
import type { KnownUser } from '../../policy/principal.ts';
import type { Settings } from '../../settings/types.ts';
import type { Mail } from '../contract.ts';
import type { BuiltInMail } from './content.ts';
import type { OwnMails } from './own-mails.ts';

/** Maximum mails that are sent at the same time, and that wait to be sent. Further ones are dropped and logged. */
const limits = { permits: 5, maxWaiting: 1000 };

interface Parts {
  readonly settings: Settings;
  readonly mail: Mail;
  readonly ownMails: OwnMails;
  readonly background: Background;
}

export class Notifier {
  readonly #sending = new Semaphore(limits);

  constructor(private readonly parts: Parts) {}

  /** Notifies a user of a change of their account's security, unless `SECURITY_MAILS` is off. */
  notify(user: KnownUser, notice: BuiltInMail): void {
    if (this.parts.settings.security_mails) this.send(user, notice);
  }

  /** Sends a mail, where a mail server is set up and the user has an email. Failures are logged. */
  send(user: KnownUser, mail: BuiltInMail): void {
    const { settings, background } = this.parts;
    if (settings.smtp.url === undefined || user.email === '') return;
    background.run(titleOf(mail), () => this.#sending.run(undefined, () => this.deliver(user, mail)));
  }

  /** Sends a mail that its caller waits for. A failure is logged. @returns whether the mail server has accepted it in time */
  tryDeliver(user: KnownUser, mail: BuiltInMail): Promise<boolean> {
    return new Promise((resolve) => {
      this.parts.background.run(titleOf(mail), async () => {
        const delivery = this.deliver(user, mail);
        resolve(
          delivery.then(
            () => true,
            () => false,
          ),
        );
        await delivery;
      });
    });
  }

  /** Sends a mail that its caller waits for. @throws Failure 503 when it cannot be sent in time */
  async deliver(user: KnownUser, mail: BuiltInMail): Promise<void> {
    await this.parts.mail.send({ to: user.email, ...(await this.parts.ownMails.textOf(user, mail)) });
  }
}

const titleOf = ({ content }: BuiltInMail): string => `sending the mail "${content.subject}"`;
