/** Sends mails by the configured server, within a time limit. The adapter of nodemailer. */
import { withTimeout } from '../../async/timeout.ts';
import { mailNotSent, notConfigured } from '../../errors/errors.ts';
import type { Settings } from '../../settings/types.ts';
import { isEmail } from '../../text/email.ts';
import type { Mail } from '../contract.ts';

/** Milliseconds for each step, and for all of them together. */
const stepLimitMs = 5000;
const totalLimitMs = 15_000;

export function makeMail({ smtp, password_recovery_url, background }: Settings): Mail {
  return {
    async send({ to, subject, text, html }) {
      if (!background) throw notConfigured('this server sends no mails, because BACKGROUND is off');
      if (smtp.url === undefined) throw notConfigured('SMTP_URL, the address of the mail server, is not set');
      const addresses = [to].flat();
      if (!addresses.every(isEmail)) throw mailNotSent(new Error('the stored email is not a single valid address'));
      // loaded with the first mail
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url: smtp.url,
        connectionTimeout: stepLimitMs,
        greetingTimeout: stepLimitMs,
        socketTimeout: stepLimitMs,
        dnsTimeout: stepLimitMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const from = smtp.from ?? senderFor(password_recovery_url);
      try {
        const all = addresses.map((address) => ({ name: '', address }));
        const sent = transport.sendMail({ from, to: all, subject, text, ...(html && { html }) });
        await withTimeout(totalLimitMs, sent, () => new Error('the mail server is too slow'));
      } catch (error) {
        throw mailNotSent(error);
      } finally {
        transport.close();
      }
    },
  };
}

/** The default sender: an address at the host of the page that the mail links to. */
const senderFor = (page: string | undefined): string =>
  `no-reply@${page !== undefined && URL.canParse(page) ? new URL(page).hostname : 'localhost'}`;
