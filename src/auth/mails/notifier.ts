/** Sends mails in the background: a mail never delays or fails the operation that causes it. */
import type { Background } from '../../async/background.ts';
import { Semaphore } from '../../async/semaphore.ts';
import type { Settings } from '../../settings/types.ts';
import type { Mail } from '../contract.ts';
import type { MailContent } from './content.ts';

/** Maximum mails that are sent at the same time, and that wait to be sent. Further ones are dropped and logged. */
const limits = { permits: 5, maxWaiting: 1000 };

export class Notifier {
  readonly #sending = new Semaphore(limits);

  constructor(
    private readonly settings: Settings,
    private readonly mail: Mail,
    private readonly background: Background,
  ) {}

  /** Notifies a user of a change of their account's security, unless `SECURITY_MAILS` is off. */
  notify(to: string, notice: MailContent): void {
    if (this.settings.security_mails) this.send(to, notice);
  }

  /** Sends a mail, where a mail server is set up. Failures are logged. */
  send(to: string, content: MailContent): void {
    if (this.settings.smtp.url === undefined) return;
    this.background.run(`sending the mail "${content.subject}"`, () =>
      this.#sending.run(undefined, () => this.mail.send({ to, ...content })),
    );
  }
}
